// The map beside the question, with its controls and a list of what is in view.

import { button, el, fill, part } from "../lib/dom.js";
import { count } from "../lib/words.js";
import { labelChip } from "../hunt/chips.js";
import { MapView } from "./view.js";

/** @import { NeighbourView } from "../lib/http.js" */
/** @import { HuntState } from "../hunt/state.js" */
/** @import { Ring } from "./discs.js" */

const LISTED = 12; // records in view that are named

export class MapPanel {
  /**
   * @param {HuntState} state
   * @param {AbortSignal} signal
   * @param {(row: number) => void} onPick
   */
  constructor(state, signal, onPick) {
    this.state = state;
    this.onPick = (/** @type {number} */ row) => {
      if (this.element.classList.contains("large")) this.enlarge();
      onPick(row);
    };
    this.view = new MapView(state, signal, { onPick: this.onPick, onView: () => this.list() });
    this.map = this.view.map;
    this.rows = el("ul", { class: "plain in-view" });
    this.details = el(
      "details",
      { on: { toggle: () => this.list() } },
      el("summary", {}, "Records in view, as a list"),
      this.goTo(),
      this.rows,
    );
    this.large = button("⤢", () => this.enlarge(), {
      class: "ghost icon",
      "aria-label": "Large map",
      "aria-pressed": "false",
      title: "Large map (m)",
    });
    const { controls, job, legend, words } = this.view;
    const head = el(
      "div",
      { class: "panel-head" },
      el("h2", {}, "Map"),
      this.view.zoomButtons(),
      this.large,
    );
    const whole = el("a", { href: `#/hunt/${encodeURIComponent(state.id)}/map` }, "Choose many");
    this.element = el(
      "aside",
      { class: "side map-panel", "aria-label": "Map of all records" },
      el(
        "section",
        { class: "panel" },
        head,
        this.map.element,
        controls,
        job,
        legend,
        words,
        el("p", { class: "map-note" }, whole),
        this.details,
      ),
    );
  }

  load() {
    return this.view.load();
  }

  /** @param {{row: number, neighbours: NeighbourView[]}} question */
  ring(question) {
    /** @type {Ring[]} */
    const near = question.neighbours.map(({ row }) => ({ row, look: "near" }));
    this.map.setRings([...near, { row: question.row, look: "question" }]);
  }

  enlarge() {
    const large = this.element.classList.toggle("large");
    this.large.setAttribute("aria-pressed", String(large));
  }

  goTo() {
    const max = this.state.view.n_records - 1;
    const input = el("input", { type: "number", min: 0, max, id: "go-to", required: true });
    const go = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.onPick(Number(input.value));
      part("main").focus({ preventScroll: true });
    };
    return el(
      "form",
      { class: "go-to", on: { submit: go } },
      el("label", { class: "field" }, el("span", {}, `Record number, 0 to ${count(max)}`), input),
      el("button", {}, "Show"),
    );
  }

  /** The records nearest to the middle of the view: the map for those who do not use it. */
  list() {
    if (!this.details?.open) return;
    const lines = this.map.inView(LISTED).map((row) => {
      const name = button(`record ${row}`, () => this.onPick(row), { class: "link" });
      return el("li", {}, name, " ", labelChip(this.state, this.state.labelOf.get(row)));
    });
    fill(this.rows, lines);
  }
}

// The map beside the question, with its controls and a list of what is in view.

import { bytes, get, hunt, sentence } from "../lib/api.js";
import { button, choice, el, fill, part } from "../lib/dom.js";
import { count } from "../lib/words.js";
import { labelChip } from "../hunt/chips.js";
import { ScatterMap } from "./scatter.js";

/** @import { NeighbourView, RankingView } from "../lib/http.js" */
/** @import { HuntState } from "../hunt/state.js" */
/** @import { Ring } from "./discs.js" */

const METHODS = [
  { name: "pca", title: "PCA" },
  { name: "lda", title: "LDA" },
  { name: "kernel-pca", title: "Kernel PCA" },
  { name: "umap", title: "UMAP" },
];
const LISTED = 12; // records in view that are named
const OFFERED = 6; // rankings whose scores can be shown

export class MapPanel {
  /**
   * @param {HuntState} state
   * @param {AbortSignal} signal
   * @param {(row: number) => void} onPick
   */
  constructor(state, signal, onPick) {
    this.state = state;
    this.signal = signal;
    this.onPick = (/** @type {number} */ row) => {
      if (this.element.classList.contains("large")) this.enlarge();
      onPick(row);
    };
    this.method = "pca";
    this.labelled = false;
    this.ranking = ""; // whose scores are shown
    /** @type {RankingView[]} */
    this.rankings = [];
    this.map = new ScatterMap({
      onPick: this.onPick,
      onHover: (row, x, y) => this.hover(row, x, y),
      onView: () => this.list(),
    });
    this.tip = el("div", { class: "tip", hidden: true });
    this.map.element.append(this.tip);
    this.words = el("p", { class: "quiet map-note", role: "status" }, "Drawing the map…");
    this.rows = el("ul", { class: "plain in-view" });
    this.details = el(
      "details",
      { on: { toggle: () => this.list() } },
      el("summary", {}, "Records in view, as a list"),
      this.goTo(),
      this.rows,
    );
    this.controls = el("div", { class: "map-controls" });
    this.large = button("⤢", () => this.enlarge(), {
      class: "ghost icon",
      "aria-label": "Large map",
      "aria-pressed": "false",
      title: "Large map (m)",
    });
    this.element = el(
      "aside",
      { class: "side map-panel", "aria-label": "Map of all records" },
      el(
        "section",
        { class: "panel" },
        el("div", { class: "panel-head" }, el("h2", {}, "Map"), this.zoomButtons(), this.large),
        this.map.element,
        this.controls,
        this.words,
        this.details,
      ),
    );
    state.on("labels", () => this.colour());
    state.on("progress", () => this.colour());
    state.on("heard", (news) => news.type === "ranking" && this.offerScores());
    document.addEventListener("rarefind:theme", () => this.map.recolour(), { signal });
    signal.addEventListener("abort", () => this.map.close());
    this.drawControls();
  }

  async load() {
    const started = performance.now();
    try {
      const address = hunt(this.state.id, `/map?method=${this.method}`);
      const { buffer, note } = await bytes(address, { signal: this.signal });
      const { dataset } = this.map.element;
      dataset.received = String(Math.round(performance.now() - started));
      this.map.setPoints(new Float32Array(buffer));
      this.map.paintNow();
      dataset.firstPaint = String(Math.round(performance.now() - started));
      this.words.textContent = note;
      if (!this.labelled) await this.state.loadLabels();
      this.labelled = true;
      this.colour();
      await this.offerScores();
    } catch (error) {
      if (!this.signal.aborted) this.words.textContent = sentence(error);
    }
  }

  /** Rankings made so far can colour the map. */
  async offerScores() {
    try {
      this.rankings = await get(hunt(this.state.id, "/rankings"), { signal: this.signal });
    } catch {
      return; // those already offered stay
    }
    this.drawControls();
  }

  drawControls() {
    const latest = this.rankings.slice(-OFFERED).reverse();
    const scores = latest.map(({ id, target }) => ({ name: id, title: `score for ${target}` }));
    const colours = [{ name: "", title: "class" }, ...scores];
    const turn = (/** @type {string} */ name) => {
      this.method = name;
      this.load();
    };
    const show = (/** @type {string} */ id) => this.showScores(id);
    fill(
      this.controls,
      choice("Directions", METHODS, this.method, turn, { id: "map-method" }),
      choice("Colour", colours, this.ranking, show, { id: "map-colour" }),
    );
  }

  /** @param {string} id */
  async showScores(id) {
    this.ranking = id;
    if (!id) {
      this.map.setScores(null);
      return;
    }
    const address = hunt(this.state.id, `/map/scores?ranking=${encodeURIComponent(id)}`);
    try {
      const { buffer } = await bytes(address, { signal: this.signal });
      this.map.setScores(new Float32Array(buffer));
    } catch (error) {
      if (!this.signal.aborted) this.words.textContent = sentence(error);
    }
  }

  colour() {
    const colours = new Map(this.state.classes.map((item) => [item.name, item.colour]));
    const rows = new Map();
    for (const [row, name] of this.state.labelOf) rows.set(row, colours.get(name) ?? 0);
    this.map.setLabels(rows);
  }

  /** @param {{row: number, neighbours: NeighbourView[]}} question */
  ring(question) {
    /** @type {Ring[]} */
    const near = question.neighbours.map(({ row }) => ({ row, look: "near" }));
    this.map.setRings([...near, { row: question.row, look: "question" }]);
  }

  /**
   * @param {number | null} row
   * @param {number} x
   * @param {number} y
   */
  hover(row, x, y) {
    this.tip.hidden = row === null;
    if (row === null) return;
    fill(this.tip, `record ${row} · `, labelChip(this.state, this.state.labelOf.get(row)));
    this.tip.style.setProperty("--x", `${x}px`);
    this.tip.style.setProperty("--y", `${y}px`);
    this.tip.dataset.side = x > this.map.element.clientWidth / 2 ? "left" : "right";
  }

  zoomButtons() {
    const one = (
      /** @type {string} */ text,
      /** @type {string} */ words,
      /** @type {() => void} */ act,
    ) => button(text, act, { class: "ghost icon", "aria-label": words, title: words });
    return el(
      "div",
      { class: "zoom push" },
      one("+", "Zoom in", () => this.map.zoomAt(1.6)),
      one("−", "Zoom out", () => this.map.zoomAt(1 / 1.6)),
      one("◱", "Show everything", () => this.map.reset()),
    );
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
    if (!this.details.open) return;
    const lines = this.map.inView(LISTED).map((row) => {
      const name = button(`record ${row}`, () => this.onPick(row), { class: "link" });
      return el("li", {}, name, " ", labelChip(this.state, this.state.labelOf.get(row)));
    });
    fill(this.rows, lines);
  }
}

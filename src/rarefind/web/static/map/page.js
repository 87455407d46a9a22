// The map with a page of its own: look through, filter and label what a line is drawn around.

import { sentence } from "../lib/api.js";
import { button, el, fill, key } from "../lib/dom.js";
import { onKeys } from "../lib/keys.js";
import { note, say } from "../lib/notes.js";
import { count, counted } from "../lib/words.js";
import { opened } from "../hunt/opening.js";
import { RecordList } from "../find/list.js";
import { ManyBar } from "../find/many.js";
import { SearchBox } from "../find/search.js";
import { rowsOf, these } from "../find/source.js";
import { MapView } from "./view.js";

/** @import { Place } from "../hunt/opening.js" */
/** @import { HuntState } from "../hunt/state.js" */

const NOTHING = new Int32Array(0);

/** @param {Place} place */
export async function show(place) {
  new MapPage(place, await opened(place));
}

class MapPage {
  /**
   * @param {Place} place
   * @param {HuntState} state
   */
  constructor({ root, id, signal }, state) {
    this.id = id;
    this.signal = signal;
    this.state = state;
    this.view = new MapView(state, signal, {
      onPick: (row) => this.choose(Int32Array.of(row)),
      onLasso: (rows) => this.choose(rows, true),
    });
    this.map = this.view.map;
    this.map.wheels = true;
    this.box = new SearchBox({
      label: "Show only",
      onSearch: (query) => this.filter(query),
    });
    this.list = new RecordList(state, signal, (row) =>
      this.map.setRings(row === null ? [] : [{ row, look: "question" }]),
    );
    this.many = new ManyBar(state, () => [...this.list.chosen]);
    this.list.onChoose = () => {
      this.map.choose(Int32Array.from(this.list.chosen));
      this.many.draw();
    };
    this.lasso = button([key("l"), "Lasso"], () => this.draws(!this.map.lassoing), {
      id: "lasso",
      title: "Draw a line around records (or hold Shift while dragging)",
    });
    const only = button("Show only these", () => this.showOnly(), { id: "show-only" });
    const none = button([key("Esc"), "Let go"], () => this.choose(NOTHING), { class: "ghost" });
    this.hint = el(
      "p",
      { class: "quiet" },
      "Point at a record to see it, click to choose it. Draw a line around many with the lasso, " +
        "or move and zoom with the arrow keys, + and −, and choose all in view.",
    );
    this.selection = el(
      "div",
      { class: "selection" },
      el("div", { class: "row" }, only, none),
      this.many.element,
      this.list.element,
    );
    this.shown = el("p", { class: "quiet map-note", role: "status" });
    fill(root, this.left(), this.right());
    this.draws(false);
    this.drawShown();
    this.choose(NOTHING);
    onKeys(signal, (name) => this.press(name));
    this.view.load();
  }

  left() {
    const { controls, job, legend, names, words } = this.view;
    return el(
      "section",
      { class: "panel map-large", "aria-label": "Map of all records" },
      el(
        "div",
        { class: "map-head" },
        el("h1", {}, "Map"),
        el(
          "div",
          { class: "row", role: "group", "aria-label": "Choose records" },
          this.lasso,
          button([key("v"), "All in view"], () => this.choose(this.map.seen()), { id: "in-view" }),
        ),
        this.view.zoomButtons(),
      ),
      this.map.element,
      job,
      el("div", { class: "map-foot" }, controls, legend, names),
      words,
    );
  }

  right() {
    return el(
      "aside",
      { class: "side map-side" },
      el("section", { class: "panel" }, this.box.element, this.shown),
      el("section", { class: "panel" }, el("h2", {}, "Chosen"), this.hint, this.selection),
    );
  }

  /** @param {boolean} lasso */
  draws(lasso) {
    this.map.lassoing = lasso;
    this.map.element.dataset.mode = lasso ? "lasso" : "move";
    this.lasso.setAttribute("aria-pressed", String(lasso));
  }

  /**
   * @param {Int32Array} rows
   * @param {boolean} drawn by a line, after which one wants to say what they are
   */
  choose(rows, drawn = false) {
    this.hint.hidden = rows.length > 0;
    this.selection.hidden = rows.length === 0;
    if (!rows.length) this.map.line = [];
    this.map.setRings([]);
    this.list.show(these(this.id, rows, this.signal), rows);
    if (drawn && rows.length) this.selection.scrollIntoView({ block: "nearest" });
    if (rows.length) say(`${counted(rows.length, "record")} chosen.`);
    else if (drawn) note("No record lies within the line.");
  }

  showOnly() {
    const rows = Int32Array.from(this.list.chosen).sort();
    this.map.line = [];
    this.map.show(rows);
    this.map.drawOver();
    this.drawShown();
  }

  /** @param {string} query */
  async filter(query) {
    try {
      this.map.show(query ? await rowsOf(this.id, query, this.signal) : null);
      this.box.refuse("");
      this.drawShown();
    } catch (error) {
      if (!this.signal.aborted) this.box.refuse(sentence(error));
    }
  }

  drawShown() {
    const { shown } = this.map;
    const all = this.state.view.n_records;
    const whole = () => {
      this.box.input.value = "";
      this.filter("");
    };
    fill(
      this.shown,
      shown
        ? `${count(shown.length)} of ${counted(all, "record")} shown. `
        : `${counted(all, "record")}. `,
      shown ? button("Show all", whole, { class: "link", id: "show-all" }) : null,
    );
    this.map.element.dataset.shown = String(shown?.length ?? all);
  }

  /** @param {string} name */
  press(name) {
    if (name === "l") this.draws(!this.map.lassoing);
    else if (name === "v") this.choose(this.map.seen());
    else if (name === "u") this.many.undo();
    else if (name === "Escape") {
      this.draws(false);
      this.choose(NOTHING);
    } else return false;
    return true;
  }
}

// The map beside the question, with its controls and a list of what is in view.

import { bytes, get, hunt } from "./api.js";
import { labelChip } from "./chips.js";
import { button, choice, el, fill } from "./dom.js";
import { ScatterMap } from "./map.js";
import { count } from "./words.js";

const METHODS = [
  { name: "pca", title: "PCA" },
  { name: "lda", title: "LDA" },
  { name: "kernel-pca", title: "Kernel PCA" },
];
const LISTED = 12;

export class MapPanel {
  constructor(state, signal, onPick) {
    Object.assign(this, { state, signal });
    this.onPick = (row) => {
      if (this.element.classList.contains("large")) this.enlarge();
      onPick(row);
    };
    this.method = "pca";
    this.ranking = null;
    this.map = new ScatterMap({ onPick: this.onPick, onHover: (...spot) => this.hover(...spot), onView: () => this.list() });
    this.tip = el("div", { class: "tip", hidden: true });
    this.map.element.append(this.tip);
    this.words = el("p", { class: "quiet map-note", role: "status" }, "Drawing the map…");
    this.rows = el("ul", { class: "plain in-view" });
    this.details = el("details", { on: { toggle: () => this.list() } }, el("summary", {}, "Records in view, as a list"), this.goTo(), this.rows);
    this.controls = el("div", { class: "map-controls" });
    this.large = button("⤢", () => this.enlarge(), { class: "ghost icon", "aria-label": "Large map", "aria-pressed": "false", title: "Large map (m)" });
    this.element = el(
      "aside",
      { class: "side map-panel", "aria-label": "Map of all records" },
      el("section", { class: "panel" }, el("div", { class: "panel-head" }, el("h2", {}, "Map"), this.zoomButtons(), this.large), this.map.element, this.controls, this.words, this.details),
    );
    state.addEventListener("labels", () => this.colour());
    state.addEventListener("progress", () => this.colour());
    state.addEventListener("heard", ({ detail }) => detail.type === "ranking" && this.offerScores());
    document.addEventListener("rarefind:theme", () => this.map.recolour(), { signal });
    signal.addEventListener("abort", () => this.map.close());
    this.drawControls();
  }

  async load() {
    const started = performance.now();
    try {
      const { buffer, note } = await bytes(hunt(this.state.id, `/map?method=${this.method}`), { signal: this.signal });
      this.map.element.dataset.received = Math.round(performance.now() - started);
      this.map.setPoints(new Float32Array(buffer));
      this.map.paintNow();
      this.map.element.dataset.firstPaint = Math.round(performance.now() - started);
      this.words.textContent = note;
      if (!this.labelled) await this.state.loadLabels();
      this.labelled = true;
      this.colour();
      await this.offerScores();
    } catch (error) {
      if (!this.signal.aborted) this.words.textContent = error.message;
    }
  }

  /** Rankings made so far can colour the map. */
  async offerScores() {
    this.rankings = await get(hunt(this.state.id, "/rankings"), { signal: this.signal }).catch(() => []);
    this.drawControls();
  }

  drawControls() {
    const scores = (this.rankings ?? []).slice(-6).reverse().map((item) => ({ name: item.id, title: `score for ${item.target}` }));
    fill(
      this.controls,
      choice("Directions", METHODS, this.method, (name) => ((this.method = name), this.load()), { id: "map-method" }),
      choice("Colour", [{ name: "", title: "class" }, ...scores], this.ranking ?? "", (id) => this.showScores(id), { id: "map-colour" }),
    );
  }

  async showScores(id) {
    this.ranking = id || null;
    if (!id) return this.map.setScores(null);
    try {
      const { buffer } = await bytes(hunt(this.state.id, `/map/scores?ranking=${encodeURIComponent(id)}`), { signal: this.signal });
      this.map.setScores(new Float32Array(buffer));
    } catch (error) {
      if (!this.signal.aborted) this.words.textContent = error.message;
    }
  }

  colour() {
    const colours = new Map(this.state.classes.map((item) => [item.name, item.colour]));
    const rows = new Map();
    for (const [row, name] of this.state.labelOf) rows.set(row, colours.get(name) ?? 0);
    this.map.setLabels(rows);
  }

  ring(question) {
    const near = (question.neighbours ?? []).map((other) => ({ row: other.row, look: "near" }));
    this.map.setRings([...near, { row: question.row, look: "question" }]);
  }

  hover(row, x, y) {
    this.tip.hidden = row === null;
    if (row === null) return;
    fill(this.tip, `record ${row} · `, labelChip(this.state, this.state.labelOf.get(row)));
    this.tip.style.setProperty("--x", `${x}px`);
    this.tip.style.setProperty("--y", `${y}px`);
    this.tip.dataset.side = x > this.map.element.clientWidth / 2 ? "left" : "right";
  }

  zoomButtons() {
    const one = (text, words, act) => button(text, act, { class: "ghost icon", "aria-label": words, title: words });
    return el("div", { class: "zoom push" }, one("+", "Zoom in", () => this.map.zoomAt(1.6)), one("−", "Zoom out", () => this.map.zoomAt(1 / 1.6)), one("◱", "Show everything", () => this.map.reset()));
  }

  enlarge() {
    const large = this.element.classList.toggle("large");
    this.large.setAttribute("aria-pressed", String(large));
  }

  goTo() {
    const input = el("input", { type: "number", min: 0, max: this.state.view.n_records - 1, id: "go-to", required: true });
    const go = (event) => {
      event.preventDefault();
      this.onPick(Number(input.value));
      document.getElementById("main").focus({ preventScroll: true });
    };
    return el("form", { class: "go-to", on: { submit: go } }, el("label", { class: "field" }, el("span", {}, `Record number, 0 to ${count(this.state.view.n_records - 1)}`), input), el("button", {}, "Show"));
  }

  /** The records nearest to the middle of the view: the map for those who do not use it. */
  list() {
    if (!this.details?.open) return;
    fill(this.rows, this.map.inView(LISTED).map((row) => el("li", {}, button(`record ${row}`, () => this.onPick(row), { class: "link" }), " ", labelChip(this.state, this.state.labelOf.get(row)))));
  }
}

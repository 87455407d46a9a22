// The map with what it is drawn by: directions, colours, a tip that tells the record. Shared by the
// map beside the question and the page of its own.

import { bytes, get, hunt, post, sentence } from "../lib/api.js";
import { button, choice, el, fill } from "../lib/dom.js";
import { chip, labelChip } from "../hunt/chips.js";
import { drawStamp } from "../record/drawing.js";
import { Stamps } from "../record/stamps.js";
import { run } from "../hunt/job.js";
import { drawLegend } from "./legend.js";
import { ScatterMap } from "./scatter.js";
import { CategoryShades, ColumnShades, Scores } from "./scores.js";

/** @import { ColourColumn, FoundRecord, LegendView, RankingView } from "../lib/http.js" */
/** @import { HuntState } from "../hunt/state.js" */

const METHODS = [
  { name: "pca", title: "PCA" },
  { name: "lda", title: "LDA" },
  { name: "kernel-pca", title: "Kernel PCA" },
  { name: "umap", title: "UMAP" },
];
const ASIDE = ["kernel-pca", "umap"]; // drawn in the background, with progress
const OFFERED = 6; // rankings whose scores can be shown
const REST = 120; // milliseconds the pointer rests on a point before its record is told
const TOLD = 500; // records whose line is remembered

/**
 * @typedef {object} Listeners
 * @property {(row: number) => void} onPick
 * @property {() => void} [onView]
 * @property {(rows: Int32Array) => void} [onLasso]
 */

export class MapView {
  /**
   * @param {HuntState} state
   * @param {AbortSignal} signal
   * @param {Listeners} listeners
   */
  constructor(state, signal, { onPick, onView = () => {}, onLasso }) {
    this.state = state;
    this.signal = signal;
    this.method = "pca";
    this.colouring = ""; // "" for classes, "ranking:ID" or "column:NAME"
    this.labelled = false;
    this.drawing = new AbortController(); // of the map that is being drawn
    /** @type {RankingView[]} */
    this.rankings = [];
    /** @type {ColourColumn[]} */
    this.columns = [];
    /** @type {Map<number, {line: string, stamp: Element | null}>} */
    this.previews = new Map(); // what records are, in a line and as a small drawing
    this.stamps = new Stamps(state.id, signal);
    this.plain = false; // whether a record has shown that there is nothing to draw
    this.resting = 0;
    this.map = new ScatterMap({
      onPick,
      onHover: (row, x, y) => this.hover(row, x, y),
      onView,
      onLasso: onLasso ?? null,
    });
    this.tip = el("div", { class: "tip", hidden: true });
    this.map.element.append(this.tip);
    this.words = el("p", { class: "quiet map-note", role: "status" }, "Drawing the map…");
    this.legend = el("div", { class: "map-legend" });
    this.names = el("div", { class: "map-names" }); // of the classes, where nothing else lists them
    this.job = el("div", { class: "map-job" });
    this.controls = el("div", { class: "map-controls" });
    state.on("labels", () => this.colour());
    state.on("progress", () => this.colour());
    state.on("heard", (news) => news.type === "ranking" && this.offerColours());
    document.addEventListener("rarefind:theme", () => this.recolour(), { signal });
    signal.addEventListener("abort", () => this.map.close());
    this.drawControls();
  }

  async load() {
    const { method } = this;
    const started = performance.now();
    this.drawing.abort(); // a map that nobody waits for any more keeps nothing else waiting
    const drawing = (this.drawing = new AbortController());
    try {
      if (ASIDE.includes(method)) {
        const signal = AbortSignal.any([this.signal, drawing.signal]);
        const shown = { holder: this.job, name: "map", signal, deserted: true };
        await run(this.state.id, "/map", { method }, shown);
      }
      const address = hunt(this.state.id, `/map?method=${method}`);
      const { buffer, note } = await bytes(address, { signal: this.signal });
      if (method !== this.method) return; // another was chosen meanwhile
      const { dataset } = this.map.element;
      dataset.received = String(Math.round(performance.now() - started));
      dataset.method = method;
      this.map.setPoints(new Float32Array(buffer));
      this.map.paintNow();
      dataset.firstPaint = String(Math.round(performance.now() - started));
      this.words.textContent = note;
      if (!this.labelled) await this.state.loadLabels();
      this.labelled = true;
      this.colour();
      await this.offerColours();
    } catch (error) {
      if (!this.signal.aborted && !drawing.signal.aborted) this.keep(sentence(error));
    } finally {
      if (this.drawing === drawing) fill(this.job);
    }
  }

  /**
   * The map that is drawn stays, and is what the choice shows.
   * @param {string} words why there is no other
   */
  keep(words) {
    this.words.textContent = words;
    this.method = this.map.element.dataset.method ?? this.method;
    this.drawControls();
  }

  /** Rankings made so far, and columns, can colour the map. */
  async offerColours() {
    const { id } = this.state;
    try {
      [this.rankings, this.columns] = await Promise.all([
        get(hunt(id, "/rankings"), { signal: this.signal }),
        get(hunt(id, "/map/columns"), { signal: this.signal }),
      ]);
    } catch {
      return; // those already offered stay
    }
    this.drawControls();
  }

  drawControls() {
    const latest = this.rankings.slice(-OFFERED).reverse();
    const colours = [
      { name: "", title: "class" },
      ...latest.map((ranking) => ({
        name: `ranking:${ranking.id}`,
        title: scored(ranking, latest),
      })),
      ...this.columns.map(({ name }) => ({ name: `column:${name}`, title: name })),
    ];
    const turn = (/** @type {string} */ name) => {
      this.method = name;
      this.load();
    };
    const show = (/** @type {string} */ name) => this.colourBy(name);
    fill(
      this.controls,
      choice("Directions", METHODS, this.method, turn, { id: "map-method" }),
      choice("Colour", colours, this.colouring, show, { id: "map-colour" }),
    );
  }

  /** @param {string} name */
  async colourBy(name) {
    this.colouring = name;
    const [kind, rest] = [name.split(":")[0], name.slice(name.indexOf(":") + 1)];
    const about = encodeURIComponent(rest);
    const { id } = this.state;
    const { signal } = this;
    /** @type {LegendView | null} */
    let legend = null;
    /** @type {Scores | null} */
    let shades = null;
    try {
      if (kind === "ranking") {
        const { buffer } = await bytes(hunt(id, `/map/scores?ranking=${about}`), { signal });
        shades = new Scores(new Float32Array(buffer));
      } else if (kind === "column") {
        const { buffer } = await bytes(hunt(id, `/map/column?column=${about}`), { signal });
        /** @type {LegendView} */
        const told = await get(hunt(id, `/map/legend?column=${about}`), { signal });
        const values = new Float32Array(buffer);
        shades =
          told.kind === "category" ? new CategoryShades(values) : new ColumnShades(values, told);
        legend = told;
      }
    } catch (error) {
      if (!signal.aborted) this.words.textContent = sentence(error);
    }
    if (this.colouring !== name) return;
    this.map.setScores(shades);
    this.map.element.dataset.colour = name;
    this.told = legend;
    this.recolour();
    this.colour();
  }

  recolour() {
    this.map.recolour();
    const { scores, colours } = this.map;
    fill(this.legend, this.told && scores ? drawLegend(this.told, scores, colours) : null);
  }

  /** Labels lie above the crowd, unless a column colours it. */
  colour() {
    const colours = new Map(this.state.classes.map((item) => [item.name, item.colour]));
    const rows = new Map();
    const shown = !this.colouring.startsWith("column:");
    if (shown) for (const [row, name] of this.state.labelOf) rows.set(row, colours.get(name) ?? 0);
    this.map.setLabels(rows);
    const chips = this.state.classes.map((item) => el("li", {}, chip(item)));
    fill(this.names, shown && chips.length ? el("ul", { class: "plain" }, chips) : null);
  }

  /**
   * @param {number | null} row
   * @param {number} x
   * @param {number} y
   */
  hover(row, x, y) {
    this.tip.hidden = row === null;
    clearTimeout(this.resting);
    if (row === null) return;
    this.drawTip(row);
    this.tip.style.setProperty("--x", `${x}px`);
    this.tip.style.setProperty("--y", `${y}px`);
    const { clientWidth, clientHeight } = this.map.element;
    this.tip.dataset.side = x > clientWidth / 2 ? "left" : "right";
    this.tip.dataset.place = y > clientHeight / 2 ? "above" : "below";
    if (!this.previews.has(row)) this.resting = setTimeout(() => this.lookUp(row), REST);
  }

  /** @param {number} row */
  drawTip(row) {
    const { line, stamp } = this.previews.get(row) ?? { line: "", stamp: null };
    fill(
      this.tip,
      stamp,
      el("span", {}, `record ${row} · `, labelChip(this.state, this.state.labelOf.get(row))),
      line ? el("span", { class: "tip-line quiet" }, line) : null,
    );
  }

  /** @param {number} row */
  async lookUp(row) {
    try {
      const address = hunt(this.state.id, "/find/previews");
      /** @type {FoundRecord[]} */
      const [told] = await post(address, { rows: [row] }, { signal: this.signal });
      const record = this.plain ? null : await this.stamps.record(row);
      this.plain ||= !record?.payloads.length;
      if (this.previews.size > TOLD) this.previews.clear();
      this.previews.set(row, { line: told.summary, stamp: record && drawStamp(record) });
    } catch {
      return; // its number is told already
    }
    if (this.map.hovered === row) this.drawTip(row);
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
}

/**
 * The scores of a ranking by name, with model and time where there are others for its class.
 * @param {RankingView} ranking
 * @param {RankingView[]} all
 */
function scored({ target, model, created_at }, all) {
  const words = `score for ${target}`;
  if (all.filter((other) => other.target === target).length < 2) return words;
  const when = new Date(created_at * 1000).toLocaleTimeString([], { timeStyle: "medium" });
  return `${words} (${model}, ${when})`;
}

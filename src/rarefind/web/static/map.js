// The map of all records: a canvas that pans, zooms and can be picked from, up to a million points.

import { palette } from "./chips.js";
import { el } from "./dom.js";
import { Grid } from "./map_grid.js";
import { bestPoints, countPoints, densityTable, paint, scoreColour, scoreTable, widen } from "./map_raster.js";

const MOST_ZOOM = 4000;
const FEW = 6000;
const REACH = 12; // pixels around the pointer in which a point is found

/** Calls `onPick(row)` and `onHover(row | null, x, y)`. */
export class ScatterMap {
  constructor({ onPick, onHover, onView = () => {} }) {
    this.onPick = onPick;
    this.onHover = onHover;
    this.onView = onView;
    this.points = new Float32Array(0);
    this.labels = new Map();
    this.scores = null;
    this.rings = [];
    this.hovered = null;
    this.centre = [0, 0];
    this.zoom = 1;
    this.crowd = el("canvas", { class: "map-crowd" });
    this.over = el("canvas", { class: "map-over", tabindex: 0, role: "application", "aria-label": "Map of all records. Arrow keys move, plus and minus zoom, Home shows everything. The list below the map names the records in view." });
    this.element = el("div", { class: "map" }, this.crowd, this.over);
    this.pen = this.crowd.getContext("2d", { alpha: false });
    this.ink = this.over.getContext("2d");
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.element);
    this.listen();
    this.recolour();
  }

  close() {
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
  }

  setPoints(points) {
    this.points = points;
    this.grid = null;
    this.reset();
  }

  /** A Map from row to the number of its colour; drawn above the crowd. */
  setLabels(labels) {
    this.labels = labels;
    this.draw();
  }

  /** A number per row to colour by, or null. */
  setScores(scores) {
    this.scores = scores;
    // Among few points the highest scores are drawn last, on top.
    this.order = scores && scores.length <= FEW ? Array.from(scores.keys()).sort((a, b) => (scores[a] || -Infinity) - (scores[b] || -Infinity)) : null;
    if (scores) {
      // From the median to the top: the upper half is what a ranking is about.
      const sample = Float32Array.from({ length: Math.min(5000, scores.length) }, (_, index) => scores[Math.floor((index * scores.length) / Math.min(5000, scores.length))]).filter(Number.isFinite).sort();
      this.low = sample[Math.floor(sample.length * 0.5)] ?? 0;
      this.high = sample[sample.length - 1] ?? 1;
    }
    this.draw();
  }

  /** Rows to ring: [{row, look: "question" | "near" | "picked"}]. */
  setRings(rings) {
    this.rings = rings;
    this.drawOver();
  }

  recolour() {
    this.colours = palette();
    const { paper, crowd } = this.colours;
    // The fewer points a screen has, the darker each must be to be seen.
    this.densities = [0.3, 0.3, 0.4, 0.5].map((least) => densityTable(paper, crowd, least));
    this.ramp = scoreTable(this.colours);
    this.draw();
  }

  reset() {
    this.centre = [0, 0];
    this.zoom = 1;
    this.draw();
  }

  resize() {
    const box = this.element.getBoundingClientRect();
    this.ratio = Math.min(2, window.devicePixelRatio || 1);
    const [width, height] = [Math.max(1, Math.round(box.width * this.ratio)), Math.max(1, Math.round(box.height * this.ratio))];
    if (width === this.width && height === this.height) return;
    [this.width, this.height] = [width, height];
    for (const canvas of [this.crowd, this.over]) [canvas.width, canvas.height] = [width, height];
    this.image = this.pen.createImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.levels = new Uint8Array(width * height);
    this.wide = new Uint8Array(width * height);
    this.paintNow();
  }

  get view() {
    const scale = 0.47 * Math.min(this.width, this.height) * this.zoom;
    return { scale, left: this.width / 2 - this.centre[0] * scale, top: this.height / 2 + this.centre[1] * scale };
  }

  /** The place on the map under a point of the screen (CSS pixels inside the element). */
  placeOf(x, y) {
    const { scale, left, top } = this.view;
    return [(x * this.ratio - left) / scale, (top - y * this.ratio) / scale];
  }

  /** Where a row is drawn, in canvas pixels. */
  spot(row) {
    const { scale, left, top } = this.view;
    return [this.points[2 * row] * scale + left, top - this.points[2 * row + 1] * scale];
  }

  draw() {
    if (this.frame || !this.width) return;
    this.frame = requestAnimationFrame(() => this.paintNow());
  }

  paintNow() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (!this.width) return;
    const started = performance.now();
    const { width, height, points, view } = this;
    if (points.length / 2 <= FEW) this.drawFew();
    else {
      const { dot, scores, levels, wide } = this;
      if (scores) bestPoints(points, scores, this.low, this.high, view, width, height, levels);
      else countPoints(points, view, width, height, levels);
      if (dot > 1) widen(levels, width, height, dot, !scores, wide);
      paint(dot > 1 ? wide : levels, scores ? this.ramp : this.densities[Math.min(dot, 3)], this.pixels);
      this.pen.putImageData(this.image, 0, 0);
    }
    this.drawLabels();
    this.drawOver();
    if (points.length) {
      this.element.dataset.drawn = Math.round(performance.now() - started);
      this.element.dataset.points = points.length / 2;
      if (!this.grid) this.later = this.later ?? setTimeout(() => this.makeGrid(), 30);
    }
    this.onView();
  }

  /** A few thousand points are drawn as soft discs. */
  drawFew() {
    const { pen, points } = this;
    const { scale, left, top } = this.view;
    const radius = Math.min(4.5, 1.9 * Math.sqrt(this.zoom) ** 0.6 + 0.4) * this.ratio;
    pen.fillStyle = `rgb(${this.colours.paper.join(" ")})`;
    pen.fillRect(0, 0, this.width, this.height);
    pen.fillStyle = `rgb(${this.colours.crowd.join(" ")} / 0.5)`;
    for (const row of this.order ?? points.keys()) {
      if (2 * row >= points.length) break;
      const [x, y] = [points[2 * row] * scale + left, top - points[2 * row + 1] * scale];
      if (x < -9 || y < -9 || x > this.width + 9 || y > this.height + 9) continue;
      if (this.scores) pen.fillStyle = `rgb(${scoreColour(this.colours, this.share(row)).join(" ")})`;
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  /** Where the score of a row lies between the lowest and the highest that are told apart. */
  share(row) {
    return Math.max(0, Math.min(1, (this.scores[row] - this.low) / (this.high - this.low || 1))) || 0;
  }

  /** How wide a point is: the fewer are in view, the wider. */
  get dot() {
    const inView = pointsInView(this.points.length / 2, this.zoom);
    const size = inView > 200000 ? 1 : inView > 20000 ? 2 : inView > 3000 ? 3 : 4;
    return Math.round(size * Math.max(1, this.ratio * 0.75));
  }

  drawLabels() {
    const { pen } = this;
    const small = this.labels.size > 2000;
    const rare = Math.max(2, (small ? 2.5 : 4.5) * this.ratio);
    for (const ordinary of [true, false]) {
      for (const [row, colour] of this.labels) {
        if ((colour === 0) !== ordinary || 2 * row >= this.points.length) continue;
        const [x, y] = this.spot(row);
        if (x < -9 || y < -9 || x > this.width + 9 || y > this.height + 9) continue;
        pen.beginPath();
        pen.arc(x, y, ordinary ? rare * 0.72 : rare, 0, 2 * Math.PI);
        pen.fillStyle = `rgb(${this.colours.classes[colour].join(" ")})`;
        pen.fill();
        if (small) continue;
        pen.lineWidth = 1.25 * this.ratio;
        pen.strokeStyle = `rgb(${this.colours.paper.join(" ")})`;
        pen.stroke();
      }
    }
  }

  drawOver() {
    if (!this.width) return;
    const { ink, ratio } = this;
    ink.clearRect(0, 0, this.width, this.height);
    const ring = (row, radius, width, colour) => {
      if (2 * row >= this.points.length) return;
      const [x, y] = this.spot(row);
      for (const [extra, paint] of [[2.5, this.colours.paper], [0, colour]]) {
        ink.beginPath();
        ink.arc(x, y, radius * ratio, 0, 2 * Math.PI);
        ink.lineWidth = (width + extra) * ratio;
        ink.strokeStyle = `rgb(${paint.join(" ")})`;
        ink.stroke();
      }
    };
    for (const { row, look } of this.rings) if (look === "near") ring(row, 5, 1.25, this.colours.ink);
    for (const { row, look } of this.rings) if (look !== "near") ring(row, 8, 2.5, this.colours.accent);
    if (this.hovered !== null) ring(this.hovered, 6, 1.75, this.colours.ink);
  }

  makeGrid() {
    this.later = null;
    if (!this.grid) this.grid = new Grid(this.points);
    this.onView();
    return this.grid;
  }

  /** The rows nearest to the middle of what is seen. */
  inView(most) {
    if (!this.points.length || !this.width) return [];
    const { scale } = this.view;
    return (this.grid ?? this.makeGrid()).near(...this.centre, Math.min(this.width, this.height) / 2 / scale / (this.points.length > 100000 ? 8 : 1), most);
  }

  at(x, y) {
    if (!this.points.length) return null;
    const [place, reach] = [this.placeOf(x, y), (REACH * this.ratio) / this.view.scale];
    const grid = this.grid ?? this.makeGrid();
    return grid.near(...place, reach)[0] ?? null;
  }

  zoomAt(factor, x = this.width / this.ratio / 2, y = this.height / this.ratio / 2) {
    const before = this.placeOf(x, y);
    this.zoom = Math.min(MOST_ZOOM, Math.max(0.5, this.zoom * factor));
    const after = this.placeOf(x, y);
    this.centre = [this.centre[0] + before[0] - after[0], this.centre[1] + before[1] - after[1]];
    this.draw();
  }

  panBy(dx, dy) {
    const { scale } = this.view;
    this.centre = [this.centre[0] - (dx * this.ratio) / scale, this.centre[1] + (dy * this.ratio) / scale];
    this.draw();
  }

  hover(row, x = 0, y = 0) {
    if (row !== this.hovered) {
      this.hovered = row;
      this.drawOver();
    }
    this.onHover(row, x, y);
  }

  listen() {
    let drag = null;
    const spot = (event) => {
      const box = this.over.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.over.addEventListener("pointerdown", (event) => {
      drag = { at: spot(event), moved: 0 };
      this.over.setPointerCapture(event.pointerId);
    });
    this.over.addEventListener("pointermove", (event) => {
      const [x, y] = spot(event);
      if (drag) {
        const [dx, dy] = [x - drag.at[0], y - drag.at[1]];
        drag.moved += Math.abs(dx) + Math.abs(dy);
        drag.at = [x, y];
        if (drag.moved > 4) this.panBy(dx, dy);
      } else this.hover(this.at(x, y), x, y);
    });
    this.over.addEventListener("pointerup", (event) => {
      const picked = drag && drag.moved <= 4 ? this.at(...spot(event)) : null;
      drag = null;
      if (picked !== null) this.onPick(picked);
    });
    this.over.addEventListener("pointercancel", () => (drag = null));
    this.over.addEventListener("pointerleave", () => this.hover(null));
    this.over.addEventListener("wheel", (event) => this.wheel(event, spot(event)), { passive: false });
    this.over.addEventListener("keydown", (event) => this.press(event));
  }

  wheel(event, [x, y]) {
    // Where the page itself scrolls, a map in passing must not swallow the wheel.
    const scrolls = document.scrollingElement.scrollHeight > window.innerHeight + 4;
    if (scrolls && !event.ctrlKey && document.activeElement !== this.over) return;
    event.preventDefault();
    this.zoomAt(Math.exp(-event.deltaY * 0.0015), x, y);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 48;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (moves[event.key]) this.panBy(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoomAt(1.5);
    else if (event.key === "-") this.zoomAt(1 / 1.5);
    else if (event.key === "Home") this.reset();
    else return;
    event.preventDefault();
  }
}

/** Roughly how many of `n` points are seen at a zoom. */
const pointsInView = (n, zoom) => n / Math.max(1, zoom * zoom);

// The map of all records: a canvas that pans, zooms and can be picked from, up to a million points.

import { el, pen } from "../lib/dom.js";
import { palette } from "../hunt/chips.js";
import { Camera } from "./camera.js";
import { drawChosen, drawCrowd, drawLabels, drawRings } from "./discs.js";
import { Grid } from "./grid.js";
import { handle } from "./hands.js";
import { inside } from "./lasso.js";
import { Raster } from "./raster.js";

/** @import { Ring } from "./discs.js" */
/** @import { Scores } from "./scores.js" */

/**
 * What the map tells: a row that was picked, one under the pointer, another view.
 * @typedef {object} Listeners
 * @property {(row: number) => void} onPick
 * @property {(row: number | null, x: number, y: number) => void} onHover
 * @property {() => void} onView
 * @property {((rows: Int32Array) => void) | null} [onLasso] rows that a line was drawn around
 */

const FEW = 6000; // points that are drawn one by one
const REACH = 12; // CSS pixels around the pointer in which a point is found
const WORDS =
  "Map of all records. Arrow keys move, plus and minus zoom, Home shows everything. " +
  "The list below the map names the records in view.";

export class ScatterMap {
  /** @param {Listeners} listeners */
  constructor({ onPick, onHover, onView, onLasso = null }) {
    this.onPick = onPick;
    this.onHover = onHover;
    this.onView = onView;
    this.onLasso = onLasso;
    this.lassoing = false; // whether dragging draws a line instead of moving the map
    this.wheels = false; // whether the wheel is the map's own, also where the page scrolls
    this.all = new Float32Array(0); // x, y, x, y, … in −1…1
    this.points = this.all; // those that are shown
    /** @type {Int32Array | null} */
    this.shown = null; // the rows of those, null for all of them
    this.chosen = new Int32Array(0);
    /** @type {number[]} */
    this.line = []; // the corners of the lasso, x, y, x, y, …
    /** @type {Map<number, number>} */
    this.labels = new Map();
    /** @type {Scores | null} */
    this.scores = null;
    /** @type {Ring[]} */
    this.rings = [];
    /** @type {number | null} */
    this.hovered = null;
    /** @type {Grid | null} */
    this.grid = null;
    this.later = 0; // until the grid is made
    this.frame = 0; // until it is painted
    this.camera = new Camera();
    this.crowd = el("canvas", { class: "map-crowd" });
    const told = { tabindex: 0, role: "application", "aria-label": WORDS };
    this.over = el("canvas", { class: "map-over", ...told });
    this.element = el("div", { class: "map" }, this.crowd, this.over);
    this.colours = palette();
    this.raster = new Raster(pen(this.crowd, { alpha: false }), this.colours);
    this.ink = pen(this.over);
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.element);
    handle(this.over, this);
  }

  close() {
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
  }

  /** @param {Float32Array<ArrayBuffer>} points */
  setPoints(points) {
    this.all = points;
    this.line = [];
    this.show(this.shown);
    this.reset();
  }

  /**
   * Show these rows alone, or all.
   * @param {Int32Array | null} rows
   */
  show(rows) {
    this.shown = rows && rows.filter((row) => 2 * row < this.all.length);
    const places = this.shown;
    this.points = this.all;
    if (places) {
      this.points = new Float32Array(2 * places.length);
      places.forEach((row, at) =>
        this.points.set([this.all[2 * row], this.all[2 * row + 1]], 2 * at),
      );
    }
    this.grid = null;
    this.draw();
  }

  /** @param {Int32Array} rows */
  choose(rows) {
    this.chosen = rows.filter((row) => 2 * row < this.all.length);
    if (!rows.length) this.line = [];
    this.drawOver();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  beginLine(x, y) {
    this.line = [];
    this.drawLine(x, y);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  drawLine(x, y) {
    const place = this.camera.placeOf(x, y);
    this.line.push(place.x, place.y);
    this.drawOver();
  }

  endLine() {
    this.onLasso?.(this.rowsOf(inside(this.points, Float32Array.from(this.line))));
  }

  /** All rows that are in view. */
  seen() {
    const { camera, points } = this;
    const { scale, left, top } = camera.view;
    /** @type {number[]} */
    const found = [];
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = [points[at] * scale + left, top - points[at + 1] * scale];
      if (x >= 0 && y >= 0 && x < camera.width && y < camera.height) found.push(at >> 1);
    }
    return this.rowsOf(Int32Array.from(found));
  }

  /** @param {Int32Array} places among the points that are shown */
  rowsOf(places) {
    const { shown } = this;
    return shown ? places.map((place) => shown[place]) : places;
  }

  /**
   * The number of its colour for each row; drawn above the crowd.
   * @param {Map<number, number>} labels
   */
  setLabels(labels) {
    this.labels = labels;
    this.draw();
  }

  /**
   * What rows are coloured by, or null for how many there are.
   * @param {Scores | null} scores
   */
  setScores(scores) {
    this.scores = scores;
    this.draw();
  }

  /** @param {Ring[]} rings */
  setRings(rings) {
    this.rings = rings;
    this.drawOver();
  }

  recolour() {
    this.colours = palette();
    this.raster.recolour(this.colours);
    this.draw();
  }

  reset() {
    this.camera.reset();
    this.draw();
  }

  /**
   * @param {number} factor
   * @param {number} [x]
   * @param {number} [y]
   */
  zoomAt(factor, x, y) {
    this.camera.zoomAt(factor, x, y);
    this.draw();
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  panBy(dx, dy) {
    this.camera.panBy(dx, dy);
    this.draw();
  }

  resize() {
    if (!this.camera.resize(this.element.getBoundingClientRect())) return;
    const { width, height } = this.camera;
    for (const canvas of [this.crowd, this.over]) [canvas.width, canvas.height] = [width, height];
    this.raster.resize(width, height);
    this.paintNow();
  }

  draw() {
    if (this.frame || !this.camera.width) return;
    this.frame = requestAnimationFrame(() => this.paintNow());
  }

  paintNow() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { camera, colours, points, shown } = this;
    if (!camera.width) return;
    const started = performance.now();
    const scores = shown && this.scores ? this.scores.of(shown) : this.scores;
    const sheet = { pen: this.raster.pen, camera, points, colours };
    if (points.length / 2 <= FEW) drawCrowd(sheet, scores);
    else this.raster.paint(points, camera, scores);
    drawLabels({ ...sheet, points: this.all }, this.labelsShown());
    this.drawOver();
    if (this.all.length) {
      this.element.dataset.drawn = String(Math.round(performance.now() - started));
      this.element.dataset.points = String(points.length / 2);
      if (!this.grid && !this.later) this.later = setTimeout(() => this.makeGrid(), 30);
    }
    this.onView();
  }

  labelsShown() {
    if (!this.shown) return this.labels;
    const shown = new Set(this.shown);
    return new Map([...this.labels].filter(([row]) => shown.has(row)));
  }

  drawOver() {
    const { camera, colours } = this;
    if (!camera.width) return;
    const sheet = { pen: this.ink, camera, points: this.all, colours };
    this.ink.clearRect(0, 0, camera.width, camera.height);
    drawChosen(sheet, this.chosen, Float32Array.from(this.line));
    drawRings(sheet, this.rings, this.hovered);
  }

  makeGrid() {
    this.later = 0;
    this.grid ??= new Grid(this.points);
    this.onView();
    return this.grid;
  }

  /**
   * The rows nearest to the middle of what is seen.
   * @param {number} most
   */
  inView(most) {
    const { width, height, centre, view } = this.camera;
    if (!this.points.length || !width) return [];
    const reach = Math.min(width, height) / 2 / view.scale / (this.points.length > 100000 ? 8 : 1);
    const near = (this.grid ?? this.makeGrid()).near(centre.x, centre.y, reach, most);
    return [...this.rowsOf(Int32Array.from(near))];
  }

  /**
   * The row under a point of the screen.
   * @param {number} x
   * @param {number} y
   */
  at(x, y) {
    if (!this.points.length) return null;
    const place = this.camera.placeOf(x, y);
    const reach = (REACH * this.camera.ratio) / this.camera.view.scale;
    const near = (this.grid ?? this.makeGrid()).near(place.x, place.y, reach);
    return this.rowsOf(Int32Array.from(near))[0] ?? null;
  }

  /** @param {number | null} row */
  hover(row, x = 0, y = 0) {
    if (row !== this.hovered) {
      this.hovered = row;
      this.drawOver();
    }
    this.onHover(row, x, y);
  }
}

// Points drawn one by one: a small crowd, labelled records, rings around what is spoken of.

import { look } from "../hunt/chips.js";

/** @import { Shape } from "../hunt/chips.js" */
/** @import { Camera } from "./camera.js" */
/** @import { Colours, Rgb } from "./colours.js" */
/** @import { Scores } from "./scores.js" */

/** @typedef {{row: number, look: "question" | "near"}} Ring */

/**
 * What is drawn with, from where, of which points (x, y, x, y, …), in which colours.
 * @typedef {object} Sheet
 * @property {CanvasRenderingContext2D} pen
 * @property {Camera} camera
 * @property {Float32Array} points
 * @property {Colours} colours
 */

const MANY = 2000; // labels, from which on their discs are small and plain

/** @param {Rgb} colour */
const css = (colour, opacity = 1) => `rgb(${colour.join(" ")} / ${opacity})`;

/**
 * A few thousand points as soft discs; those with the highest scores last, on top.
 * @param {Sheet} sheet
 * @param {Scores | null} scores
 */
export function drawCrowd({ pen, camera, points, colours }, scores) {
  const { scale, left, top } = camera.view;
  const radius = Math.min(4.5, 1.9 * Math.sqrt(camera.zoom) ** 0.6 + 0.4) * camera.ratio;
  const n = points.length / 2;
  pen.fillStyle = css(colours.paper);
  pen.fillRect(0, 0, camera.width, camera.height);
  pen.fillStyle = css(colours.crowd, 0.5);
  for (const row of scores ? scores.lowestFirst : Array(n).keys()) {
    if (row >= n) continue;
    const [x, y] = [points[2 * row] * scale + left, top - points[2 * row + 1] * scale];
    if (!camera.sees(x, y)) continue;
    if (scores) pen.fillStyle = css(scores.colour(colours, row));
    disc(pen, x, y, radius);
  }
}

/**
 * Labelled records above the crowd, the rare ones above the ordinary.
 * @param {Sheet} sheet
 * @param {Map<number, number>} labels the number of the colour of each row
 */
export function drawLabels({ pen, camera, points, colours }, labels) {
  const { scale, left, top } = camera.view;
  const small = labels.size > MANY;
  const rare = Math.max(2, (small ? 2.5 : 4.5) * camera.ratio);
  pen.lineWidth = 1.25 * camera.ratio;
  pen.strokeStyle = css(colours.paper);
  for (const ordinary of [true, false]) {
    for (const [row, number] of labels) {
      const { colour, shape } = look(number);
      if ((colour === 0) !== ordinary || 2 * row >= points.length) continue;
      const [x, y] = [points[2 * row] * scale + left, top - points[2 * row + 1] * scale];
      if (!camera.sees(x, y)) continue;
      pen.fillStyle = css(colours.classes[colour]);
      mark(pen, x, y, ordinary ? rare * 0.72 : rare, shape);
      if (!small) pen.stroke();
    }
  }
}

/**
 * Rings around neighbours, around the question, and around what the pointer is on.
 * @param {Sheet} sheet
 * @param {Ring[]} rings
 * @param {number | null} hovered
 */
export function drawRings({ pen, camera, points, colours }, rings, hovered) {
  const { scale, left, top } = camera.view;
  const ring = (
    /** @type {number} */ row,
    /** @type {number} */ radius,
    /** @type {number} */ width,
    /** @type {Rgb} */ colour,
  ) => {
    if (2 * row >= points.length) return;
    const [x, y] = [points[2 * row] * scale + left, top - points[2 * row + 1] * scale];
    pen.beginPath();
    pen.arc(x, y, radius * camera.ratio, 0, 2 * Math.PI);
    pen.lineWidth = (width + 2.5) * camera.ratio;
    pen.strokeStyle = css(colours.paper);
    pen.stroke();
    pen.lineWidth = width * camera.ratio;
    pen.strokeStyle = css(colour);
    pen.stroke();
  };
  for (const { row, look } of rings) if (look === "near") ring(row, 5, 1.25, colours.ink);
  for (const { row, look } of rings) if (look !== "near") ring(row, 8, 2.5, colours.accent);
  if (hovered !== null) ring(hovered, 6, 1.75, colours.ink);
}

const MOST_MARKED = 40000; // chosen records that are marked one by one: of more, a part says it

/**
 * What is chosen, and the line around it (or the one being drawn).
 * @param {Sheet} sheet
 * @param {Int32Array} rows
 * @param {Float32Array} line places x, y, x, y, …
 */
export function drawChosen({ pen, camera, points, colours }, rows, line) {
  const { scale, left, top } = camera.view;
  const size = (rows.length > 5000 ? 2 : 4) * camera.ratio;
  const step = Math.max(1, Math.ceil(rows.length / MOST_MARKED));
  pen.fillStyle = css(colours.accent, 0.8);
  for (let at = 0; at < rows.length; at += step) {
    const [x, y] = [points[2 * rows[at]] * scale + left, top - points[2 * rows[at] + 1] * scale];
    if (camera.sees(x, y)) pen.fillRect(x - size / 2, y - size / 2, size, size);
  }
  if (line.length < 4) return;
  pen.beginPath();
  for (let at = 0; at < line.length; at += 2)
    pen.lineTo(line[at] * scale + left, top - line[at + 1] * scale);
  pen.closePath();
  pen.fillStyle = css(colours.accent, 0.08);
  pen.fill();
  pen.lineWidth = 1.5 * camera.ratio;
  pen.strokeStyle = css(colours.accent);
  pen.stroke();
}

/** @type {Record<Shape, [number, number][]>} */
const CORNERS = {
  circle: [],
  square: [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  diamond: [
    [0, -1.25],
    [1.25, 0],
    [0, 1.25],
    [-1.25, 0],
  ],
  triangle: [
    [0, -1.2],
    [1.15, 0.9],
    [-1.15, 0.9],
  ],
};

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {Shape} shape
 */
function mark(pen, x, y, radius, shape) {
  if (shape === "circle") {
    disc(pen, x, y, radius);
    return;
  }
  pen.beginPath();
  for (const [right, down] of CORNERS[shape]) pen.lineTo(x + right * radius, y + down * radius);
  pen.closePath();
  pen.fill();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function disc(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

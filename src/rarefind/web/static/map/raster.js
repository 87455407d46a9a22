// A crowd painted pixel by pixel into one image: how many points, or the best score, at each.

import { densityTable } from "./colours.js";

/** @import { Camera } from "./camera.js" */
/** @import { Colours } from "./colours.js" */
/** @import { Scores } from "./scores.js" */

/** @typedef {Camera["view"]} View */
/** @typedef {{values: Uint8Array, width: number, height: number}} Levels a byte for each pixel */

// How dark a single point is, by its width: the fewer a screen has, the darker, to be seen.
const LEAST = [0.3, 0.3, 0.4, 0.5];

export class Raster {
  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {Colours} colours
   */
  constructor(pen, colours) {
    this.pen = pen;
    this.screen = screen(pen, 1, 1);
    this.colours = colours;
    this.densities = densities(colours);
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.screen = screen(this.pen, width, height);
  }

  /** @param {Colours} colours */
  recolour(colours) {
    this.colours = colours;
    this.densities = densities(colours);
  }

  /**
   * @param {Float32Array} points
   * @param {Camera} camera
   * @param {Scores | null} scores
   */
  paint(points, camera, scores) {
    const { image, levels, wide, pixels } = this.screen;
    const dot = camera.dot(points.length / 2);
    if (scores) bestPoints(points, scores, camera.view, levels);
    else countPoints(points, camera.view, levels);
    if (dot > 1) widen(levels, dot, !scores, wide);
    const { values } = dot > 1 ? wide : levels;
    const table = scores
      ? scores.table(this.colours)
      : this.densities[Math.min(dot, LEAST.length - 1)];
    for (let at = 0; at < values.length; at += 1) pixels[at] = table[values[at]];
    this.pen.putImageData(image, 0, 0);
  }
}

/**
 * The image and its pixels, and room to count in.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} width
 * @param {number} height
 */
function screen(pen, width, height) {
  const image = pen.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const room = () => ({ values: new Uint8Array(width * height), width, height });
  return { image, pixels, levels: room(), wide: room() };
}

/** @param {Colours} colours */
const densities = (colours) => LEAST.map((least) => densityTable(colours, least));

/**
 * How many points each pixel has, 255 at most.
 * @param {Float32Array} points
 * @param {View} view
 * @param {Levels} levels
 */
function countPoints(points, { scale, left, top }, { values, width, height }) {
  values.fill(0);
  for (let index = 0; index < points.length; index += 2) {
    const x = (points[index] * scale + left) | 0;
    const y = (top - points[index + 1] * scale) | 0;
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const at = y * width + x;
    if (values[at] < 255) values[at] += 1;
  }
}

/**
 * The highest score at each pixel (NaN counts as nothing), as 1…255; 0 where no point is.
 * @param {Float32Array} points
 * @param {Scores} scores
 * @param {View} view
 * @param {Levels} levels
 */
function bestPoints(points, scores, { scale, left, top }, { values, width, height }) {
  values.fill(0);
  const { low, high } = scores;
  const step = 254 / (high - low || 1);
  for (let index = 0; index < points.length; index += 2) {
    const x = (points[index] * scale + left) | 0;
    const y = (top - points[index + 1] * scale) | 0;
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const score = scores.values[index >> 1];
    const level = 1 + Math.max(0, Math.min(254, (score - low) * step)) || 1;
    const at = y * width + x;
    if (level > values[at]) values[at] = level;
  }
}

/**
 * Widen every point to a dot of so many pixels: counts add up, of scores the highest stays.
 * @param {Levels} levels
 * @param {number} dot
 * @param {boolean} add
 * @param {Levels} wide
 */
function widen({ values, width, height }, dot, add, { values: wide }) {
  wide.fill(0);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const level = values[y * width + x];
      if (level === 0) continue;
      const right = Math.min(width, x + dot);
      for (let line = y; line < y + dot && line < height; line += 1) {
        for (let at = line * width + x; at < line * width + right; at += 1) {
          wide[at] = add ? Math.min(255, wide[at] + level) : Math.max(wide[at], level);
        }
      }
    }
  }
}

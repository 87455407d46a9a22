// A number for every record, and the colour that goes with it: a score, a column, or a category.

import { categoryColour, columnColour, scoreColour, shadeTable } from "./colours.js";

/** @import { Colours, Rgb } from "./colours.js" */

const SAMPLE = 5000; // scores looked at to find the range

/** Scores of a ranking: a low one is quiet, a high one stands out. */
export class Scores {
  /** @param {Float32Array} values by row; NaN where a record has none */
  constructor(values) {
    this.values = values;
    this.low = 0;
    this.high = 1;
    /** @type {number[] | null} */
    this.order = null;
    this.range();
  }

  range() {
    const { values } = this;
    const size = Math.min(SAMPLE, values.length);
    const spread = (/** @type {number} */ index) =>
      values[Math.floor((index * values.length) / size)];
    const sample = Float32Array.from({ length: size }, (_, index) => spread(index));
    const sorted = sample.filter(Number.isFinite).sort();
    // From the median to the top: the upper half is what a ranking is about.
    this.low = sorted[Math.floor(sorted.length * 0.5)] ?? 0;
    this.high = sorted[sorted.length - 1] ?? 1;
  }

  /**
   * The same for some of the records only.
   * @param {Int32Array} rows
   * @returns {Scores}
   */
  of(rows) {
    const part = Object.create(Object.getPrototypeOf(this));
    const values = Float32Array.from(rows, (row) => this.values[row]);
    return Object.assign(part, this, { values, order: null });
  }

  /**
   * From 0, the lowest that is told apart, to 1, the highest.
   * @param {number} row
   */
  share(row) {
    const share = (this.values[row] - this.low) / (this.high - this.low || 1);
    return Math.max(0, Math.min(1, share)) || 0;
  }

  /**
   * @param {Colours} colours
   * @param {number} row
   * @returns {Rgb}
   */
  colour(colours, row) {
    return this.tint(colours, this.share(row));
  }

  /**
   * @param {Colours} colours
   * @param {number} share from 0 to 1
   * @returns {Rgb}
   */
  tint(colours, share) {
    return scoreColour(colours, share);
  }

  /**
   * The colours of an image whose levels are shares, 0 being paper.
   * @param {Colours} colours
   */
  table(colours) {
    return shadeTable(colours, (level) => this.tint(colours, (level - 1) / 254));
  }

  /** The rows from the lowest score to the highest; sorted at the first use. */
  get lowestFirst() {
    const known = (/** @type {number} */ row) => this.values[row] || -Infinity;
    this.order ??= Array.from(this.values.keys()).sort((a, b) => known(a) - known(b));
    return this.order;
  }
}

/** A column of numbers or dates, between two values that are told apart. */
export class ColumnShades extends Scores {
  /**
   * @param {Float32Array} values
   * @param {{low: number, high: number}} legend
   */
  constructor(values, { low, high }) {
    super(values.map((value) => (value < low ? low : value)));
    const span = high - low || 1;
    this.low = low - span / 254; // the lowest level is left to gaps
    this.high = high;
  }

  /**
   * @param {Colours} colours
   * @param {number} share
   */
  tint(colours, share) {
    return share <= 0 ? colours.crowd : columnColour(colours, share);
  }
}

/** Categories, the most frequent first: rare ones are painted above the others. */
export class CategoryShades extends Scores {
  range() {
    this.low = -1; // the lowest level is left to gaps
    this.high = 253;
  }

  /**
   * @param {Colours} colours
   * @param {number} share
   */
  tint(colours, share) {
    const number = Math.round(share * 254) - 1;
    return number < 0 ? colours.crowd : categoryColour(colours, number);
  }
}

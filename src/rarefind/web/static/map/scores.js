// A score for every record, and where each lies between those that are told apart by colour.

const SAMPLE = 5000; // scores looked at to find the range

export class Scores {
  /** @param {Float32Array} values by row; NaN where a record has none */
  constructor(values) {
    this.values = values;
    const size = Math.min(SAMPLE, values.length);
    const spread = (/** @type {number} */ index) =>
      values[Math.floor((index * values.length) / size)];
    const sample = Float32Array.from({ length: size }, (_, index) => spread(index));
    const sorted = sample.filter(Number.isFinite).sort();
    // From the median to the top: the upper half is what a ranking is about.
    this.low = sorted[Math.floor(sorted.length * 0.5)] ?? 0;
    this.high = sorted[sorted.length - 1] ?? 1;
    /** @type {number[] | null} */
    this.order = null;
  }

  /**
   * From 0, the lowest that is told apart, to 1, the highest.
   * @param {number} row
   */
  share(row) {
    const share = (this.values[row] - this.low) / (this.high - this.low || 1);
    return Math.max(0, Math.min(1, share)) || 0;
  }

  /** The rows from the lowest score to the highest; sorted at the first use. */
  get lowestFirst() {
    const known = (/** @type {number} */ row) => this.values[row] || -Infinity;
    this.order ??= Array.from(this.values.keys()).sort((a, b) => known(a) - known(b));
    return this.order;
  }
}

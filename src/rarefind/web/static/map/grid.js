// Which point is nearest to the pointer: points sorted into the cells of a uniform grid.

export class Grid {
  /**
   * `points`: x, y, x, y, …
   * @param {Float32Array} points
   */
  constructor(points) {
    this.points = points;
    const n = points.length / 2;
    this.side = Math.max(1, Math.min(1024, Math.round(Math.sqrt(n / 2))));
    const starts = new Int32Array(this.side * this.side + 1);
    const cells = new Int32Array(n);
    for (let row = 0; row < n; row += 1) {
      cells[row] = this.cell(points[2 * row]) + this.side * this.cell(points[2 * row + 1]);
      starts[cells[row] + 1] += 1;
    }
    for (let cell = 0; cell < starts.length - 1; cell += 1) starts[cell + 1] += starts[cell];
    this.starts = starts.slice();
    this.rows = new Int32Array(n);
    for (let row = 0; row < n; row += 1) this.rows[starts[cells[row]]++] = row;
  }

  /** @param {number} value */
  cell(value) {
    const at = ((value + 1) * 0.5 * this.side) | 0;
    return at < 0 ? 0 : at >= this.side ? this.side - 1 : at;
  }

  /**
   * The rows within `radius` of a place, nearest first, at most `most` of them.
   * @param {number} x
   * @param {number} y
   * @param {number} radius
   */
  near(x, y, radius, most = 1) {
    /** @type {[number, number][]} */
    const found = [];
    const [x0, x1] = [this.cell(x - radius), this.cell(x + radius)];
    const [y0, y1] = [this.cell(y - radius), this.cell(y + radius)];
    const reach = radius * radius;
    for (let cy = y0; cy <= y1; cy += 1) {
      const [start, end] = [this.starts[cy * this.side + x0], this.starts[cy * this.side + x1 + 1]];
      for (let at = start; at < end; at += 1) {
        const row = this.rows[at];
        const distance = (this.points[2 * row] - x) ** 2 + (this.points[2 * row + 1] - y) ** 2;
        if (distance <= reach) found.push([distance, row]);
      }
    }
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return found.slice(0, most).map(([, row]) => row);
  }
}

// Where one looks at the map from: its middle, its zoom, and the size of the screen in pixels.

const MOST_ZOOM = 4000;
const LEAST_ZOOM = 0.5;
const MOST_RATIO = 2; // finer screens are drawn at this: nobody sees more, and everybody waits

/** Places on the map lie between −1 and 1, y upwards; pixels are those of the canvas. */
export class Camera {
  constructor() {
    this.width = 0;
    this.height = 0;
    this.ratio = 1; // canvas pixels for each CSS pixel
    this.centre = { x: 0, y: 0 };
    this.zoom = 1;
  }

  /**
   * Whether the canvas has another size now.
   * @param {DOMRect} box
   */
  resize(box) {
    this.ratio = Math.min(MOST_RATIO, window.devicePixelRatio || 1);
    const width = Math.max(1, Math.round(box.width * this.ratio));
    const height = Math.max(1, Math.round(box.height * this.ratio));
    if (width === this.width && height === this.height) return false;
    this.width = width;
    this.height = height;
    return true;
  }

  reset() {
    this.centre = { x: 0, y: 0 };
    this.zoom = 1;
  }

  /** From places to pixels: x · scale + left, top − y · scale. */
  get view() {
    const scale = 0.47 * Math.min(this.width, this.height) * this.zoom;
    const { x, y } = this.centre;
    return { scale, left: this.width / 2 - x * scale, top: this.height / 2 + y * scale };
  }

  /**
   * The place under a point of the screen (CSS pixels inside the element).
   * @param {number} x
   * @param {number} y
   */
  placeOf(x, y) {
    const { scale, left, top } = this.view;
    return { x: (x * this.ratio - left) / scale, y: (top - y * this.ratio) / scale };
  }

  /**
   * Zoom so that what is under the pointer stays there.
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  zoomAt(factor, x = this.width / this.ratio / 2, y = this.height / this.ratio / 2) {
    const before = this.placeOf(x, y);
    this.zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.zoom * factor));
    const after = this.placeOf(x, y);
    this.centre = {
      x: this.centre.x + before.x - after.x,
      y: this.centre.y + before.y - after.y,
    };
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  panBy(dx, dy) {
    const step = this.ratio / this.view.scale;
    this.centre = { x: this.centre.x - dx * step, y: this.centre.y + dy * step };
  }

  /**
   * Whether a disc at these pixels would be seen.
   * @param {number} x
   * @param {number} y
   */
  sees(x, y) {
    return x >= -9 && y >= -9 && x <= this.width + 9 && y <= this.height + 9;
  }

  /**
   * How wide one of `n` points is: the fewer are in view, the wider.
   * @param {number} n
   */
  dot(n) {
    const seen = n / Math.max(1, this.zoom * this.zoom);
    const size = seen > 200000 ? 1 : seen > 20000 ? 2 : seen > 3000 ? 3 : 4;
    return Math.round(size * Math.max(1, this.ratio * 0.75));
  }
}

// Small drawings of records in lists, fetched as their lines come into view.

import { get, hunt } from "../lib/api.js";
import { fill } from "../lib/dom.js";
import { drawStamp } from "./drawing.js";

/** @import { RecordView, Shown } from "../lib/http.js" */

export class Stamps {
  /**
   * @param {string} id of the hunt
   * @param {AbortSignal} signal
   * @param {(line: HTMLElement, record: RecordView) => void} [onDrawn]
   */
  constructor(id, signal, onDrawn = () => {}) {
    this.id = id;
    this.signal = signal;
    this.onDrawn = onDrawn;
    this.near = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        this.near.unobserve(target);
        if (target instanceof HTMLElement) this.draw(target).catch(() => {});
      }
    });
    signal.addEventListener("abort", () => this.near.disconnect());
  }

  /**
   * @param {Element} line with the number of its record as data, and a place for the stamp
   */
  watch(line) {
    this.near.observe(line);
  }

  /** @param {HTMLElement} line */
  async draw(line) {
    const record = await this.record(Number(line.dataset.row));
    const stamp = line.querySelector(".stamp-place");
    if (stamp) fill(stamp, drawStamp(record));
    this.onDrawn(line, record);
  }

  /** @param {number} row */
  async record(row) {
    /** @type {Shown} */
    const { record } = await get(hunt(this.id, `/records/${row}`), { signal: this.signal });
    return record;
  }
}

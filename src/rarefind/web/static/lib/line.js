// Whether the server can be reached: every request tells, and while it cannot it is looked for.

import { Teller } from "./teller.js";

const PAUSES = [500, 1000, 2000, 3000]; // milliseconds between two looks

/**
 * Events: "change" (the server is gone, or back).
 * @extends {Teller<{change: null}>}
 */
class Line extends Teller {
  constructor() {
    super();
    this.up = true;
    this.looks = 0;
    this.timer = 0;
    addEventListener("offline", () => this.lost());
    addEventListener("online", () => !this.up && this.look());
  }

  /** The server answered. */
  heard() {
    if (this.up) return;
    clearTimeout(this.timer);
    [this.up, this.looks] = [true, 0];
    this.tell("change", null);
  }

  /** The server did not answer. */
  lost() {
    if (!this.up) return;
    this.up = false;
    this.later();
    this.tell("change", null);
  }

  later() {
    clearTimeout(this.timer);
    const pause = PAUSES[Math.min(this.looks++, PAUSES.length - 1)];
    this.timer = setTimeout(() => this.look(), pause);
  }

  /** See whether the server answers; without an answer, again and again. */
  async look() {
    try {
      const answer = await fetch("/health", { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.statusText);
      this.heard();
    } catch {
      if (this.up) this.lost();
      else this.later();
    }
  }
}

export const line = new Line();

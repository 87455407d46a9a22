// Questions held for this person: the one shown, and the next one fetched ahead.

import { hunt, post } from "./api.js";
import { outbox } from "./outbox.js";

const MOST_AHEAD = 4;
const STALE = 10000; // a request sent before an answer arrived may bring its record back that long

/** Events: "change" (the first question is another), "empty" (nothing is left; detail: why). */
export class Questions extends EventTarget {
  constructor(id, signal) {
    super();
    this.id = id;
    this.signal = signal;
    this.queue = [];
    this.ahead = 2; // questions held: the older a question, the less its choice knew
    this.answered = new Map(); // row → when
    this.asking = null;
    this.again = false;
    outbox.addEventListener("kept", ({ detail }) => detail.entry.hunt === id && this.more(), { signal });
    this.renewal = setInterval(() => this.renew(), 20000);
    signal.addEventListener("abort", () => clearInterval(this.renewal));
  }

  get current() {
    return this.queue[0] ?? null;
  }

  /** Take the first question off: it has been answered. */
  next(row) {
    this.answered.set(row, Date.now());
    this.queue = this.queue.filter((question) => question.row !== row);
    // Whoever is faster than the server gets more ahead.
    if (!this.queue.length) this.ahead = Math.min(MOST_AHEAD, this.ahead + 1);
    // What was answered is held for us until it arrives; "kept" asks for more then.
    if (!outbox.waiting) this.more();
  }

  /** A question comes back (after undo). */
  back(question) {
    this.answered.delete(question.row);
    this.queue = [question, ...this.queue.filter((other) => other.row !== question.row)];
  }

  /** Somebody else answered it meanwhile. */
  drop(row) {
    this.queue = this.queue.filter((question, place) => place === 0 || question.row !== row);
    this.more();
  }

  /** Fill up; one request at a time. */
  more() {
    if (this.queue.length >= this.ahead) return;
    if (this.asking) this.again = true;
    else this.ask();
  }

  async ask() {
    this.again = false;
    try {
      this.asking = post(hunt(this.id, "/ask"), { count: this.ahead }, { signal: this.signal, timeout: 60000 });
      const { questions } = await this.asking;
      const before = this.current; // it may have been answered while we waited
      this.take(questions);
      if (!before && this.current) this.dispatchEvent(new Event("change"));
      this.wait = 0;
      // An answer on its way still holds its place with the server: ask again once it has arrived.
      if (!this.current && !outbox.waiting) this.retry(300);
    } catch (error) {
      if (this.signal.aborted) return;
      if (error.status === 409) this.dispatchEvent(new CustomEvent("empty", { detail: error.message }));
      else if (error.passing) this.retry(Math.min(3000, (this.wait = (this.wait || 200) * 1.6)));
      else this.dispatchEvent(new CustomEvent("empty", { detail: error.message }));
    } finally {
      this.asking = null;
    }
    if (this.again) this.more();
  }

  retry(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.more(), pause);
  }

  take(questions) {
    for (const question of questions) {
      const held = this.queue.find((other) => other.row === question.row);
      if (held) Object.assign(held, { lease: question.lease, expires_at: question.expires_at });
      else if (!this.justAnswered(question.row)) this.queue.push(question);
    }
  }

  justAnswered(row) {
    return outbox.holds(this.id, row) || Date.now() - (this.answered.get(row) ?? 0) < STALE;
  }

  /** Hold on to what is shown while somebody looks at the page. */
  renew() {
    const soon = Date.now() / 1000 + 60;
    if (document.hidden || this.asking || !this.current || this.current.expires_at > soon) return;
    this.ask();
  }
}

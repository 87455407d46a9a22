// Questions held for this person: the one shown, and the next one fetched ahead.

import { ApiError, hunt, post, sentence } from "../lib/api.js";
import { Teller } from "../lib/teller.js";
import { outbox } from "../hunt/outbox.js";

/** @import { QuestionAnswer, Questions, Shown } from "../lib/http.js" */

/**
 * A question, or a record somebody picked: then nobody holds it and there is no reason.
 * @typedef {Shown & {row: number, why: string, evidence: Record<string, number>}
 *   & {lease?: string, expires_at?: number, picked?: boolean}} Question
 */

const MOST_AHEAD = 4;
const STALE = 10000; // a request sent before an answer arrived may bring its record back that long

/**
 * Events: "change" (the first question is another), "empty" (nothing is left, and why).
 * @extends {Teller<{change: null, empty: string}>}
 */
export class Queue extends Teller {
  /**
   * @param {string} id
   * @param {AbortSignal} signal
   */
  constructor(id, signal) {
    super();
    this.id = id;
    this.signal = signal;
    /** @type {Question[]} */
    this.queue = [];
    this.ahead = 2; // questions held: the older a question, the less its choice knew
    /** @type {Map<number, number>} */
    this.answered = new Map(); // row → when
    this.asking = false;
    this.wait = 0; // before the next try, in milliseconds
    this.timer = 0;
    this.again = false;
    outbox.on("kept", ({ entry }) => entry.hunt === id && this.more(), signal);
    const renewal = setInterval(() => this.renew(), 20000);
    signal.addEventListener("abort", () => clearInterval(renewal));
  }

  get current() {
    return this.queue[0] ?? null;
  }

  /**
   * Take the first question off: it has been answered.
   * @param {number} row
   */
  next(row) {
    this.answered.set(row, Date.now());
    this.queue = this.queue.filter((question) => question.row !== row);
    // Whoever is faster than the server gets more ahead.
    if (!this.queue.length) this.ahead = Math.min(MOST_AHEAD, this.ahead + 1);
    // What was answered is held for us until it arrives; "kept" asks for more then.
    if (!outbox.waiting) this.more();
  }

  /**
   * A question comes back (after undo).
   * @param {Question} question
   */
  back(question) {
    this.answered.delete(question.row);
    this.queue = [question, ...this.queue.filter((other) => other.row !== question.row)];
  }

  /**
   * Somebody else answered it meanwhile.
   * @param {number} row
   */
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
    this.asking = true;
    try {
      const options = { signal: this.signal, timeout: 60000 };
      /** @type {Questions} */
      const { questions } = await post(hunt(this.id, "/ask"), { count: this.ahead }, options);
      const before = this.current; // it may have been answered while we waited
      this.take(questions);
      if (!before && this.current) this.tell("change", null);
      this.wait = 0;
      // An answer on its way still holds its place with the server: ask again once it has arrived.
      if (!this.current && !outbox.waiting) this.retry(300);
    } catch (error) {
      if (this.signal.aborted) return;
      if (error instanceof ApiError && error.passing) {
        this.wait = Math.min(3000, (this.wait || 200) * 1.6);
        this.retry(this.wait);
      } else this.tell("empty", sentence(error));
    } finally {
      this.asking = false;
    }
    if (this.again) this.more();
  }

  /** @param {number} pause */
  retry(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.more(), pause);
  }

  /** @param {QuestionAnswer[]} questions */
  take(questions) {
    for (const question of questions) {
      const held = this.queue.find((other) => other.row === question.row);
      if (held) Object.assign(held, { lease: question.lease, expires_at: question.expires_at });
      else if (!this.justAnswered(question.row)) this.queue.push(question);
    }
  }

  /** @param {number} row */
  justAnswered(row) {
    return outbox.holds(this.id, row) || Date.now() - (this.answered.get(row) ?? 0) < STALE;
  }

  /** Hold on to what is shown while somebody looks at the page. */
  renew() {
    const soon = Date.now() / 1000 + 60;
    const expires = this.current?.expires_at;
    if (document.hidden || this.asking || expires === undefined || expires > soon) return;
    this.ask();
  }
}

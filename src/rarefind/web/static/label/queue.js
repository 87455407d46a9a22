// Questions held for this person: the one shown, and the next one fetched ahead. Behind them lie
// others that nobody holds, for as long as the server cannot be reached.
//
// What is ahead was chosen before the last answer. So after each answer the server is asked whether
// it is still the best, and may give another in its place; only if that takes long is it shown as
// it is. What a person has seen stays, unless they take back the answer it followed on.

import { ApiError, hunt, post, sentence } from "../lib/api.js";
import { line } from "../lib/line.js";
import { Teller } from "../lib/teller.js";
import { outbox } from "../hunt/outbox.js";
import { Stock } from "./stock.js";

/** @import { QuestionAnswer, Questions, Shown } from "../lib/http.js" */

/**
 * A question, or a record somebody picked: then nobody holds it and there is no reason.
 * @typedef {Shown & {row: number, why: string, evidence: Record<string, number>,
 *   meanings: Record<string, string>}
 *   & {lease?: string, expires_at?: number, picked?: boolean, seen?: boolean}} Question
 */

const MOST_AHEAD = 4;
const PATIENCE = 3000; // so many milliseconds may pass until the server has heeded an answer
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
    this.settled = true; // whether what is ahead heeds every answer, or was waited for in vain
    this.turns = 0; // how often something was answered
    this.patience = 0; // the timer that ends the wait
    /** @type {Map<number, number>} */
    this.answered = new Map(); // row → when
    this.asking = false;
    this.wait = 0; // before the next try, in milliseconds
    this.timer = 0;
    this.again = false;
    this.stock = new Stock(id, signal, (row) => this.answered.has(row));
    line.on("change", () => (line.up ? this.more() : this.settle()), signal);
    outbox.on("kept", ({ entry }) => entry.hunt === id && this.more(), signal);
    outbox.on("change", () => outbox.failures && this.settle(), signal);
    const renewal = setInterval(() => this.renew(), 20000);
    signal.addEventListener("abort", () => {
      clearInterval(renewal);
      clearTimeout(this.patience);
    });
  }

  /** The question to show, which is then to be marked `seen`; none while the server thinks. */
  get current() {
    const [first] = this.queue;
    return first && (first.seen || this.settled) ? first : null;
  }

  /**
   * Take the first question off: it has been answered.
   * @param {number} row
   */
  next(row) {
    this.answered.set(row, Date.now());
    this.stock.older();
    this.queue = this.queue.filter((question) => question.row !== row);
    // Whoever is faster than the server gets more ahead.
    if (!this.queue.length) this.ahead = Math.min(MOST_AHEAD, this.ahead + 1);
    this.unsettle();
  }

  /** Something was said that the questions held do not heed yet. */
  unsettle() {
    this.turns += 1;
    this.settled = false;
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.settle(), outbox.failures ? 0 : PATIENCE);
    // What was answered is held for us until it arrives; "kept" asks for more then.
    if (!outbox.waiting) this.more();
  }

  /** Take what is ahead for the best there is. */
  settle() {
    clearTimeout(this.patience);
    const before = this.current;
    this.settled = true;
    // Without a server, what was fetched for that comes next.
    if (!this.queue.length && (!line.up || outbox.failures)) this.queue = this.stock.take();
    if (this.current !== before) this.tell("change", null);
  }

  /**
   * An answer is taken back, and its question comes again if we know it; all later ones are to be
   * chosen anew.
   * @param {Question} [question]
   */
  back(question) {
    for (const later of this.queue) later.seen = false;
    if (question) {
      this.answered.delete(question.row);
      this.queue = [question, ...this.queue.filter((other) => other.row !== question.row)];
    } else this.unsettle();
  }

  /**
   * Somebody else answered it meanwhile.
   * @param {number} row
   */
  drop(row) {
    this.stock.drop(row);
    this.queue = this.queue.filter((question) => question.seen || question.row !== row);
    this.more();
  }

  /** Fill up, and see whether what is ahead is still the best; one request at a time. */
  more() {
    if (this.settled && this.queue.length >= this.ahead) return;
    if (this.asking) this.again = true;
    else this.ask();
  }

  async ask() {
    this.again = false;
    this.asking = true;
    const { turns } = this;
    // Whoever comes back to the page sees the same questions.
    const seen = turns ? this.queue.flatMap((each) => (each.seen && each.lease) || []) : null;
    try {
      const options = { signal: this.signal, timeout: 60000 };
      /** @type {Questions} */
      const { questions } = await post(hunt(this.id, "/ask"), { count: this.ahead, seen }, options);
      const before = this.current; // it may have been answered while we waited
      this.take(questions);
      // What was answered meanwhile is not heeded yet.
      if (turns === this.turns && !outbox.waiting) this.settled = true;
      if (!before && this.current) this.tell("change", null);
      this.wait = 0;
      this.stock.fill();
      // An answer on its way still holds its place with the server: ask again once it has arrived.
      if (!this.current && this.settled && !outbox.waiting) this.retry(300);
    } catch (error) {
      if (this.signal.aborted) return;
      if (error instanceof ApiError && error.passing) {
        this.wait = Math.min(3000, (this.wait || 200) * 1.6);
        this.retry(this.wait);
        if (!line.up) this.settle();
      } else {
        this.take([]);
        this.settled = true;
        this.tell("empty", sentence(error));
      }
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

  /**
   * Keep what was seen; the server says what else is held for us.
   * @param {QuestionAnswer[]} questions
   */
  take(questions) {
    this.queue = this.queue.filter((question) => question.seen);
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

// Questions held for this person: the one shown, and the next one fetched ahead.
//
// What is ahead was chosen before the last answer. So after each answer the server is asked whether
// it is still the best, and may give another in its place; only if that takes long is it shown as
// it is. What a person has seen stays.

import { hunt, post } from "./api.js";
import { outbox } from "./outbox.js";

const MOST_AHEAD = 4;
const PATIENCE = 3000; // so many milliseconds may pass until the server has heeded an answer
const STALE = 10000; // a request sent before an answer arrived may bring its record back that long

/** Events: "change" (the first question is another), "empty" (nothing is left; detail: why). */
export class Questions extends EventTarget {
  constructor(id, signal) {
    super();
    this.id = id;
    this.signal = signal;
    this.queue = [];
    this.ahead = 2; // questions held: the older a question, the less its choice knew
    this.settled = true; // whether what is ahead heeds every answer, or was waited for in vain
    this.turns = 0; // how often something was answered
    this.answered = new Map(); // row → when
    this.asking = null;
    this.again = false;
    outbox.addEventListener("kept", ({ detail }) => detail.entry.hunt === id && this.more(), { signal });
    outbox.addEventListener("change", () => outbox.failures && this.settle(), { signal });
    this.renewal = setInterval(() => this.renew(), 20000);
    signal.addEventListener("abort", () => {
      clearInterval(this.renewal);
      clearTimeout(this.patience);
    });
  }

  /** The question to show; none while the server thinks about it. What is shown is to be marked `seen`. */
  get current() {
    const [first] = this.queue;
    return first && (first.seen || this.settled) ? first : null;
  }

  /** Take the first question off: it has been answered. */
  next(row) {
    this.answered.set(row, Date.now());
    this.queue = this.queue.filter((question) => question.row !== row);
    // Whoever is faster than the server gets more ahead.
    if (!this.queue.length) this.ahead = Math.min(MOST_AHEAD, this.ahead + 1);
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
    if (this.settled) return;
    const before = this.current;
    this.settled = true;
    if (this.current !== before) this.dispatchEvent(new Event("change"));
  }

  /** A question comes back (after undo). */
  back(question) {
    this.answered.delete(question.row);
    this.queue = [question, ...this.queue.filter((other) => other.row !== question.row)];
  }

  /** Somebody else answered it meanwhile. */
  drop(row) {
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
    const { turns } = this;
    try {
      const leases = this.queue.filter((question) => question.seen).map((question) => question.lease);
      const seen = this.turns ? leases : null; // whoever comes back to the page sees the same questions
      this.asking = post(hunt(this.id, "/ask"), { count: this.ahead, seen }, { signal: this.signal, timeout: 60000 });
      const { questions } = await this.asking;
      const before = this.current; // it may have been answered while we waited
      this.take(questions);
      if (turns === this.turns && !outbox.waiting) this.settled = true; // else an answer is not heeded yet
      if (!before && this.current) this.dispatchEvent(new Event("change"));
      this.wait = 0;
      // An answer on its way still holds its place with the server: ask again once it has arrived.
      if (!this.current && this.settled && !outbox.waiting) this.retry(300);
    } catch (error) {
      if (this.signal.aborted) return;
      if (error.status === 409) {
        this.take([]);
        this.settled = true;
        this.dispatchEvent(new CustomEvent("empty", { detail: error.message }));
      } else if (error.passing) this.retry(Math.min(3000, (this.wait = (this.wait || 200) * 1.6)));
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

  /** Keep what was seen; the server says what else is held for us. */
  take(questions) {
    this.queue = this.queue.filter((question) => question.seen);
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

// Questions for a time without a server: fetched while nothing else is to do, held by nobody.

import { hunt, post } from "../lib/api.js";
import { line } from "../lib/line.js";

/** @import { SpareQuestions } from "../lib/http.js" */
/** @import { Question } from "./queue.js" */

const SIZE = 24; // questions fetched
const ENOUGH = 22; // left before others are fetched: twenty answers are always at hand
const OFTEN = 5; // answers after which they are chosen anew, since they heed none of these
const QUIET = 1000; // milliseconds without an answer in which to fetch them

export class Stock {
  /**
   * @param {string} id
   * @param {AbortSignal} signal
   * @param {(row: number) => boolean} answered
   */
  constructor(id, signal, answered) {
    this.id = id;
    this.signal = signal;
    this.answered = answered;
    /** @type {Question[]} */
    this.questions = [];
    /** @type {HTMLImageElement[]} */
    this.pictures = []; // of these questions: a browser draws again what somebody still holds
    this.answers = SIZE; // given since they were chosen
    this.asking = false;
    this.timer = 0;
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  get left() {
    return this.questions.filter((question) => !this.answered(question.row));
  }

  /** An answer was given that they do not heed. */
  older() {
    this.answers += 1;
    clearTimeout(this.timer);
  }

  /** @param {number} row */
  drop(row) {
    this.questions = this.questions.filter((question) => question.row !== row);
  }

  /**
   * The next one, if there is any.
   * @returns {Question[]}
   */
  take() {
    this.questions = this.left;
    return this.questions.splice(0, 1);
  }

  /** Fetch others where it is time: at once if they are old, else when a person pauses. */
  fill() {
    const due = this.answers >= OFTEN || (this.answers && this.left.length < ENOUGH);
    if (!due || this.asking) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetch(), this.answers >= 2 * OFTEN ? 0 : QUIET);
  }

  async fetch() {
    if (!line.up) return;
    this.asking = true;
    const before = this.answers;
    try {
      const address = hunt(this.id, "/spares");
      const options = { signal: this.signal, timeout: 60000 };
      /** @type {SpareQuestions} */
      const { questions } = await post(address, { count: SIZE }, options);
      this.questions = questions;
      this.pictures = questions.flatMap(picturesOf);
      this.answers -= before;
    } catch {
      // They are for bad times; the next answer asks for them again.
    } finally {
      this.asking = false;
    }
  }
}

/** @param {Question} question */
const picturesOf = ({ record }) =>
  record.payloads.filter((payload) => payload.address).map((payload) => fetched(payload.address));

/** @param {string} address */
function fetched(address) {
  const picture = new Image();
  picture.src = address;
  return picture;
}

// The harvest of a class: a few records at a time, ranked again after each round, with a forecast.

import { sentence } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { panel } from "../lib/layout.js";
import { note } from "../lib/notes.js";
import { counted } from "../lib/words.js";
import { run } from "../hunt/job.js";
import { outbox } from "../hunt/outbox.js";

/** @import { HuntState } from "../hunt/state.js" */

/** @typedef {{row: number, score: number, chance: number | null, summary: string}} Look */

/**
 * What the server says of a round.
 * @typedef {object} Round
 * @property {string} target
 * @property {Look[]} looks
 * @property {number} found
 * @property {number} looked
 * @property {string} words the forecast
 * @property {string | null} ended why it is over
 */

const ABOUT =
  "The most likely records, ten at a time: after each round all others are ranked again, " +
  "and it says how many are probably left.";

export class Harvest {
  /**
   * @param {HuntState} state
   * @param {AbortSignal} signal
   * @param {(round: Round, number: number) => void} onRound
   * @param {() => void} onLeft
   */
  constructor(state, signal, onRound, onLeft) {
    this.state = state;
    this.signal = signal;
    this.onRound = onRound;
    this.target = "";
    this.model = "auto";
    this.number = 0; // of the round
    /** @type {Set<number>} */
    this.open = new Set(); // records of this round without an answer
    this.due = false; // whether the next round waits for answers on their way
    this.words = el("div", {}, el("p", { class: "quiet" }, ABOUT));
    this.working = el("div", {});
    this.start = button("Harvest", () => {}, { id: "harvest" });
    const leave = () => {
      this.stop();
      onLeft();
    };
    this.leave = button("Leave the harvest", leave, { class: "ghost", id: "leave-harvest" });
    this.leave.hidden = true;
    const buttons = el("div", { class: "row" }, this.start, this.leave);
    this.element = panel("Harvest", this.words, this.working, buttons);
    outbox.on("kept", () => this.due && !outbox.waiting && this.round(), signal);
    state.on("labels", () => this.settle(), signal);
  }

  get active() {
    return this.number > 0;
  }

  /**
   * @param {string} target
   * @param {string} model
   */
  async begin(target, model) {
    [this.target, this.model, this.number] = [target, model, 0];
    await this.round();
  }

  stop() {
    this.number = 0;
    this.due = false;
    this.leave.hidden = true;
    fill(this.words, el("p", { class: "quiet" }, ABOUT));
  }

  async round() {
    this.due = false;
    this.start.disabled = true;
    const settings = { target: this.target, model: this.model };
    const shown = { holder: this.working, name: "harvest", signal: this.signal };
    try {
      /** @type {Round} */
      const round = await run(this.state.id, "/harvest", settings, shown);
      this.number += 1;
      this.leave.hidden = false;
      this.open = new Set(round.looks.map((look) => look.row));
      this.draw(round);
      this.onRound(round, this.number);
    } catch (error) {
      if (!this.signal.aborted) note(sentence(error), "bad");
    } finally {
      fill(this.working);
      this.start.disabled = false;
    }
    this.settle();
  }

  /** @param {Round} round */
  draw({ found, looked, words, ended, target }) {
    fill(
      this.words,
      el(
        "p",
        {},
        el("b", {}, `${counted(found, "record")} of ${target} found`),
        looked ? ` in ${counted(looked, "look")}.` : " before this harvest.",
      ),
      el("p", { id: "forecast" }, words),
      ended && ended !== words ? el("p", { class: "quiet" }, ended) : null,
    );
  }

  /** Once somebody answered the last record of the round, all others are ranked again. */
  settle() {
    const open = this.open.size;
    for (const row of this.open) if (this.state.labelOf.has(row)) this.open.delete(row);
    if (!this.active || !open || this.open.size) return;
    if (outbox.waiting) this.due = true;
    else this.round();
  }
}

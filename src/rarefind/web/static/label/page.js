// The label page: one question in the middle, answered with one key.

import { get, hunt, sentence } from "../lib/api.js";
import { el, fill } from "../lib/dom.js";
import { onKeys } from "../lib/keys.js";
import { note, say } from "../lib/notes.js";
import { showHelp } from "../frame/help.js";
import { opened } from "../hunt/opening.js";
import { outbox } from "../hunt/outbox.js";
import { MapPanel } from "../map/panel.js";
import { isTable } from "../record/drawing.js";
import { Answers } from "./answers.js";
import { ProgressPanel } from "./progress.js";
import { drawQuestion, drawSearch } from "./question.js";
import { Queue } from "./queue.js";

/** @import { Shown } from "../lib/http.js" */
/** @import { News } from "../hunt/live.js" */
/** @import { Place } from "../hunt/opening.js" */
/** @import { Entry } from "../hunt/outbox.js" */
/** @import { HuntState } from "../hunt/state.js" */
/** @import { Question } from "./queue.js" */
/** @typedef {{id: string, question: Question | null, was: string | null, adds: number}} Done */

const MOST_DONE = 200; // answers whose questions are kept; of earlier ones the server knows
const FEW = 10; // fields that leave room for everything else

/** @param {Place} place */
export async function show(place) {
  new LabelPage(place, await opened(place, { asked: true }));
}

class LabelPage {
  /**
   * @param {Place} place
   * @param {HuntState} state
   */
  constructor({ root, id, row, signal }, state) {
    this.id = id;
    this.signal = signal;
    this.state = state;
    this.root = root;
    /** @type {Done[]} */
    this.done = []; // what this page answered last, for undo
    /** @type {Question | null} */
    this.picked = null; // a record chosen on the map instead of the question
    this.over = ""; // why nothing is left to ask
    this.pressed = 0; // when the last key was
    this.slow = 0;
    this.questions = new Queue(id, signal);
    this.card = el("article", {
      class: "card question",
      id: "question",
      "aria-label": "The question",
    });
    this.answers = new Answers(state, {
      onLabel: (name) => this.answer(name),
      onSkip: () => this.skip(),
      onUndo: () => this.undo(),
    });
    this.progress = new ProgressPanel(state, (row) => this.pick(row));
    this.map = new MapPanel(state, signal, (row) => this.pick(row));
    fill(
      root,
      el("h1", { class: "only-spoken" }, `Label ${state.view.name}`),
      el("div", { class: "middle" }, this.card, this.answers.element),
      this.progress.element,
      this.map.element,
    );
    this.listen();
    this.draw();
    this.questions.more();
    if (row !== null) this.pick(row);
    // The question first: the map may be large.
    this.map.load();
  }

  listen() {
    const { signal } = this;
    onKeys(signal, (name, event) => this.press(name, event));
    this.questions.on("change", () => !this.picked && this.draw());
    this.questions.on("empty", (reason) => {
      this.over = reason;
      if (!this.questions.current && !this.picked) this.draw();
    });
    this.state.on("heard", (news) => this.hear(news));
    this.state.on("renamed", (id) => this.keep({ id, question: null, was: null, adds: 0 }));
    outbox.on("refused", ({ entry }) => entry.hunt === this.id && this.refused(entry), signal);
  }

  /**
   * What the server refused is asked again, before anything else.
   * @param {Entry} entry
   */
  refused({ id, kind, row }) {
    const action = this.done.find((each) => each.id === id);
    this.done = this.done.filter((each) => each !== action);
    this.state.soon(0, true);
    if (row !== undefined) {
      if (kind === "label") this.state.setLabel(row, action?.was ?? null);
      this.questions.answered.delete(row);
    }
    if (action?.question) this.bring(action.question);
    this.questions.more();
  }

  /**
   * @param {string} name
   * @param {KeyboardEvent} event
   */
  press(name, event) {
    this.pressed = event.timeStamp;
    if (name === "?") showHelp("label");
    else if (name === "n") this.answers.ask();
    else if (name === "s") this.skip();
    else if (name === "u") this.undo();
    else if (name === "m") this.map.enlarge();
    else if (name === "Escape" && this.picked) this.unpick();
    else {
      const item = this.state.classes.find((candidate) => candidate.key === name);
      if (!item) return false;
      this.answer(item.name);
    }
    return true;
  }

  get shown() {
    return this.picked ?? this.questions.current;
  }

  /** @param {string} label */
  answer(label) {
    const question = this.shown;
    if (!question) return;
    const isNew = !this.state.names.includes(label);
    const { row, picked } = question;
    const was = this.state.labelOf.get(row) ?? null;
    const adds = was === null ? 1 : 0;
    const { id } = outbox.add("label", this.id, { row, label, asked: !picked, adds });
    this.keep({ id, question, was, adds });
    this.progress.given(adds);
    this.state.setLabel(row, label);
    this.forward(question, `Record ${row} is ${label}.`);
    if (isNew) note(`A new class: ${label}`);
  }

  skip() {
    const question = this.shown;
    if (!question) return;
    const { id } = outbox.add("skip", this.id, { row: question.row });
    this.keep({ id, question, was: null, adds: 0 });
    this.forward(question, `Record ${question.row} is skipped.`);
  }

  /** @param {Done} action */
  keep(action) {
    this.done = [...this.done, action].slice(-MOST_DONE);
  }

  /**
   * @param {Question} question
   * @param {string} words
   */
  forward(question, words) {
    this.picked = null;
    this.questions.next(question.row);
    this.draw();
    say(words);
  }

  undo() {
    let last = this.done.pop();
    while (last && outbox.undone.has(last.id)) last = this.done.pop();
    const adds = -(last?.adds ?? 0);
    outbox.add("undo", this.id, { target: last?.id ?? null, adds });
    this.progress.given(adds);
    this.state.labelsStale = true;
    if (last && !last.question) {
      note("The class has its earlier name again.");
    } else if (!last?.question) {
      this.questions.back();
      this.draw();
      note("Your last answer before those that this page keeps is taken back.");
    } else {
      this.state.setLabel(last.question.row, last.was);
      this.bring(last.question);
      say(`Your answer about record ${last.question.row} is taken back.`);
    }
  }

  /**
   * Show a record again that was answered.
   * @param {Question} question
   */
  bring(question) {
    this.picked = question.picked ? question : null;
    if (!question.picked) this.questions.back(question);
    this.draw();
  }

  /** @param {number} row */
  async pick(row) {
    if (this.questions.current?.row === row) {
      this.unpick();
      return;
    }
    try {
      const address = hunt(this.id, `/records/${row}`);
      /** @type {Shown} */
      const { record, neighbours } = await get(address, { signal: this.signal });
      // Whoever comes from another page sees what the record is called so far.
      if (!this.state.labelOf.size) await this.state.loadLabels();
      this.picked = { row, record, neighbours, why: "", evidence: {}, meanings: {}, picked: true };
      this.draw();
      say(`Record ${row} is shown.`);
    } catch (error) {
      if (!this.signal.aborted) note(sentence(error), "bad");
    }
  }

  unpick() {
    this.picked = null;
    this.draw();
  }

  /** @param {News} event */
  hear(event) {
    const mine = event.annotator === this.state.annotator;
    if (event.type !== "label" || mine || typeof event.row !== "number") return;
    const current = this.questions.current;
    if (current?.row === event.row)
      note(`${event.annotator} has just said that this record is ${event.value}.`);
    else if ((this.state.view.settings.overlap ?? 1) <= 1) this.questions.drop(event.row);
  }

  draw() {
    const question = this.shown;
    clearTimeout(this.slow);
    this.answers.able(Boolean(question));
    if (question || this.over) this.card.style.minHeight = "";
    if (question) {
      this.over = "";
      // A wide table needs the room beside it.
      const wide = isTable(question.record) && question.record.fields.length > FEW;
      this.root.dataset.wide = wide ? "yes" : "no";
      fill(
        this.card,
        drawQuestion(question, this.state, {
          onPick: (row) => this.pick(row),
          onBack: question.picked && this.questions.current ? () => this.unpick() : null,
          signal: this.signal,
        }),
      );
      question.seen = true;
      if (this.card.dataset.row !== String(question.row)) this.toTop();
      this.card.dataset.row = String(question.row);
      this.card.dataset.picked = question.picked ? "yes" : "no";
      this.map.ring(question);
      // From key to question, in milliseconds: what the tests hold us to.
      const took = Math.round(performance.now() - this.pressed);
      if (this.pressed) this.card.dataset.took = String(took);
      this.pressed = 0;
      return;
    }
    delete this.card.dataset.row;
    if (this.over) fill(this.card, this.drawOver());
    // Most questions are there at once: only a slow one shows that it is being looked for.
    else this.slow = setTimeout(() => this.search(), 250);
  }

  /** The answers stay where they are meanwhile, under the pointer. */
  search() {
    this.card.style.minHeight = `${this.card.getBoundingClientRect().height}px`;
    fill(this.card, drawSearch());
  }

  /** Every record is read from its beginning. */
  toTop() {
    this.card.scrollTop = 0;
    if (this.card.getBoundingClientRect().top < 0) this.card.scrollIntoView();
  }

  drawOver() {
    const href = `#/hunt/${encodeURIComponent(this.id)}/rank`;
    return el(
      "div",
      { class: "nothing" },
      el("h2", {}, "Nothing left to ask"),
      el("p", {}, this.over),
      el("p", {}, el("a", { class: "button", href }, "Rank all records")),
    );
  }
}

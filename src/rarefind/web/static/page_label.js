// The label page: one question in the middle, answered with one key.

import { get, hunt } from "./api.js";
import { Answers } from "./label_answers.js";
import { MapPanel } from "./label_map.js";
import { ProgressPanel } from "./label_progress.js";
import { drawQuestion } from "./label_question.js";
import { el, fill, note, say } from "./dom.js";
import { showHelp } from "./help.js";
import { onKeys } from "./keys.js";
import { opened } from "./opening.js";
import { outbox } from "./outbox.js";
import { Questions } from "./questions.js";

export async function show(context) {
  const state = await opened(context);
  new LabelPage(context, state);
}

class LabelPage {
  constructor({ root, id, row, signal }, state) {
    Object.assign(this, { id, signal, state });
    this.done = []; // what this page answered, for undo
    this.picked = null; // a record chosen on the map instead of the question
    this.questions = new Questions(id, signal);
    this.card = el("article", { class: "card question", id: "question", "aria-label": "The question" });
    this.answers = new Answers(state, { onLabel: (name) => this.answer(name), onSkip: () => this.skip(), onUndo: () => this.undo() });
    this.progress = new ProgressPanel(state, (row) => this.pick(row));
    this.map = new MapPanel(state, signal, (row) => this.pick(row));
    fill(root, el("h1", { class: "only-spoken" }, `Label ${state.view.name}`), el("div", { class: "middle" }, this.card, this.answers.element), this.progress.element, this.map.element);
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
    this.questions.addEventListener("change", () => !this.picked && this.draw());
    this.questions.addEventListener("empty", ({ detail }) => {
      this.over = detail;
      if (!this.questions.current && !this.picked) this.draw();
    });
    this.state.addEventListener("heard", ({ detail }) => this.hear(detail));
    outbox.addEventListener("refused", ({ detail: { entry } }) => {
      if (entry.hunt !== this.id) return;
      this.done = this.done.filter((action) => action.id !== entry.id);
      if (entry.kind === "label") this.state.setLabel(entry.row, null);
      this.state.soon(0, true);
      this.questions.answered.delete(entry.row);
      this.questions.more();
    }, { signal });
  }

  press(name, event) {
    this.pressed = event.timeStamp;
    if (name === "?") showHelp("label");
    else if (name === "n") this.answers.ask();
    else if (name === "s") this.skip();
    else if (name === "u") this.undo();
    else if (name === "m") this.map.enlarge();
    else if (name === "Escape" && this.picked) this.unpick();
    else if (/^[0-9]$/.test(name)) {
      const item = this.state.classes.find((candidate) => candidate.key === name);
      if (!item) return false;
      this.answer(item.name);
    } else return false;
    return true;
  }

  get shown() {
    return this.picked ?? this.questions.current;
  }

  answer(label) {
    const question = this.shown;
    if (!question) return;
    const isNew = !this.state.names.includes(label);
    const was = this.state.labelOf.get(question.row) ?? null;
    const { id } = outbox.add("label", this.id, { row: question.row, label, asked: !question.picked });
    this.done.push({ id, question, label, was });
    this.state.setLabel(question.row, label);
    this.forward(question, `Record ${question.row} is ${label}.`);
    if (isNew) note(`A new class: ${label}`);
  }

  skip() {
    const question = this.shown;
    if (!question) return;
    const { id } = outbox.add("skip", this.id, { row: question.row });
    this.done.push({ id, question, label: null, was: null });
    this.forward(question, `Record ${question.row} is skipped.`);
  }

  forward(question, words) {
    this.picked = null;
    this.progress.given();
    this.questions.next(question.row);
    this.draw();
    say(words);
  }

  undo() {
    const last = this.done.pop();
    outbox.add("undo", this.id, { target: last?.id ?? null });
    this.state.labelsStale = true;
    if (!last) {
      note("Your last answer before this page was opened is taken back.");
      return;
    }
    this.state.setLabel(last.question.row, last.was);
    if (last.question.picked) this.picked = last.question;
    else {
      this.picked = null;
      this.questions.back(last.question);
    }
    this.draw();
    say(`Your answer about record ${last.question.row} is taken back.`);
  }

  async pick(row) {
    if (this.questions.current?.row === row) {
      this.unpick();
      return;
    }
    try {
      const { record, neighbours } = await get(hunt(this.id, `/records/${row}`), { signal: this.signal });
      this.picked = { row, record, neighbours, why: "", evidence: {}, picked: true };
      this.draw();
      say(`Record ${row} is shown.`);
    } catch (error) {
      if (!this.signal.aborted) note(error.message, "bad");
    }
  }

  unpick() {
    this.picked = null;
    this.draw();
  }

  hear(event) {
    const mine = event.annotator === this.state.annotator;
    if (event.type !== "label" || mine || !Number.isInteger(event.row)) return;
    const current = this.questions.current;
    if (current?.row === event.row) note(`${event.annotator} has just said that this record is ${event.label ?? event.value}.`);
    else if ((this.state.view.settings?.overlap ?? 1) <= 1) this.questions.drop(event.row);
  }

  draw() {
    const question = this.shown;
    clearTimeout(this.slow);
    this.answers.able(Boolean(question));
    if (question) {
      this.over = null;
      question.seen = true;
      fill(this.card, drawQuestion(question, this.state, { onPick: (row) => this.pick(row), onBack: question.picked && this.questions.current ? () => this.unpick() : null, signal: this.signal }));
      this.card.dataset.row = question.row;
      this.card.dataset.picked = question.picked ? "yes" : "no";
      this.map.ring(question);
      // From key to question, in milliseconds: what the tests hold us to.
      if (this.pressed) this.card.dataset.took = Math.round(performance.now() - this.pressed);
      this.pressed = 0;
      return;
    }
    delete this.card.dataset.row;
    if (this.over) {
      fill(this.card, el("div", { class: "nothing" }, el("h2", {}, "Nothing left to ask"), el("p", {}, this.over), el("p", {}, el("a", { class: "button", href: `#/hunt/${encodeURIComponent(this.id)}/rank` }, "Rank all records"))));
    } else {
      // Most questions are there at once: only a slow one shows that it is being looked for.
      this.slow = setTimeout(() => fill(this.card, el("div", { class: "nothing", "aria-busy": "true" }, el("p", { class: "quiet" }, "Looking for the next question…"), el("progress", { "aria-label": "Looking for the next question" }))), 250);
    }
  }
}

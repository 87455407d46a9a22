// The record chosen in the ranking: what it is, what votes for it, and the answer.

import { get, hunt, sentence } from "../lib/api.js";
import { button, el, fill, key } from "../lib/dom.js";
import { note } from "../lib/notes.js";
import { answerButton } from "../hunt/chips.js";
import { ClassForm } from "../hunt/class_form.js";
import { drawRecord, isDrawn } from "../record/drawing.js";
import { drawVotes } from "./votes.js";

/** @import { Shown, Reason } from "../lib/http.js" */
/** @import { Item } from "./list.js" */
/** @import { HuntState } from "../hunt/state.js" */

/**
 * What a person can say about it; `onDrawn` when records turn out to be pictures.
 * @typedef {object} Actions
 * @property {() => void} onConfirm
 * @property {() => void} onReject
 * @property {(name: string) => void} onLabel
 * @property {() => void} onUndo
 * @property {() => void} onDrawn
 */

export class RankDetail {
  /**
   * @param {HuntState} state
   * @param {AbortSignal} signal
   * @param {Actions} actions
   */
  constructor(state, signal, actions) {
    this.state = state;
    this.signal = signal;
    this.actions = actions;
    /** @type {Item | null} */
    this.item = null;
    this.target = "";
    this.which = false; // whether it is asked which other class it is
    /** @type {string | null} */
    this.no = null; // what it is if it is not of the class: the ordinary class, if that is one
    this.record = el("div", {});
    this.votes = el("div", {});
    this.answers = el("div", { class: "rank-answers" });
    this.form = new ClassForm(state, {
      onName: (name) => actions.onLabel(name),
      onClose: () => {},
    });
    this.body = el(
      "div",
      { class: "rank-body", tabindex: 0, role: "region", "aria-label": "The record" },
      el("div", { class: "card" }, this.record),
      this.votes,
    );
    // On a phone the record is a sheet that can be put down.
    this.toggle = button("", () => this.open(this.element.dataset.open !== "yes"), {
      class: "ghost sheet-toggle",
      id: "sheet",
    });
    this.element = el(
      "section",
      { class: "rank-detail", "aria-label": "The record chosen", hidden: true },
      this.toggle,
      this.body,
      this.answers,
    );
    this.open(false);
  }

  /** @param {boolean} yes */
  open(yes) {
    this.element.dataset.open = yes ? "yes" : "no";
    this.toggle.setAttribute("aria-expanded", String(yes));
    this.drawToggle();
  }

  drawToggle() {
    const words = this.item ? `record ${this.item.row}: is it ${this.target}?` : "the record";
    const arrow = this.element.dataset.open === "yes" ? "▾ Hide" : "▴ Show";
    this.toggle.textContent = `${arrow} ${words}`;
  }

  hide() {
    this.item = null;
    this.element.hidden = true;
  }

  /**
   * @param {Item} item
   * @param {string} target
   * @param {string | null} ranking of which the votes are shown
   */
  async show(item, target, ranking) {
    this.item = item;
    this.target = target;
    this.element.hidden = false;
    this.which = false;
    this.form.element.hidden = true;
    this.drawAnswers();
    this.drawToggle();
    const { signal } = this;
    const { id } = this.state;
    const { row } = item;
    try {
      /** @type {Shown} */
      const { record } = await get(hunt(id, `/records/${row}`), { signal });
      if (item !== this.item) return;
      const drawn = isDrawn(record);
      if (drawn) this.actions.onDrawn();
      fill(
        this.record,
        el(
          "header",
          { class: "question-head" },
          el("h2", {}, `Is it ${target}?`),
          el("span", { class: "quiet" }, `record ${row}`),
        ),
        drawRecord(record),
      );
      this.body.scrollTop = 0;
      this.element.dataset.row = String(row);
      fill(this.votes);
      if (ranking === null) return;
      const address = `/rankings/${encodeURIComponent(ranking)}/votes/${row}`;
      /** @type {Reason} */
      const votes = await get(hunt(id, address), { signal });
      if (item === this.item) fill(this.votes, drawVotes(votes, this.state, { drawn, signal }));
    } catch (error) {
      if (!signal.aborted && item === this.item) note(sentence(error), "bad");
    }
  }

  drawAnswers() {
    const { onConfirm, onReject, onUndo } = this.actions;
    const yes = [key("y"), `Yes, ${this.target}`];
    const others = this.state.classes.filter((item) => item.name !== this.target);
    const ordinary = others.filter((item) => item.ordinary);
    this.no = ordinary.length === 1 ? ordinary[0].name : null;
    const no = this.no === null ? "No: what is it?" : `No: it is ${this.no}`;
    const more = this.no !== null && !this.which;
    fill(
      this.answers,
      el(
        "div",
        { class: "row" },
        button(yes, onConfirm, { class: "primary", id: "confirm" }),
        button([key("x"), no], onReject, { id: "reject" }),
        more ? button("Another class…", () => this.askWhich(), { id: "another" }) : null,
        button([key("u"), "Undo"], onUndo, { class: "ghost push" }),
      ),
      this.which ? this.others() : null,
      this.form.element,
    );
  }

  others() {
    const others = this.state.classes.filter((item) => item.name !== this.target);
    const answers = others.map((item) => answerButton(item, () => this.actions.onLabel(item.name)));
    return el(
      "div",
      { role: "status" },
      el("p", { class: "quiet" }, "Which class is it then? Press its key."),
      el("div", { class: "answer-buttons" }, answers),
      el(
        "div",
        { class: "row" },
        button([key("n"), "New class"], () => this.askName(), { class: "ghost", id: "new-class" }),
        button([key("Esc"), "Back"], () => this.leave(), { class: "ghost push" }),
      ),
    );
  }

  askWhich() {
    if (!this.item) return;
    this.which = true;
    this.drawAnswers();
  }

  /** The question was not meant: only yes and no are asked again. */
  leave() {
    this.which = false;
    this.drawAnswers();
  }

  /** A record may be of a class nobody has seen yet: its name is typed. */
  askName() {
    if (!this.item) return;
    this.askWhich();
    this.form.open();
  }
}

// The answers: a button and a key for every class.

import { button, el, fill, key } from "../lib/dom.js";
import { answerButton } from "../hunt/chips.js";
import { ClassForm } from "../hunt/class_form.js";

/** @import { HuntState } from "../hunt/state.js" */

/**
 * What a person may say.
 * @typedef {object} Actions
 * @property {(name: string) => void} onLabel
 * @property {() => void} onSkip
 * @property {() => void} onUndo
 */

export class Answers {
  /**
   * @param {HuntState} state
   * @param {Actions} actions
   */
  constructor(state, { onLabel, onSkip, onUndo }) {
    this.state = state;
    this.onLabel = onLabel;
    this.buttons = el("div", { class: "answer-buttons" });
    /** @type {string | null} */
    this.drawn = null; // what the buttons show
    this.form = new ClassForm(state, {
      onName: (name) => onLabel(name),
      onClose: () => (this.actions.hidden = false),
    });
    this.actions = el(
      "div",
      { class: "answer-actions" },
      button([key("n"), "New class"], () => this.ask(), { id: "new-class", class: "ghost" }),
      button([key("s"), "Skip"], onSkip, { id: "skip-it", class: "ghost" }),
      button([key("u"), "Undo"], onUndo, { id: "undo", class: "ghost" }),
    );
    this.element = el(
      "div",
      { class: "card answers", role: "group", "aria-label": "Your answer" },
      this.buttons,
      this.form.element,
      this.actions,
    );
    state.on("progress", () => this.draw());
    state.on("labels", () => this.draw());
    this.draw();
  }

  /** @param {boolean} yes */
  able(yes) {
    this.element.dataset.able = yes ? "yes" : "no";
  }

  draw() {
    const classes = this.state.classes;
    const drawn = classes.map((item) => `${item.name}|${item.colour}|${item.key}`).join("\n");
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    if (!classes.length)
      fill(
        this.buttons,
        el(
          "p",
          { class: "quiet first-hint" },
          "No class has a name yet. Press New class",
          el("span", { class: "by-key" }, " (", key("n"), ")"),
          " and say what this is: the ordinary kind is a class too.",
        ),
      );
    else
      fill(
        this.buttons,
        classes.map((item) => answerButton(item, () => this.onLabel(item.name))),
      );
  }

  ask() {
    if (this.element.dataset.able === "no") return;
    this.actions.hidden = true;
    this.form.open();
  }
}

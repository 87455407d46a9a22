// The answers: a button and a key for every class, and a name for a new one.

import { button, el, fill, key, part } from "../lib/dom.js";
import { folded, mistyped } from "../lib/words.js";
import { answerButton } from "../hunt/chips.js";

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
    this.drawn = "";
    this.input = this.makeInput();
    this.hint = el("p", { id: "class-hint", class: "quiet", role: "status" });
    this.form = this.makeForm();
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
      this.form,
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
    const drawn = classes.map((item) => `${item.name}|${item.colour}`).join("\n");
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    if (!classes.length)
      fill(
        this.buttons,
        el(
          "p",
          { class: "quiet first-hint" },
          "No class has a name yet. Press ",
          key("n"),
          " and say what this is: the ordinary kind is a class too.",
        ),
      );
    else
      fill(
        this.buttons,
        classes.map((item) => answerButton(item, () => this.onLabel(item.name))),
      );
  }

  makeInput() {
    return el("input", {
      id: "class-name",
      maxlength: 200,
      autocomplete: "off",
      placeholder: "Name of the class",
      "aria-describedby": "class-hint",
      on: {
        input: () => this.match(),
        keydown: (/** @type {KeyboardEvent} */ event) =>
          event.key === "Escape" && this.close(event),
      },
    });
  }

  makeForm() {
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const typed = this.input.value.trim();
      if (!typed) return;
      this.use(this.same(typed) ?? typed);
    };
    return el(
      "form",
      { class: "class-form", hidden: true, on: { submit } },
      el("label", { class: "field grow" }, el("span", {}, "What is it?"), this.input),
      el("button", { class: "primary" }, "Use this name"),
      button("Cancel", () => this.close()),
      this.hint,
    );
  }

  ask() {
    if (this.element.dataset.able === "no") return;
    this.form.hidden = false;
    this.actions.hidden = true;
    this.input.value = "";
    this.match();
    this.input.focus();
  }

  /** @param {string} typed */
  same(typed) {
    return (
      this.state.names.find((name) => name === typed) ??
      this.state.names.find((name) => folded(name) === folded(typed))
    );
  }

  match() {
    const typed = folded(this.input.value);
    const alike = typed
      ? this.state.names.filter((name) => folded(name).includes(typed)).slice(0, 5)
      : [];
    const same = typed && this.same(this.input.value.trim());
    const meant = !same && !alike.length && mistyped(typed, this.state.names);
    if (same) fill(this.hint, `${same} is a class already: this record joins it.`);
    else if (meant)
      fill(
        this.hint,
        "Did you mean ",
        button(meant, () => this.use(meant), { class: "link", id: "meant" }),
        "? Enter keeps it as you typed it.",
      );
    else if (alike.length) fill(this.hint, `Similar: ${alike.join(", ")}`);
    else fill(this.hint, "Enter keeps it, Escape goes back.");
  }

  /** @param {string} name */
  use(name) {
    this.close();
    this.onLabel(name);
  }

  /** @param {Event} [event] */
  close(event) {
    event?.preventDefault();
    event?.stopPropagation();
    this.form.hidden = true;
    this.actions.hidden = false;
    this.input.blur();
    part("main").focus({ preventScroll: true });
  }
}

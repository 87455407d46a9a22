// The answers: a button and a key for every class, and a name for a new one.

import { answerButton } from "./chips.js";
import { button, el, fill, key } from "./dom.js";

export class Answers {
  constructor(state, { onLabel, onSkip, onUndo }) {
    this.state = state;
    this.onLabel = onLabel;
    this.buttons = el("div", { class: "answer-buttons" });
    this.form = this.makeForm();
    this.actions = el(
      "div",
      { class: "answer-actions" },
      button([key("n"), "New class"], () => this.ask(), { id: "new-class", class: "ghost" }),
      button([key("s"), "Skip"], onSkip, { id: "skip-it", class: "ghost" }),
      button([key("u"), "Undo"], onUndo, { id: "undo", class: "ghost" }),
    );
    this.element = el("div", { class: "card answers", role: "group", "aria-label": "Your answer" }, this.buttons, this.form, this.actions);
    state.addEventListener("progress", () => this.draw());
    state.addEventListener("labels", () => this.draw());
    this.draw();
  }

  able(yes) {
    this.element.dataset.able = yes ? "yes" : "no";
  }

  draw() {
    const classes = this.state.classes;
    const drawn = classes.map((item) => `${item.name}|${item.colour}`).join("\n");
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    if (!classes.length) fill(this.buttons, el("p", { class: "quiet first-hint" }, "No class has a name yet. Press ", key("n"), " and say what this is: the ordinary kind is a class too."));
    else fill(this.buttons, classes.map((item) => answerButton(item, () => this.onLabel(item.name))));
  }

  makeForm() {
    this.input = el("input", { id: "class-name", maxlength: 200, autocomplete: "off", placeholder: "Name of the class", "aria-describedby": "class-hint", on: { input: () => this.match(), keydown: (event) => event.key === "Escape" && this.close(event) } });
    this.hint = el("p", { id: "class-hint", class: "quiet", role: "status" });
    const submit = (event) => {
      event.preventDefault();
      const typed = this.input.value.trim();
      if (!typed) return;
      const same = this.state.names.find((name) => name.toLowerCase() === typed.toLowerCase());
      this.close();
      this.onLabel(same ?? typed);
    };
    return el("form", { class: "class-form", hidden: true, on: { submit } }, el("label", { class: "field grow" }, el("span", {}, "What is it?"), this.input), el("button", { class: "primary" }, "Use this name"), button("Cancel", () => this.close()), this.hint);
  }

  ask() {
    if (this.element.dataset.able === "no") return;
    this.form.hidden = false;
    this.actions.hidden = true;
    this.input.value = "";
    this.match();
    this.input.focus();
  }

  match() {
    const typed = this.input.value.trim().toLowerCase();
    const alike = typed ? this.state.names.filter((name) => name.toLowerCase().includes(typed)).slice(0, 5) : [];
    const same = alike.find((name) => name.toLowerCase() === typed);
    this.hint.textContent = same ? `${same} is a class already: this record joins it.` : alike.length ? `Similar: ${alike.join(", ")}` : "Enter keeps it, Escape goes back.";
  }

  close(event = null) {
    event?.preventDefault();
    event?.stopPropagation();
    this.form.hidden = true;
    this.actions.hidden = false;
    this.input.blur();
    document.getElementById("main").focus({ preventScroll: true });
  }
}

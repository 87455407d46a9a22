// The name of a class, typed: it completes to a class there is, unless a new one is asked for.

import { button, el, fill, part } from "../lib/dom.js";
import { folded, mistyped } from "../lib/words.js";
import { begunClass, offer, sameClass } from "./naming.js";

/** @import { HuntState } from "./state.js" */

const SHOWN = 5; // names alike

export class ClassForm {
  /**
   * @param {HuntState} state
   * @param {{onName: (name: string) => void, onClose: () => void}} actions
   */
  constructor(state, { onName, onClose }) {
    this.state = state;
    this.onName = onName;
    this.onClose = onClose;
    this.hint = el("p", { id: "class-hint", class: "quiet", role: "status" });
    this.input = el("input", {
      id: "class-name",
      maxlength: 200,
      autocomplete: "off",
      placeholder: "Name of the class",
      "aria-describedby": "class-hint",
      on: {
        input: () => this.match(),
        keydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
      },
    });
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      if (this.typed) this.use(this.meant ?? this.typed);
    };
    this.element = el(
      "form",
      { class: "class-form", hidden: true, on: { submit } },
      el("label", { class: "field grow" }, el("span", {}, "What is it?"), this.input),
      el("button", { class: "primary" }, "Use this name"),
      button("Cancel", () => this.close()),
      this.hint,
    );
  }

  get typed() {
    return this.input.value.trim();
  }

  open() {
    this.element.hidden = false;
    this.input.value = "";
    this.match();
    this.input.focus();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key === "Escape") this.close(event);
    if (event.key === "Enter" && event.shiftKey && this.typed) {
      event.preventDefault();
      this.use(this.same ?? this.typed);
    }
  }

  get same() {
    return sameClass(this.state.names, this.typed);
  }

  get begun() {
    return begunClass(this.state.names, this.typed);
  }

  get meant() {
    return this.same ?? this.begun;
  }

  match() {
    const { same, begun, typed } = this;
    const alike = this.state.names.filter((name) => folded(name).includes(folded(typed)));
    const slip = typed && !alike.length && mistyped(folded(typed), this.state.names);
    if (typed && same) fill(this.hint, `${same} is a class already: this record joins it.`);
    else if (begun)
      fill(
        this.hint,
        offer(begun, typed, (name) => this.use(name)),
      );
    else if (slip)
      fill(
        this.hint,
        "Did you mean ",
        button(slip, () => this.use(slip), { class: "link", id: "meant" }),
        "? Enter keeps it as you typed it.",
      );
    else if (typed && alike.length)
      fill(this.hint, `Enter keeps it. Similar: ${alike.slice(0, SHOWN).join(", ")}`);
    else fill(this.hint, "Enter keeps it, Escape goes back.");
  }

  /** @param {string} name */
  use(name) {
    this.close();
    this.onName(name);
  }

  /** @param {Event} [event] */
  close(event) {
    event?.preventDefault();
    event?.stopPropagation();
    this.element.hidden = true;
    this.onClose();
    this.input.blur();
    part("main").focus({ preventScroll: true });
  }
}

// A class for many records at once: one step, undone as one.

import { button, el, fill } from "../lib/dom.js";
import { note } from "../lib/notes.js";
import { count, counted } from "../lib/words.js";
import { begunClass, offer, sameClass } from "../hunt/naming.js";
import { outbox } from "../hunt/outbox.js";

/** @import { HuntState } from "../hunt/state.js" */

const MOST = 10000; // records of one step, as the server has it

export class ManyBar {
  /**
   * @param {HuntState} state
   * @param {() => number[]} chosen
   */
  constructor(state, chosen) {
    this.state = state;
    this.chosen = chosen;
    this.names = el("datalist", { id: "class-names" });
    this.input = el("input", {
      id: "many-class",
      list: "class-names",
      maxlength: 200,
      required: true,
      autocomplete: "off",
      placeholder: "Name of the class",
      on: {
        input: () => this.draw(),
        keydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
      },
    });
    this.keep = el("input", { type: "checkbox", id: "keep-labels", checked: true });
    this.keep.addEventListener("change", () => this.draw());
    this.act = el("button", { class: "primary", id: "label-many" });
    this.kept = el("label", { class: "row check" }, this.keep, el("span", {}));
    this.words = el("p", { class: "quiet", role: "status" });
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.label(this.same ?? this.begun ?? this.typed);
    };
    this.element = el(
      "form",
      { class: "many", on: { submit } },
      el("label", { class: "field grow" }, el("span", {}, "All chosen are"), this.input),
      this.names,
      this.act,
      button("Undo", () => this.undo(), { class: "ghost", id: "undo-many" }),
      this.kept,
      this.words,
    );
    state.on("labels", () => this.draw());
    state.on("progress", () => this.draw());
    this.draw();
  }

  get typed() {
    return this.input.value.trim();
  }

  get same() {
    return sameClass(this.state.names, this.typed);
  }

  get begun() {
    return begunClass(this.state.names, this.typed);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key === "Escape") this.input.blur(); // once more lets all go
    if (event.key !== "Enter" || !event.shiftKey) return;
    event.preventDefault();
    this.label(this.same ?? this.typed);
  }

  /** The rows that would get the class. */
  get meant() {
    const rows = this.chosen();
    return this.keep.checked ? rows.filter((row) => !this.state.labelOf.has(row)) : rows;
  }

  draw() {
    const rows = this.chosen();
    const labelled = rows.filter((row) => this.state.labelOf.has(row)).length;
    const meant = this.keep.checked ? rows.length - labelled : rows.length;
    const options = this.state.classes.map(({ name }) => el("option", { value: name }));
    fill(this.names, options);
    fill(this.act, `Label ${counted(meant, "record")}`);
    this.act.disabled = meant === 0 || meant > MOST;
    this.element.hidden = rows.length === 0;
    fill(
      this.kept.lastElementChild ?? this.kept,
      `Leave the ${count(labelled)} labelled as they are`,
    );
    this.kept.hidden = labelled === 0;
    const begun = this.same ? undefined : this.begun;
    if (meant > MOST)
      fill(this.words, `${count(MOST)} records can be labelled in one step: choose fewer.`);
    else fill(this.words, begun ? offer(begun, this.typed, (name) => this.label(name)) : null);
  }

  /** @param {string} name */
  label(name) {
    const rows = this.meant;
    if (!name || !rows.length || rows.length > MOST) return;
    this.input.value = name;
    const { id } = this.state;
    const adds = rows.filter((row) => !this.state.labelOf.has(row)).length;
    const entry = outbox.add("labels", id, { rows, label: name, adds });
    this.state.setLabels(rows, name);
    const are = rows.length === 1 ? "is" : "are";
    const words = `${counted(rows.length, "record")} ${are} ${name} now.`;
    const act = () => this.takeBack(entry.id);
    note(words, "good", { words: "Undo", act });
  }

  /** Take back the last thing this person said, with all of its step. */
  undo() {
    this.takeBack(null);
  }

  /** @param {string | null} target */
  takeBack(target) {
    outbox.add("undo", this.state.id, { target });
  }
}

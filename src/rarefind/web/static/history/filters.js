// Which of what was said is listed: by class, person, kind and text.

import { choice, el, fill } from "../lib/dom.js";
import { compared } from "../find/search.js";

/** @import { HuntState } from "../hunt/state.js" */

const KINDS = [
  { name: "", title: "anything" },
  { name: "label", title: "labels" },
  { name: "skip", title: "skips" },
  { name: "undo", title: "what was taken back" },
  { name: "rename", title: "names of classes" },
  { name: "append", title: "records added" },
];
const PAUSE = 250; // milliseconds after the last letter

export class HistoryFilters {
  /**
   * @param {HuntState} state
   * @param {() => void} onChange
   */
  constructor(state, onChange) {
    this.state = state;
    this.onChange = onChange;
    const asked = new URLSearchParams(location.hash.split("?")[1] ?? "");
    this.label = asked.get("label") ?? "";
    this.person = asked.get("annotator") ?? "";
    this.kind = asked.get("kind") ?? "";
    this.timer = 0;
    this.text = el("input", {
      type: "search",
      id: "history-text",
      maxlength: 1000,
      value: asked.get("text") ?? "",
      autocomplete: "off",
      placeholder: "a word",
    });
    this.text.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(onChange, PAUSE);
    });
    const standing = asked.get("standing") === "true";
    this.standing = el("input", { type: "checkbox", id: "standing", checked: standing });
    this.standing.addEventListener("change", onChange);
    this.choices = el("div", { class: "filters" });
    this.problem = el("p", { class: "query-problem", role: "alert" });
    this.element = el(
      "div",
      { role: "search" },
      this.choices,
      el(
        "div",
        { class: "filters" },
        el("label", { class: "field grow" }, el("span", {}, "Text or query"), this.text),
        el("label", { class: "check" }, this.standing, el("span", {}, "Only what stands")),
      ),
      this.problem,
    );
    this.drawn = "";
    compared(state.id, state.signal).then((more) => (this.text.placeholder = `a word${more}`));
    state.on("progress", () => this.draw());
    this.draw();
  }

  get wanted() {
    const wanted = new URLSearchParams();
    if (this.label) wanted.set("label", this.label);
    if (this.person) wanted.set("annotator", this.person);
    if (this.kind) wanted.set("kind", this.kind);
    if (this.text.value.trim()) wanted.set("text", this.text.value.trim());
    if (this.standing.checked) wanted.set("standing", "true");
    return wanted;
  }

  /** @param {string} words */
  refuse(words) {
    this.problem.textContent = words;
  }

  draw() {
    const names = this.state.classes.map((item) => item.name);
    const people = Object.keys(this.state.progress?.annotators ?? {});
    const drawn = JSON.stringify([names, people]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const all = (/** @type {string} */ title) => ({ name: "", title });
    const set =
      (/** @type {"label" | "person" | "kind"} */ what) => (/** @type {string} */ name) => {
        this[what] = name;
        this.onChange();
      };
    const { label, person, kind } = this;
    fill(
      this.choices,
      choice("Class", [all("all"), ...names], label, set("label"), { id: "history-class" }),
      choice("Who", [all("everybody"), ...people], person, set("person"), { id: "history-who" }),
      choice("What", KINDS, kind, set("kind"), { id: "history-kind" }),
    );
  }
}

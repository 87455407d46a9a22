// The box that a query is written in, with what can be written.

import { get, hunt } from "../lib/api.js";
import { button, el } from "../lib/dom.js";

/** @import { ColourColumn } from "../lib/http.js" */

/** @type {[string, string][]} */
const EXAMPLES = [
  ["lamp", "some field holds this word (a phrase stands in quotation marks)"],
  ["amount > 1000", "a column compared: = != < <= > >="],
  ["country ~ fr", "a column holds this"],
  ["amount = missing", "a gap"],
  ["class = fraud", "what was said"],
  ["unlabelled", "also labelled, skipped, disputed"],
  ["by = anna", "who answered"],
  ["(a or b) not c", "together, either, not"],
];

export class SearchBox {
  /**
   * @param {{value?: string, label?: string, onSearch: (query: string) => void}} settings
   */
  constructor({ value = "", label = "Look for records", onSearch }) {
    this.input = el("input", {
      type: "search",
      id: "query",
      value,
      maxlength: 1000,
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "words",
      "aria-describedby": "query-problem",
    });
    this.problem = el("p", { class: "query-problem", id: "query-problem", role: "alert" });
    const search = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      onSearch(this.query);
    };
    const clear = () => {
      this.input.value = "";
      this.offer();
      onSearch("");
    };
    this.clear = button("Clear", clear, { class: "ghost" });
    this.input.addEventListener("input", () => this.offer());
    this.element = el(
      "form",
      { class: "search", role: "search", on: { submit: search } },
      el("label", { class: "field grow" }, el("span", {}, label), this.input),
      el("button", { class: "primary" }, "Search"),
      this.clear,
      this.problem,
      el("details", { class: "grow" }, el("summary", {}, "What can be written"), examples()),
    );
    this.offer();
  }

  /**
   * Hint at a comparison that can be asked of these records.
   * @param {string} id
   * @param {AbortSignal} signal
   */
  async hint(id, signal) {
    this.input.placeholder = `words${await compared(id, signal)}`;
  }

  /** There is something to clear once something is written. */
  offer() {
    this.clear.hidden = this.query === "";
  }

  get query() {
    return this.input.value.trim();
  }

  /** @param {string} words */
  refuse(words) {
    this.problem.textContent = words;
    if (words) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

/**
 * A comparison of a column of numbers, after "or"; nothing where there is none to name plainly.
 * @param {string} id
 * @param {AbortSignal} signal
 */
export async function compared(id, signal) {
  try {
    /** @type {ColourColumn[]} */
    const columns = await get(hunt(id, "/map/columns"), { signal });
    const plain = columns.find(({ name, kind }) => kind === "number" && /^[A-Za-z]\w*$/.test(name));
    return plain ? `, or ${plain.name} > 0` : "";
  } catch {
    return ""; // a hint is missed by nobody
  }
}

const examples = () =>
  el(
    "dl",
    { class: "examples" },
    EXAMPLES.map(([query, words]) =>
      el("div", {}, el("dt", {}, el("code", {}, query)), el("dd", {}, words)),
    ),
  );

// The fields of a record: values with the shape of their columns, the unusual ones marked.

import { shape } from "../lib/charts.js";
import { button, broken, el } from "../lib/dom.js";

/** @import { FieldView } from "../lib/http.js" */

const AT_FIRST = 18; // as many as fit beside a question

/** @param {FieldView[]} fields */
export function drawFields(fields) {
  const list = el(
    "dl",
    { class: "fields" },
    fields.length > AT_FIRST ? null : fields.map(drawField),
  );
  if (fields.length <= AT_FIRST) return list;
  // A long record begins with what is unusual about it.
  const ordered = [...fields].sort((a, b) => b.unusual - a.unusual);
  list.append(...ordered.slice(0, AT_FIRST).map(drawField));
  const rest = ordered.slice(AT_FIRST);
  const showRest = () => {
    list.append(...rest.map(drawField));
    more.remove();
  };
  const more = button(`Show ${rest.length} more fields`, showRest, { class: "ghost" });
  return el("div", {}, list, more);
}

/**
 * The fields of a table, one a line, the unusual ones first: all of them are in view.
 * @param {FieldView[]} fields
 */
export function drawLines(fields) {
  const ordered = [...fields].sort((a, b) => b.unusual - a.unusual);
  return el(
    "dl",
    { class: "field-lines", data: { few: fields.length > AT_FIRST ? null : "yes" } },
    ordered.map(drawLine),
  );
}

/** @param {FieldView} field */
function drawLine({ name, kind, value, marked, note, histogram }) {
  const spoken = marked ? el("span", { class: "only-spoken" }, " (unusual)") : null;
  const strip = histogram ? shape({ counts: histogram.counts, bin: histogram.bin }) : null;
  return el(
    "div",
    { class: "field-line", data: { unusual: marked ? "yes" : null, kind } },
    el("dt", { title: name }, broken(name), spoken),
    el("dd", { class: "value", title: value }, value),
    el("dd", { class: "strip", "aria-hidden": "true" }, strip),
    el("dd", { class: "phrase", title: note }, short(note)),
  );
}

/**
 * How a value compares, in as few words as fit into a line beside forty others.
 * @param {string} note
 */
const short = (note) =>
  note
    .replace("higher than", "above")
    .replace("lower than", "below")
    .replace("later than", "after")
    .replace("earlier than", "before")
    .replace("all others", "all")
    .replace("only ", "")
    .replace(" of records", "")
    .replace(" have this", " have it");

/** @param {FieldView} field */
function drawField({ name, kind, value, marked, note, histogram }) {
  const spoken = marked ? el("span", { class: "only-spoken" }, " (unusual)") : null;
  return el(
    "div",
    { class: "one-field", data: { unusual: marked ? "yes" : null, kind } },
    el("dt", {}, name, spoken),
    el("dd", {}, el("span", { class: "value" }, value)),
    note ? el("dd", { class: "phrase" }, note) : null,
    histogram ? behind(histogram.counts, histogram.bin) : null,
  );
}

/**
 * @param {number[]} counts
 * @param {number} bin
 */
const behind = (counts, bin) =>
  el("dd", { class: "behind", "aria-hidden": "true" }, shape({ counts, bin }));

// What each column of a file seems to hold, to be confirmed or changed, and its first rows.

import { broken, el } from "../lib/dom.js";
import { table } from "../lib/layout.js";
import { count, counted } from "../lib/words.js";

/** @import { ColumnView, DataSetView } from "../lib/http.js" */

const LEFT_OUT = "leave out";
const MOST_COLUMNS = 30;
const MOST_ROWS = 8;
const FEW = 12; // columns that are all shown at once

/**
 * Whether there is hardly anything to decide about a column.
 * @param {ColumnView} column
 */
const isPlain = ({ kind, missing }) => !missing && ["number", "category", "boolean"].includes(kind);

export class Columns {
  /** @param {DataSetView} dataset */
  constructor({ columns }) {
    this.columns = columns;
    this.kinds = new Map(columns.map((column) => [column.name, column.kind]));
    const telling = columns.length > FEW ? columns.filter((column) => !isPlain(column)) : columns;
    const plain = columns.filter((column) => !telling.includes(column));
    this.element = el(
      "div",
      { class: "columns-parts" },
      telling.length ? this.table("Columns", telling) : null,
      plain.length ? this.folded(plain) : null,
    );
  }

  /** @param {ColumnView[]} plain */
  folded(plain) {
    return el(
      "details",
      { class: "plain-columns" },
      el("summary", {}, `${counted(plain.length, "plain column")} of numbers and words`),
      this.table("Plain columns", plain),
    );
  }

  /**
   * @param {string} name
   * @param {ColumnView[]} columns
   */
  table(name, columns) {
    const heads = ["Column", "Kind", "Why", "Missing", "Examples"];
    const rows = columns.map((column) => this.row(column));
    return table("columns", name, heads, el("tbody", {}, rows));
  }

  /** @param {ColumnView} column */
  row({ name, kind, kinds, why, missing, examples }) {
    const change = () => this.kinds.set(name, select.value);
    const offered = [...new Set([kind, ...kinds, LEFT_OUT])];
    const select = el(
      "select",
      { "aria-label": `Kind of ${name}`, on: { change } },
      offered.map((each) => el("option", { value: each, selected: each === kind }, each)),
    );
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, broken(name)),
      el("td", {}, select),
      el("td", { class: "quiet" }, why),
      el("td", { class: "number", data: { head: "Missing" } }, missing ? count(missing) : "–"),
      el("td", { class: "quiet column-examples", data: { head: "Examples" } }, examples.join(", ")),
    );
  }

  /** What a person changed, as the server wants it. */
  get settings() {
    /** @type {Record<string, string>} */
    const kinds = {};
    /** @type {string[]} */
    const leave_out = [];
    for (const { name, kind } of this.columns) {
      const chosen = this.kinds.get(name) ?? kind;
      if (chosen === LEFT_OUT) leave_out.push(name);
      else if (chosen !== kind) kinds[name] = chosen;
    }
    return { kinds, leave_out };
  }
}

/** @param {DataSetView} dataset */
export function drawPreview({ preview }) {
  const names = Object.keys(preview[0] ?? {}).slice(0, MOST_COLUMNS);
  const rows = preview.slice(0, MOST_ROWS).map((row) => {
    const cells = names.map((name) => el("td", {}, row[name] ?? ""));
    return el("tr", {}, cells);
  });
  return table("preview", "Preview", names, el("tbody", {}, rows));
}

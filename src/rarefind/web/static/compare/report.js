// What a model goes by: sections of facts, as the command line prints them.

import { el } from "../lib/dom.js";

/** @typedef {{name: string, value: string, note: string}} Fact */

/**
 * @typedef {object} Report
 * @property {string} model
 * @property {string} title
 * @property {{name: string, facts: Fact[]}[]} sections
 */

/** @param {Report} report */
export function drawReport({ model, title, sections }) {
  return el(
    "section",
    { class: "model-report", "aria-label": `What ${model} goes by` },
    el("h2", {}, `What ${model} goes by`),
    el("p", { class: "quiet" }, `${title}, fitted to all labels.`),
    sections.map(({ name, facts }) =>
      el("table", {}, el("caption", {}, name), el("tbody", {}, facts.map(line))),
    ),
  );
}

/** @param {Fact} fact */
const line = ({ name, value, note }) =>
  el(
    "tr",
    {},
    el("th", { scope: "row" }, name),
    el("td", {}, value, note ? el("span", { class: "quiet" }, ` ${note}`) : null),
  );

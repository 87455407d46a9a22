// Texts with their rare terms marked, sequences with the motif that sets them apart.

import { el } from "../lib/dom.js";

/** @typedef {number[][]} Marks from, to and weight of what sets a text apart */

const GROUP = 10;
const LONG = 6000;

/**
 * Cut a text at the marks; the weight is 0 where nothing is marked.
 * @param {string} value
 * @param {Marks} marks
 */
function pieces(value, marks) {
  /** @type {[string, number][]} */
  const found = [];
  let at = 0;
  for (const [start, end, weight = 1] of [...marks].sort((a, b) => a[0] - b[0])) {
    if (start < at || end <= start) continue;
    if (start > at) found.push([value.slice(at, start), 0]);
    found.push([value.slice(start, end), weight]);
    at = end;
  }
  if (at < value.length) found.push([value.slice(at), 0]);
  return found;
}

/**
 * @param {string} text
 * @param {number} weight
 */
const marked = (text, weight) =>
  weight > 0 ? el("mark", { data: { strong: weight > 0.66 ? "yes" : null } }, text) : text;

/**
 * @param {string} value
 * @param {Marks} marks
 */
export function drawText(value, marks) {
  const shown = value.length > LONG ? value.slice(0, LONG) : value;
  return el(
    "p",
    { class: "text" },
    pieces(shown, marks).map(([text, weight]) => marked(text, weight)),
    value.length > LONG
      ? el("span", { class: "quiet" }, ` … ${value.length - LONG} more characters`)
      : null,
  );
}

/**
 * Groups of ten letters with the place of the first of each line, as sequences are printed.
 * @param {string} value
 * @param {Marks} marks
 */
export function drawSequence(value, marks) {
  const shown = value.slice(0, LONG);
  const weights = new Float32Array(shown.length);
  for (const [start, end, weight = 1] of marks) weights.fill(weight, start, end);
  const groups = [];
  for (let start = 0; start < shown.length; start += GROUP) {
    const group = el("span", { class: "letters", data: { place: start + 1 } });
    for (let at = start; at < Math.min(start + GROUP, shown.length);) {
      let end = at + 1;
      while (end < start + GROUP && end < shown.length && weights[end] === weights[at]) end += 1;
      group.append(marked(shown.slice(at, end), weights[at]));
      at = end;
    }
    groups.push(group);
  }
  return el(
    "div",
    { class: "sequence" },
    groups,
    value.length > LONG ? el("span", { class: "quiet" }, `… ${value.length - LONG} more`) : null,
  );
}

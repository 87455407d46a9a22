// The records most like the one asked about.

import { get, hunt } from "../lib/api.js";
import { broken, el, fill } from "../lib/dom.js";
import { figure } from "../lib/words.js";
import { labelChip } from "../hunt/chips.js";
import { drawStamp, isDrawn } from "../record/drawing.js";

/** @import { NeighbourView, Shown } from "../lib/http.js" */
/** @import { HuntState } from "../hunt/state.js" */
/** @import { Question } from "./queue.js" */

const PAUSE = 200;
const KEPT = 400;
/** @type {Map<string, Promise<Shown>>} */
const seen = new Map(); // records by their address, the most recent ones

/**
 * @param {Question} question
 * @param {HuntState} state
 * @param {(row: number) => void} onPick
 * @param {AbortSignal} signal
 */
export function drawNeighbours(question, state, onPick, signal) {
  const drawn = isDrawn(question.record);
  const items = question.neighbours.map((other) =>
    el("li", {}, neighbour(other, question, state, onPick)),
  );
  const list = el("ul", { data: { drawn: drawn ? "yes" : "no" } }, items);
  const differing = question.neighbours.some((other) => other.differs?.length);
  const title = differing && !drawn ? "Most like it, and where they differ" : "Most like it";
  // Whoever answers at once does not need the neighbours: their pictures can wait a moment.
  const later = () => !signal.aborted && list.isConnected && illustrate(list, state.id);
  if (drawn) setTimeout(later, PAUSE);
  return el("section", { class: "neighbours" }, el("h3", {}, title), list);
}

/**
 * @param {NeighbourView} other
 * @param {Question} question
 * @param {HuntState} state
 * @param {(row: number) => void} onPick
 */
function neighbour({ row, distance, label: told, summary, differs }, question, state, onPick) {
  const drawn = isDrawn(question.record);
  const label = state.labelOf.get(row) ?? told;
  const properties = {
    type: "button",
    class: "neighbour",
    on: { click: () => onPick(row) },
    title: `Record ${row}, distance ${figure(distance)}`,
  };
  const quiet = el("span", { class: "quiet" }, `record ${row}`);
  return el(
    "button",
    properties,
    drawn
      ? el("span", { class: "stamp", data: { row } })
      : (apart(differs, question) ?? words(summary, row)),
    el("span", { class: "neighbour-foot" }, label === null ? quiet : labelChip(state, label)),
  );
}

/**
 * @param {string} summary
 * @param {number} row
 */
const words = (summary, row) => el("span", { class: "summary" }, summary || `record ${row}`);

/**
 * Where the neighbour differs, since all else is much the same: its value instead of this one's.
 * @param {NeighbourView["differs"]} differs
 * @param {Question} question
 */
function apart(differs, { record }) {
  if (!differs?.length) return null;
  const own = new Map(record.fields.map((field) => [field.name, field.value]));
  const lines = differs.map(({ name, value }) => [
    el("span", { class: "differs-name" }, broken(name)),
    el(
      "span",
      {},
      el("b", {}, value),
      el("span", { class: "quiet" }, ` not ${own.get(name) ?? "–"}`),
    ),
  ]);
  return el("span", { class: "differs" }, lines);
}

/**
 * @param {HTMLElement} list
 * @param {string} id
 */
function illustrate(list, id) {
  for (const stamp of list.querySelectorAll("span.stamp")) {
    const row = stamp.getAttribute("data-row") ?? "";
    shown(hunt(id, `/records/${row}`))
      .then((view) => fill(stamp, drawStamp(view.record)))
      .catch(() => {}); // its number stands below
  }
}

/**
 * @param {string} address
 * @returns {Promise<Shown>}
 */
function shown(address) {
  const known = seen.get(address);
  if (known) return known;
  /** @type {Promise<Shown>} */
  const found = get(address);
  found.catch(() => seen.delete(address));
  seen.set(address, found);
  const [oldest] = seen.keys();
  if (seen.size > KEPT) seen.delete(oldest);
  return found;
}

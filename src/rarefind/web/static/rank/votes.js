// What speaks for a record: labelled records that vote for it, or the columns its score is made of.

import { get, hunt } from "../lib/api.js";
import { el, fill } from "../lib/dom.js";
import { scoreBar } from "../lib/layout.js";
import { figure, percent } from "../lib/words.js";
import { labelChip } from "../hunt/chips.js";
import { drawStamp } from "../record/drawing.js";

/** @import { Shown, Reason } from "../lib/http.js" */
/** @import { HuntState } from "../hunt/state.js" */

/** @typedef {{row: number, share: number}} Vote */
/** @typedef {{feature: string, adds: number}} Feature */

/**
 * @param {Reason} votes
 * @param {HuntState} state
 * @param {{drawn: boolean, signal: AbortSignal}} how
 */
export function drawVotes(votes, state, { drawn, signal }) {
  const sizes = votes.parts.map((part) => Math.abs(part.share ?? part.adds ?? 0));
  const most = Math.max(1e-300, ...sizes);
  const lines = votes.parts.map((part) => {
    if (part.feature !== undefined)
      return feature({ feature: part.feature, adds: part.adds }, most);
    const stamp = drawn ? illustrated(part.row, state.id, signal) : null;
    return vote({ row: part.row, share: part.share }, most, state, stamp);
  });
  return el(
    "section",
    { class: "panel votes" },
    el("h2", {}, votes.kind === "votes" ? "What votes for it" : "What its score is made of"),
    el("p", { class: "quiet" }, votes.words),
    el("ul", { class: "plain" }, lines),
    against(votes, state),
  );
}

/**
 * The nearest labelled records that are something else, where examples vote.
 *
 * @param {Reason} votes
 * @param {HuntState} state
 */
function against(votes, state) {
  if (!votes.against?.length) return null;
  const lines = votes.against.map(({ row, times }) => {
    const label = state.labelOf.get(row);
    const far = times === null ? "" : ` ${figure(times)} times as far as the nearest example`;
    const chip = label === undefined ? null : labelChip(state, label);
    return el("li", {}, `record ${row} `, chip, far);
  });
  return el(
    "div",
    { class: "against" },
    el("h3", {}, "What speaks against it"),
    el("ul", { class: "plain" }, lines),
  );
}

/**
 * @param {Vote} part
 * @param {number} most
 * @param {HuntState} state
 * @param {HTMLElement | null} stamp
 */
function vote({ row, share }, most, state, stamp) {
  const label = state.labelOf.get(row);
  return el(
    "li",
    { class: "vote" },
    stamp,
    el("span", {}, `record ${row} `, label === undefined ? null : labelChip(state, label)),
    scoreBar(share / most),
    el("span", { class: "number" }, percent(share)),
  );
}

/**
 * @param {number} row
 * @param {string} id
 * @param {AbortSignal} signal
 */
function illustrated(row, id, signal) {
  const stamp = el("span", { class: "stamp" });
  /** @type {Promise<Shown>} */
  const shown = get(hunt(id, `/records/${row}`), { signal });
  shown.then(({ record }) => fill(stamp, drawStamp(record))).catch(() => {});
  return stamp;
}

/**
 * @param {Feature} part
 * @param {number} most
 */
function feature({ feature: name, adds }, most) {
  return el(
    "li",
    { class: "vote", data: { against: adds < 0 ? "yes" : null } },
    el("span", {}, name),
    scoreBar(Math.abs(adds) / most),
    el("span", { class: "number" }, `${adds > 0 ? "+" : "−"}${figure(Math.abs(adds))}`),
  );
}

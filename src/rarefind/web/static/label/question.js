// The question: the record, why it is asked, and the records most like it.

import { button, el } from "../lib/dom.js";
import { line } from "../lib/line.js";
import { figure } from "../lib/words.js";
import { labelChip } from "../hunt/chips.js";
import { drawRecord, isOnlyDrawn, isTable } from "../record/drawing.js";
import { drawNeighbours } from "./neighbours.js";

/** @import { HuntState } from "../hunt/state.js" */
/** @import { Question } from "./queue.js" */

/**
 * @typedef {object} Ways
 * @property {(row: number) => void} onPick
 * @property {(() => void) | null} onBack
 * @property {AbortSignal} signal
 */

/**
 * @param {Question} question
 * @param {HuntState} state
 * @param {Ways} ways
 */
export function drawQuestion(question, state, { onPick, onBack, signal }) {
  const { row, record, picked, why } = question;
  const label = state.labelOf.get(row);
  const beside = isOnlyDrawn(record) && why ? "yes" : "no";
  const near = question.neighbours.length ? drawNeighbours(question, state, onPick, signal) : null;
  return [
    el(
      "header",
      { class: "question-head" },
      el("h2", {}, picked ? "Your pick" : "What is this?"),
      el("span", { class: "quiet" }, `record ${row}`),
      label === undefined
        ? null
        : el("span", { class: "has-label" }, "labelled ", labelChip(state, label)),
      onBack ? button("Back to the question", onBack, { class: "ghost push" }) : null,
    ),
    isTable(record)
      ? el(
          "div",
          { class: "question-body", data: { table: "yes" } },
          drawRecord(record),
          el("div", { class: "question-beside" }, why ? drawWhy(question) : null, near),
        )
      : el(
          "div",
          { class: "question-body", data: { drawn: beside } },
          drawRecord(record),
          why ? drawWhy(question) : null,
        ),
    isTable(record) ? null : near,
  ];
}

let explained = false; // whoever wants the numbers in words wants them with the next question, too

/** @param {Question} question */
function drawWhy({ why, evidence, meanings }) {
  const numbers = Object.entries(evidence).filter(([, value]) => Number.isFinite(value));
  const told = numbers.map(([name, value]) => [
    el("dt", {}, `${name.replaceAll("_", " ")} `, el("b", {}, figure(value))),
    el("dd", {}, meanings[name] ?? ""),
  ]);
  const toggle = () => (explained = folded.open);
  const folded = el(
    "details",
    { class: "evidence", open: explained, on: { toggle } },
    el("summary", {}, "In numbers"),
    el("dl", {}, told),
  );
  return el(
    "section",
    { class: "why" },
    el("h3", {}, "Why this one"),
    el("p", {}, why),
    told.length ? folded : null,
  );
}

/** What is shown while nothing can be asked yet. */
export function drawSearch() {
  const words = line.up
    ? "Looking for the next question"
    : "No connection: the questions kept here are answered, more come when the server is back";
  return el(
    "div",
    { class: "nothing", "aria-busy": "true" },
    el("p", { class: "quiet" }, `${words}…`),
    el("progress", { "aria-label": words }),
  );
}

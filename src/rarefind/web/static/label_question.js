// The question: the record, why it is asked, and the records most like it.

import { get, hunt } from "./api.js";
import { labelChip } from "./chips.js";
import { button, el, fill } from "./dom.js";
import { drawRecord, drawStamp, isDrawn, isOnlyDrawn } from "./record.js";
import { figure } from "./words.js";

const PAUSE = 200;
const seen = new Map(); // address → promise of a record, the most recent few hundred

function record(id, row) {
  const address = hunt(id, `/records/${row}`);
  if (!seen.has(address)) {
    const found = get(address);
    found.catch(() => seen.delete(address));
    seen.set(address, found);
    if (seen.size > 400) seen.delete(seen.keys().next().value);
  }
  return seen.get(address);
}

export function drawQuestion(question, state, { onPick, onBack, signal }) {
  const label = state.labelOf.get(question.row);
  return [
    el(
      "header",
      { class: "question-head" },
      el("h2", {}, question.picked ? "Your pick" : "What is this?"),
      el("span", { class: "quiet" }, `record ${question.row}`),
      label === undefined ? null : el("span", { class: "has-label" }, "labelled ", labelChip(state, label)),
      onBack ? button("Back to the question", onBack, { class: "ghost push" }) : null,
    ),
    el("div", { class: "question-body", data: { drawn: isOnlyDrawn(question.record) && question.why ? "yes" : "no" } }, drawRecord({ row: question.row, ...question.record }), question.why ? drawWhy(question) : null),
    question.neighbours?.length ? drawNeighbours(question, state, onPick, signal) : null,
  ];
}

function drawWhy({ why, evidence }) {
  const numbers = Object.entries(evidence ?? {}).filter(([, value]) => Number.isFinite(value));
  return el(
    "section",
    { class: "why" },
    el("h3", {}, "Why this one"),
    el("p", {}, why),
    numbers.length ? el("p", { class: "evidence" }, numbers.map(([name, value]) => el("span", {}, `${name.replaceAll("_", " ")} `, el("b", {}, figure(value))))) : null,
  );
}

function drawNeighbours(question, state, onPick, signal) {
  const drawn = isDrawn(question.record);
  const list = el("ul", { data: { drawn: drawn ? "yes" : "no" } }, question.neighbours.map((other) => el("li", {}, neighbour(other, drawn, state, onPick))));
  // Whoever answers at once does not need the neighbours: their pictures can wait a moment.
  if (drawn) setTimeout(() => !signal.aborted && list.isConnected && illustrate(list, state), PAUSE);
  return el(
    "section",
    { class: "neighbours" },
    el("h3", {}, "Most like it"),
    list,
  );
}

function illustrate(list, state) {
  for (const stamp of list.querySelectorAll(".stamp")) {
    const { row } = stamp.dataset;
    record(state.id, row)
      .then((view) => fill(stamp, drawStamp(view.record)))
      .catch(() => fill(stamp, `record ${row}`));
  }
}

function neighbour(other, drawn, state, onPick) {
  const label = state.labelOf.get(other.row) ?? other.label ?? null;
  return el(
    "button",
    { type: "button", class: "neighbour", on: { click: () => onPick(other.row) }, title: `Record ${other.row}, distance ${figure(other.distance)}` },
    drawn ? el("span", { class: "stamp", data: { row: other.row } }) : el("span", { class: "summary" }, other.summary || `record ${other.row}`),
    el("span", { class: "neighbour-foot" }, label === null ? el("span", { class: "quiet" }, `record ${other.row}`) : labelChip(state, label)),
  );
}

// Who labels this hunt, who is at it now, and where they disagree.

import { button, el } from "../lib/dom.js";
import { initial, panel } from "../lib/layout.js";
import { count, counted } from "../lib/words.js";

/** @import { ProgressView } from "../lib/http.js" */

const MOST = 20; // disagreements that are listed

/**
 * @param {ProgressView} progress
 * @param {string} me
 */
export function drawPeople({ annotators, leases }, me) {
  const busy = new Set(leases.map((lease) => lease.annotator));
  const names = new Map(Object.entries(annotators));
  for (const name of busy) if (!names.has(name)) names.set(name, 0);
  if (names.size < 2) return null;
  const now = { class: "live", title: "looking at a record now" };
  const lines = [...names].map(([name, labels]) =>
    el(
      "li",
      { data: { name } },
      initial(name),
      el("span", {}, name === me ? `${name} (you)` : name),
      el("span", { class: "class-count" }, count(labels)),
      busy.has(name) ? el("span", now, "labelling") : null,
    ),
  );
  return panel("People", el("ul", { class: "people" }, lines));
}

/**
 * @param {ProgressView} progress
 * @param {(row: number) => void} onPick
 */
export function drawDisagreements({ disagreements }, onPick) {
  if (!disagreements.length) return null;
  const lines = disagreements.slice(0, MOST).map(({ row, words }) => {
    const said = Object.entries(words).map(([name, label]) =>
      el("span", { class: "said" }, `${name}: ${label}`),
    );
    return el(
      "li",
      {},
      button(`record ${row}`, () => onPick(row), { class: "link" }),
      " ",
      said,
    );
  });
  return panel(counted(disagreements.length, "disagreement"), el("ul", { class: "plain" }, lines));
}

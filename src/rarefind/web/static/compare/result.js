// What a comparison found: a table of the models and how quickly each finds the class.

import { curves } from "../lib/charts.js";
import { button, el } from "../lib/dom.js";
import { scoreBar, table } from "../lib/layout.js";
import { counted, figure } from "../lib/words.js";

/**
 * A model, how well it ranked what it had not seen, or a note why it could not.
 * @typedef {object} Compared
 * @property {string} model
 * @property {number | null} average_precision
 * @property {number | null} spread
 * @property {number | null} precision_at_k
 * @property {number} fit_seconds
 * @property {number} score_seconds
 * @property {string} note
 * @property {number[]} curve
 */

/**
 * All of them, best first; a random order has an average precision of `chance`.
 * @typedef {object} Comparison
 * @property {string} target
 * @property {number} wanted
 * @property {number} n_records
 * @property {number} folds
 * @property {number} k
 * @property {number} chance
 * @property {Compared[]} rows
 */

const MOST_CURVES = 8; // as many as there are colours

/**
 * @param {Comparison} comparison
 * @param {(model: string) => void} onRank
 * @param {(model: string) => void} onReport
 */
export function drawComparison(comparison, onRank, onReport) {
  const { target, wanted, n_records, folds, k, chance, rows } = comparison;
  const best = rows.find((row) => row.average_precision !== null);
  const hits = `Hits in the first ${k}`;
  const heads = ["Model", "Average precision", hits, "Fit", "Score", ""];
  const lines = rows.map((row) => line(row, best, hits, onRank, onReport));
  return [
    el("h2", {}, `Models for ${target}`),
    el(
      "p",
      { class: "quiet" },
      `${counted(wanted, "record")} of the class among ${counted(n_records, "label")}, `,
      `cut into ${folds} parts. A random order has an average precision of ${figure(chance)}.`,
    ),
    table("models", "Models", heads, el("tbody", {}, lines)),
    drawCurves(rows.filter((row) => row.curve.length > 1).slice(0, MOST_CURVES)),
  ];
}

/**
 * Whether the folds differ more than the two models do.
 * @param {Compared} row
 * @param {Compared | undefined} best
 */
function isAlike(row, best) {
  if (!best || row === best || row.average_precision === null) return false;
  const apart = (best.average_precision ?? 0) - row.average_precision;
  return apart <= Math.hypot(best.spread ?? 0, row.spread ?? 0);
}

/**
 * @param {Compared} row
 * @param {Compared | undefined} best
 * @param {string} hits what the third column is called
 * @param {(model: string) => void} onRank
 * @param {(model: string) => void} onReport
 */
function line(row, best, hits, onRank, onReport) {
  const quality = row.average_precision;
  const alike = isAlike(row, best);
  const rank = button("Rank with this", () => onRank(row.model), {
    class: "ghost",
    "aria-label": `Rank with ${row.model}`,
  });
  const report = button("What it goes by", () => onReport(row.model), {
    class: "ghost",
    "aria-label": `What ${row.model} goes by`,
  });
  return el(
    "tr",
    { data: { best: row === best ? "yes" : null } },
    el(
      "th",
      { scope: "row" },
      row.model,
      alike ? el("span", { class: "quiet alike" }, "not told apart from the best") : null,
    ),
    quality === null
      ? el("td", { class: "quiet", colspan: 2 }, row.note)
      : [
          el(
            "td",
            { data: { head: "Average precision" } },
            scoreBar(quality),
            ` ${quality.toFixed(2)} ± ${(row.spread ?? 0).toFixed(2)}`,
          ),
          el("td", { class: "number", data: { head: hits } }, percent(row.precision_at_k)),
        ],
    el("td", { class: "number", data: { head: "Fit" } }, seconds(row.fit_seconds)),
    el("td", { class: "number", data: { head: "Score" } }, seconds(row.score_seconds)),
    el("td", {}, quality === null ? null : [rank, report]),
  );
}

/** @param {Compared[]} rows */
function drawCurves(rows) {
  if (!rows.length) return null;
  const series = rows.map((row, index) => ({
    name: row.model,
    values: row.curve
      .filter((_, index) => index % ((row.curve.length - 1) / 100) === 0)
      .map((share) => 100 * share),
    look: index + 1,
  }));
  const values = Array.from({ length: 101 }, (_, index) => index);
  return curves([{ name: "random order", values, quiet: true }, ...series], {
    xLabel: "% of the records looked at",
    yLabel: "% of the class found",
    sentence: `How quickly each model finds the class; ${rows[0].model} does best.`,
    width: 640,
    height: 280,
    yMost: 100,
  });
}

/** @param {number | null} share */
const percent = (share) => (share === null ? "–" : `${Math.round(100 * share)} %`);

/** @param {number} value */
const seconds = (value) => (value < 1 ? `${Math.round(1000 * value)} ms` : `${figure(value)} s`);

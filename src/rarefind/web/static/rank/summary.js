// Why that model, how good the order is, and the way to take it home.

import { hunt } from "../lib/api.js";
import { bars, curves } from "../lib/charts.js";
import { el } from "../lib/dom.js";
import { panel } from "../lib/layout.js";
import { count, counted, figure } from "../lib/words.js";

/** @import { RankingView } from "../lib/http.js" */

const NO_HITS =
  "Confirm or reject records in the list: the curve of hits grows here, " +
  "and the next ranking learns from every answer.";

/**
 * @param {string} id of the hunt
 * @param {RankingView} ranking
 */
export function drawSummary(id, ranking) {
  return [why(ranking), hits(ranking), histogram(ranking), home(id, ranking.id)];
}

/** @param {RankingView} ranking */
function why({ model, target, why: reason }) {
  return panel(`${model} for ${target}`, el("p", {}, reason));
}

/** @param {RankingView} ranking */
function hits({ hits: looked = [], n_ranked }) {
  const last = looked.at(-1);
  if (!last) return panel("Hits", el("p", { class: "quiet" }, NO_HITS));
  const found = [0, ...looked.map((item) => item.found)];
  const share = last.found / Math.max(1, n_ranked);
  const random = found.map((_, index) => index * share);
  const series = [
    { name: "a random order", values: random, quiet: true },
    { name: "this ranking", values: found, steps: true },
  ];
  const seen = counted(looked.length, "record");
  const frame = {
    xLabel: "records looked at",
    yLabel: "confirmed",
    sentence: `${count(last.found)} of ${seen} looked at were confirmed.`,
    yMost: 1,
    wholeY: true,
  };
  return panel("Hits", curves(series, frame));
}

/** @param {RankingView} ranking */
function histogram({ histogram: shape }) {
  if (!shape?.counts?.length) return null;
  const { counts, low, high } = shape;
  const range = `${figure(low)} and ${figure(high)}`;
  const sentence = `The scores of all ranked records lie between ${range}.`;
  const xLabel = "score (heights as square roots)";
  return panel("Scores", bars({ counts, low, high }, { xLabel, sentence, roots: true }));
}

/**
 * @param {string} id
 * @param {string} ranking
 */
function home(id, ranking) {
  const links = ["csv", "parquet", "jsonl"].map((format) => {
    const query = `what=ranking&format=${format}&ranking=${encodeURIComponent(ranking)}`;
    const href = hunt(id, `/export?${query}`);
    const properties = { class: "button", download: "", id: `download-${format}`, href };
    return el("a", properties, format.toUpperCase());
  });
  return panel("Take it home", el("div", { class: "row" }, links));
}

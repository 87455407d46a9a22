// What the colours of a column mean.

import { el } from "../lib/dom.js";
import { count } from "../lib/words.js";

/** @import { LegendView } from "../lib/http.js" */
/** @import { Colours, Rgb } from "./colours.js" */
/** @import { Scores } from "./scores.js" */

const STEPS = 24; // of the ramp of a column of numbers

/**
 * @param {LegendView} legend
 * @param {Scores} shades
 * @param {Colours} colours
 */
export function drawLegend(legend, shades, colours) {
  const gaps = legend.missing
    ? [shade(colours.crowd), el("span", {}, `missing (${count(legend.missing)})`)]
    : null;
  if (legend.kind === "category") {
    const names = legend.names.map((name, number) =>
      el(
        "li",
        {},
        shade(shades.tint(colours, (number + 1) / 254)),
        el("span", {}, `${name} (${count(legend.counts[number])})`),
      ),
    );
    return el("ul", { class: "plain" }, names, gaps ? el("li", {}, gaps) : null);
  }
  const ramp = Array.from({ length: STEPS }, (_, at) =>
    shade(shades.tint(colours, (at + 1) / STEPS)),
  );
  return el(
    "p",
    { class: "ramp" },
    el("span", {}, legend.low_words),
    el("span", { class: "ramp-colours", "aria-hidden": "true" }, ramp),
    el("span", {}, legend.high_words),
    gaps,
  );
}

/** @param {Rgb} colour */
function shade(colour) {
  const box = el("i", { class: "shade", "aria-hidden": "true" });
  box.style.setProperty("--colour", `rgb(${colour.map(Math.round).join(" ")})`);
  return box;
}

// Beside the question: figures, classes, the curve of discovery, what may still be hidden, people.

import { hunt } from "../lib/api.js";
import { curves } from "../lib/charts.js";
import { el, fill } from "../lib/dom.js";
import { panel } from "../lib/layout.js";
import { count, counted } from "../lib/words.js";
import { outbox } from "../hunt/outbox.js";
import { drawClasses } from "./classes.js";
import { drawDisagreements, drawPeople } from "./people.js";

/** @import { ProgressView } from "../lib/http.js" */
/** @import { HuntState } from "../hunt/state.js" */

const ENOUGH = 10; // labels, before anything is said about what is missing

export class ProgressPanel {
  /**
   * @param {HuntState} state
   * @param {(row: number) => void} onPick
   */
  constructor(state, onPick) {
    this.state = state;
    this.onPick = onPick;
    this.ahead = 0; // answers the server has not counted yet
    this.open = false; // whether the outlook is shown in full
    this.figures = el("div", { class: "figures" });
    this.classes = el("div", {});
    this.curve = el("div", {});
    this.outlook = el("div", {});
    this.people = el("div", {});
    this.element = el(
      "aside",
      { class: "side progress-panel", "aria-label": "Progress" },
      this.figures,
      this.classes,
      this.curve,
      this.outlook,
      this.people,
      el(
        "p",
        { class: "quiet" },
        el("a", { href: hunt(state.id, "/report"), download: "" }, "All of it as one page"),
        " to keep or to pass on.",
      ),
    );
    state.on("progress", () => {
      this.ahead = outbox.adds(state.id);
      this.draw();
    });
    this.draw();
  }

  /**
   * Labels given or taken back, counted before the server says so.
   * @param {number} labels
   */
  given(labels) {
    this.ahead += labels;
    this.drawFigures();
  }

  drawFigures() {
    const { classes, progress, view } = this.state;
    fill(
      this.figures,
      one((progress?.labels ?? 0) + this.ahead, "label"),
      one(classes.filter((item) => !item.ordinary).length, "rare class", "rare classes"),
      one(view.n_records, "record"),
    );
  }

  draw() {
    const { progress } = this.state;
    if (!progress) return;
    this.drawFigures();
    fill(this.classes, drawClasses(this.state, this.onPick));
    fill(this.curve, drawCurve(progress));
    fill(this.outlook, this.drawOutlook(progress));
    fill(
      this.people,
      drawPeople(progress, this.state.annotator),
      drawDisagreements(progress, this.onPick),
    );
  }

  /** @param {ProgressView} progress */
  drawOutlook({ outlook, outlook_words: words }) {
    if (!words) return null;
    const share = outlook.largest_unseen_share;
    if (!(outlook.labels >= ENOUGH && share > 0 && share <= 0.5)) return outlookPanel(words);
    const toggle = () => (this.open = full.open);
    const full = el(
      "details",
      { open: this.open, on: { toggle } },
      el("summary", {}, "In full"),
      el("p", {}, words),
    );
    const least = el("b", {}, `1 in ${count(1 / share)}`);
    const headline = ["All classes you have not seen hold at most ", least, " records, at 95 %."];
    return outlookPanel(headline, full);
  }
}

/**
 * @param {number} number
 * @param {string} word
 */
const one = (number, word, many = `${word}s`) =>
  el("div", {}, el("b", {}, count(number)), el("span", {}, number === 1 ? word : many));

/**
 * @param {string | (string | Node)[]} headline
 * @param {HTMLElement | null} full
 */
function outlookPanel(headline, full = null) {
  const element = panel("Outlook", el("p", { class: "headline" }, headline), full);
  element.classList.add("outlook");
  return element;
}

/** @param {ProgressView} progress */
function drawCurve({ curve, random, labels }) {
  const found = curve.at(-1);
  if (found === undefined || curve.length < 3) return null;
  const every = labels / (curve.length - 1); // a long curve comes thinned
  const series = [
    { name: "random draws", values: random, quiet: true, every },
    { name: "this hunt", values: curve, steps: true, every },
  ];
  const chance = random?.at(-1);
  const classes = counted(found, "rare class", "rare classes");
  const frame = {
    xLabel: "labels",
    yLabel: "rare classes found",
    sentence:
      `${classes} found with ${counted(labels, "label")}.` +
      (chance === undefined
        ? ""
        : ` Random draws would have found ${chance.toFixed(1)} on average.`),
    yMost: Math.max(2, found),
    wholeY: true,
  };
  return panel("Discovery", curves(series, frame));
}

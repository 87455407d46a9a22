// Models side by side on the labels at hand.

import { get, sentence } from "../lib/api.js";
import { button, choice, el, fill } from "../lib/dom.js";
import { pageHead } from "../lib/layout.js";
import { counted } from "../lib/words.js";
import { run, unfinished } from "../hunt/job.js";
import { opened } from "../hunt/opening.js";
import { rankWith } from "../rank/wish.js";
import { drawReport } from "./report.js";
import { drawComparison } from "./result.js";

/** @import { Named } from "../lib/http.js" */
/** @import { Place } from "../hunt/opening.js" */
/** @import { HuntState } from "../hunt/state.js" */
/** @import { Comparison } from "./result.js" */

const ABOUT =
  "Each model ranks labelled records it has not seen. " +
  "Higher average precision: the class stands nearer to the top.";

/** @param {Place} place */
export async function show(place) {
  const state = await opened(place);
  /** @type {Named[]} */
  const models = await get("/api/models", { signal: place.signal });
  await new ComparePage(place, state, models).goOn();
}

class ComparePage {
  /**
   * @param {Place} place
   * @param {HuntState} state
   * @param {Named[]} models
   */
  constructor({ root, id, signal }, state, models) {
    this.id = id;
    this.signal = signal;
    this.kept = `rarefind.comparison.${id}`; // the last result in this browser
    /** @type {Set<string>} */
    this.chosen = new Set();
    this.folds = 3;
    this.which = el("span", {});
    this.tellWhich();
    this.target = state.likeliest;
    this.run = button("Compare", () => this.start(), { class: "primary", id: "compare" });
    this.result = el("div", { id: "comparison" });
    this.told = el("div", {}); // what one of the models goes by
    const classes = state.classes.filter((item) => item.count > 0);
    this.run.disabled = !classes.length;
    const hint = classes.length ? "Choose a class and press Compare." : "Label some records first.";
    fill(this.result, el("p", { class: "quiet nothing" }, hint));
    const before = localStorage.getItem(this.kept);
    if (before) this.draw(JSON.parse(before));
    const titles = classes.map(({ name, count }) => ({
      name,
      title: `${name} (${counted(count, "label")})`,
    }));
    fill(
      root,
      pageHead("Compare", ABOUT),
      el(
        "div",
        { class: "two" },
        el(
          "section",
          { class: "card form" },
          choice("Class", titles, this.target, (name) => (this.target = name), { id: "target" }),
          this.parts(),
          this.models(models),
          this.run,
        ),
        el("section", { class: "card" }, this.result),
      ),
    );
  }

  parts() {
    const set = (/** @type {string} */ number) => (this.folds = Number(number));
    const numbers = ["2", "3", "5", "10"];
    return choice("Parts the labels are cut into", numbers, String(this.folds), set, {
      id: "folds",
    });
  }

  /** @param {Named[]} models */
  models(models) {
    const ticks = models.map((model) => this.tick(model));
    return el(
      "details",
      {},
      el("summary", {}, this.which),
      el(
        "fieldset",
        {},
        el("legend", { class: "only-spoken" }, "Models"),
        el("div", { class: "ticks" }, ticks),
      ),
    );
  }

  /** @param {Named} model */
  tick({ name, about }) {
    const change = () => {
      if (box.checked) this.chosen.add(name);
      else this.chosen.delete(name);
      this.tellWhich();
    };
    const box = el("input", { type: "checkbox", value: name, on: { change } });
    return el("label", { class: "tick", title: about }, box, el("span", {}, name));
  }

  tellWhich() {
    const { size } = this.chosen;
    this.which.textContent = size ? counted(size, "model") : "The usual models";
  }

  get settings() {
    return { target: this.target, models: [...this.chosen], folds: this.folds };
  }

  /** @param {Comparison} comparison */
  draw(comparison) {
    const rank = (/** @type {string} */ model) => rankWith(this.id, comparison.target, model);
    const tell = (/** @type {string} */ model) => this.report(comparison.target, model);
    this.told = el("div", { id: "model-report", "aria-live": "polite" });
    fill(this.result, drawComparison(comparison, rank, tell), this.told);
  }

  /**
   * Show what a model goes by, below the comparison.
   * @param {string} target
   * @param {string} model
   */
  async report(target, model) {
    const { told, signal } = this;
    const shown = { holder: told, name: "report", signal };
    told.scrollIntoView({ block: "nearest" });
    try {
      const report = await run(this.id, "/comparisons/report", { target, model }, shown);
      fill(told, drawReport(report));
      told.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (signal.aborted) return;
      fill(told, el("p", { class: "bad", role: "alert" }, sentence(error)));
    }
  }

  /** Show the comparison again that was begun before the page was left. */
  async goOn() {
    const before = unfinished(this.id, "/comparisons");
    if (before) await this.start(before.settings, before.job);
  }

  async start(settings = this.settings, begun = "") {
    this.run.disabled = true;
    const holder = el("div", { class: "nothing" });
    fill(this.result, holder);
    const shown = { holder, name: "comparison", signal: this.signal, begun };
    try {
      const comparison = await run(this.id, "/comparisons", settings, shown);
      this.draw(comparison);
      localStorage.setItem(this.kept, JSON.stringify(comparison));
    } catch (error) {
      if (this.signal.aborted) return;
      fill(this.result, el("p", { class: "bad", role: "alert" }, sentence(error)));
    } finally {
      this.run.disabled = false;
    }
  }
}

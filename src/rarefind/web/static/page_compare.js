// Models side by side on the labels at hand.

import { finished, get, hunt, post } from "./api.js";
import { curves } from "./charts.js";
import { button, choice, el, fill } from "./dom.js";
import { opened, step } from "./opening.js";
import { counted, figure } from "./words.js";

export async function show(context) {
  const state = await opened(context);
  const models = await get("/api/models", { signal: context.signal });
  new ComparePage(context, state, models);
}

class ComparePage {
  constructor({ root, id, signal }, state, models) {
    Object.assign(this, { id, signal, state });
    this.chosen = new Set();
    this.folds = 3;
    const classes = state.classes.filter((item) => item.count > 0);
    // The rarest class with enough examples is what a comparison is mostly about.
    this.target = [...classes].sort((a, b) => Number(a.ordinary) - Number(b.ordinary) || b.count - a.count)[0]?.name ?? "";
    this.run = button("Compare", () => this.start(), { class: "primary", id: "compare" });
    this.result = el("div", { id: "comparison" });
    fill(
      root,
      el("header", { class: "page-head" }, el("div", {}, el("h1", {}, "Compare"), el("p", { class: "quiet" }, "Each model ranks labelled records it has not seen. Higher average precision: the class stands nearer to the top."))),
      el(
        "div",
        { class: "two" },
        el(
          "section",
          { class: "card form" },
          choice("Class", classes.map((item) => ({ name: item.name, title: `${item.name} (${counted(item.count, "label")})` })), this.target, (name) => (this.target = name), { id: "target" }),
          choice("Parts the labels are cut into", ["2", "3", "5", "10"], String(this.folds), (number) => (this.folds = Number(number)), { id: "folds" }),
          el("fieldset", {}, el("legend", {}, "Models"), el("p", { class: "quiet" }, "None ticked: the usual ones."), el("div", { class: "ticks" }, models.map((model) => this.tick(model)))),
          this.run,
        ),
        el("section", { class: "card" }, this.result),
      ),
    );
    fill(this.result, el("p", { class: "quiet nothing" }, classes.length ? "Choose a class and press Compare." : "Label some records first."));
    this.run.disabled = !classes.length;
  }

  tick({ name, about }) {
    const box = el("input", { type: "checkbox", value: name, on: { change: () => (box.checked ? this.chosen.add(name) : this.chosen.delete(name)) } });
    return el("label", { class: "tick", title: about }, box, el("span", {}, name));
  }

  async start() {
    this.run.disabled = true;
    const words = el("p", { class: "quiet", role: "status" }, "Starting…");
    const bar = el("progress", { "aria-label": "How far the comparison is" });
    let job = null;
    const stop = button("Cancel", () => job && post(hunt(this.id, `/jobs/${job}/cancel`)), {});
    fill(this.result, el("div", { class: "nothing" }, words, bar, stop));
    try {
      ({ job } = await post(hunt(this.id, "/comparisons"), { target: this.target, models: [...this.chosen], folds: this.folds }, { signal: this.signal }));
      const onStep = (now) => {
        words.textContent = step(now);
        if (now?.total) [bar.max, bar.value] = [now.total, now.done];
      };
      this.draw(await finished(this.id, job, { signal: this.signal, onStep }));
    } catch (error) {
      if (!this.signal.aborted) fill(this.result, el("p", { class: "bad", role: "alert" }, error.message));
    } finally {
      this.run.disabled = false;
    }
  }

  draw(comparison) {
    const best = Math.max(...comparison.rows.map((row) => row.average_precision ?? 0));
    const drawn = comparison.rows.filter((row) => row.curve?.length > 1).slice(0, 8);
    const series = drawn.map((row, index) => ({ name: row.model, values: row.curve.map((share) => 100 * share), look: index + 1 }));
    const diagonal = { name: "random order", values: Array.from({ length: 101 }, (_, percent) => percent), quiet: true };
    fill(
      this.result,
      el("h2", {}, `Models for ${comparison.target}`),
      el("p", { class: "quiet" }, `${counted(comparison.wanted, "record")} of the class among ${counted(comparison.n_records, "label")}, cut into ${comparison.folds} parts. A random order has an average precision of ${figure(comparison.chance)}.`),
      el(
        "div",
        { class: "table-frame", tabindex: 0, role: "region", "aria-label": "Models" },
        el(
          "table",
          { class: "models" },
          el("thead", {}, el("tr", {}, ["Model", "Average precision", `Hits in the first ${comparison.k}`, "Fit", "Score"].map((name) => el("th", { scope: "col" }, name)))),
          el("tbody", {}, comparison.rows.map((row) => line(row, best))),
        ),
      ),
      series.length ? curves([diagonal, ...series], { xLabel: "% of the records looked at", yLabel: "% of the class found", sentence: `How quickly each model finds the class; ${drawn[0].model} does best.`, width: 640, height: 280, yMost: 100 }) : null,
    );
  }
}

function line(row, best) {
  const quality = row.average_precision;
  const bar = el("span", { class: "score-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(quality ?? 0));
  return el(
    "tr",
    { data: { best: quality !== null && quality === best ? "yes" : null } },
    el("th", { scope: "row" }, row.model),
    quality === null ? el("td", { class: "quiet", colspan: 2 }, row.note) : [el("td", {}, bar, ` ${quality.toFixed(2)} ± ${(row.spread ?? 0).toFixed(2)}`), el("td", { class: "number" }, row.precision_at_k === null ? "–" : `${Math.round(100 * row.precision_at_k)} %`)],
    el("td", { class: "number" }, seconds(row.fit_seconds)),
    el("td", { class: "number" }, seconds(row.score_seconds)),
  );
}

const seconds = (value) => (value < 1 ? `${Math.round(1000 * value)} ms` : `${figure(value)} s`);

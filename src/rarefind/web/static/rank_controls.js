// Which class and model, why that model, how good the order is, and the way to take it home.

import { finished, get, hunt, post } from "./api.js";
import { bars, curves } from "./charts.js";
import { button, choice, el, fill, note } from "./dom.js";
import { step } from "./opening.js";
import { count, counted, figure } from "./words.js";

export class RankControls {
  constructor(state, signal, models, onRanking) {
    Object.assign(this, { state, signal, models, onRanking });
    this.model = "auto";
    this.target = this.guess();
    this.form = el("div", { class: "form" });
    this.working = el("div", {});
    this.about = el("div", {});
    this.element = el("aside", { class: "side rank-controls", "aria-label": "The ranking" }, el("section", { class: "panel" }, el("h2", {}, "Rank"), this.form, this.working), this.about);
    state.addEventListener("progress", () => this.draw());
    this.draw();
  }

  /** The rare class with most examples: that is what a ranking is mostly wanted for. */
  guess() {
    const classes = this.state.classes.filter((item) => item.count > 0);
    return [...classes].sort((a, b) => Number(a.ordinary) - Number(b.ordinary) || b.count - a.count)[0]?.name ?? "";
  }

  draw() {
    const classes = this.state.classes.filter((item) => item.count > 0);
    const drawn = classes.map((item) => `${item.name}|${item.count}`).join("\n");
    if (drawn === this.drawn || this.form.contains(document.activeElement)) return;
    this.drawn = drawn;
    if (!classes.some((item) => item.name === this.target)) this.target = this.guess();
    this.run = button("Rank", () => this.start(), { class: "primary", id: "rank", disabled: classes.length < 2 });
    fill(
      this.form,
      choice("Class", classes.map((item) => ({ name: item.name, title: `${item.name} (${counted(item.count, "label")})` })), this.target, (name) => (this.target = name), { id: "target" }),
      choice("Model", this.models.map((item) => item.name), this.model, (name) => (this.model = name), { id: "model" }),
      this.run,
      classes.length < 2 ? el("p", { class: "quiet" }, "A ranking needs labels of two classes: some of the class, and some of something else.") : null,
    );
  }

  /** Show the latest ranking again. */
  async latest() {
    const rankings = await get(hunt(this.state.id, "/rankings"), { signal: this.signal });
    const last = rankings.at(-1);
    if (last && !this.ranking) await this.show(last);
  }

  async start() {
    this.run.disabled = true;
    const words = el("p", { class: "quiet", role: "status" }, "Starting…");
    const bar = el("progress", { "aria-label": "How far the ranking is" });
    let job = null;
    fill(this.working, words, bar, button("Cancel", () => job && post(hunt(this.state.id, `/jobs/${job}/cancel`)), { class: "ghost" }));
    try {
      ({ job } = await post(hunt(this.state.id, "/rankings"), { target: this.target, model: this.model }, { signal: this.signal }));
      const onStep = (now) => {
        words.textContent = step(now);
        if (now?.total) [bar.max, bar.value] = [now.total, now.done];
      };
      await this.show(await finished(this.state.id, job, { signal: this.signal, onStep }));
    } catch (error) {
      if (!this.signal.aborted) note(error.message, "bad");
    } finally {
      fill(this.working);
      this.run.disabled = false;
    }
  }

  async show(ranking) {
    this.ranking = ranking;
    this.target = ranking.target;
    this.drawn = null;
    this.draw();
    await this.onRanking({ ...ranking, ...(await this.summary()) });
  }

  /** More was confirmed or rejected: draw the hits again, shortly. */
  counted() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ranking && this.summary().catch(() => {}), 400);
  }

  async summary() {
    const { id } = this.ranking;
    const summary = await get(hunt(this.state.id, `/rankings/${encodeURIComponent(id)}/summary`), { signal: this.signal });
    if (id !== this.ranking.id) return null;
    fill(this.about, this.why(summary), this.hits(summary), this.histogram(summary), this.home(id));
    return summary;
  }

  why(summary) {
    const quality = summary.average_precision;
    return el(
      "section",
      { class: "panel" },
      el("h2", {}, `${summary.model} for ${summary.target}`),
      el("p", {}, summary.why),
      quality === null || quality === undefined ? null : el("p", { class: "quiet" }, `Average precision on held-out labels ${figure(quality)}`, summary.chance ? `; a random order has ${figure(summary.chance)}.` : "."),
    );
  }

  hits(summary) {
    const looked = summary.hits ?? [];
    if (!looked.length) return el("section", { class: "panel" }, el("h2", {}, "Hits"), el("p", { class: "quiet" }, "Confirm or reject records in the list: the curve of hits grows here, and the next ranking learns from every answer."));
    const found = [0, ...looked.map((item) => item.found)];
    const total = found.at(-1);
    const share = total / Math.max(1, summary.n_ranked);
    const random = found.map((_, index) => index * share);
    return el(
      "section",
      { class: "panel" },
      el("h2", {}, "Hits"),
      curves([{ name: "a random order", values: random, quiet: true }, { name: "this ranking", values: found, steps: true }], { xLabel: "records looked at", yLabel: "confirmed", sentence: `${count(total)} of ${counted(looked.length, "record")} looked at were confirmed.`, yMost: 1, wholeY: true }),
    );
  }

  histogram(summary) {
    if (!summary.histogram?.counts?.length) return null;
    const { counts, low, high } = summary.histogram;
    return el("section", { class: "panel" }, el("h2", {}, "Scores"), bars({ counts, low, high }, { xLabel: "score (heights as square roots)", sentence: `The scores of all ranked records lie between ${figure(low)} and ${figure(high)}.`, roots: true }));
  }

  home(id) {
    const link = (format) => el("a", { class: "button", download: "", id: `download-${format}`, href: hunt(this.state.id, `/export?what=ranking&format=${format}&ranking=${encodeURIComponent(id)}`) }, format.toUpperCase());
    return el("section", { class: "panel" }, el("h2", {}, "Take it home"), el("div", { class: "row" }, link("csv"), link("parquet"), link("jsonl")));
  }
}

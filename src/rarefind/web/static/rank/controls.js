// Which class and which model, and the ranking made with them.

import { get, hunt, sentence } from "../lib/api.js";
import { button, choice, el, fill } from "../lib/dom.js";
import { panel } from "../lib/layout.js";
import { note } from "../lib/notes.js";
import { counted } from "../lib/words.js";
import { run, unfinished } from "../hunt/job.js";
import { outbox } from "../hunt/outbox.js";
import { drawSummary } from "./summary.js";
import { takeWish } from "./wish.js";

/** @import { Named, RankingView } from "../lib/http.js" */
/** @import { HuntState } from "../hunt/state.js" */
/** @import { Harvest } from "./harvest.js" */

const TOO_FEW =
  "A ranking needs labels of two classes: some of the class, and some of something else.";

export class RankControls {
  /**
   * @param {HuntState} state
   * @param {AbortSignal} signal
   * @param {Named[]} models
   * @param {Harvest} harvest
   * @param {(ranking: RankingView, asked: boolean) => Promise<void>} onRanking
   * @param {() => void} onBegun
   */
  constructor(state, signal, models, harvest, onRanking, onBegun) {
    this.state = state;
    this.signal = signal;
    this.models = models.map((model) => model.name);
    this.onRanking = onRanking;
    this.onBegun = onBegun;
    this.model = "auto";
    this.target = state.likeliest;
    /** @type {RankingView | null} */
    this.ranking = null;
    this.drawn = "";
    this.timer = 0;
    this.run = button("Rank", () => this.start(), { class: "primary", id: "rank" });
    this.form = el("div", { class: "form" });
    this.working = el("div", {});
    this.since = el("p", { class: "since", role: "status", hidden: true });
    this.about = el("div", { class: "side" });
    // On a small screen the records come first.
    const open = matchMedia("(min-width: 76.01rem)").matches;
    this.fold = el(
      "details",
      { class: "rank-about", open, hidden: true },
      el("summary", {}, "About this ranking"),
      this.about,
    );
    this.harvest = harvest;
    harvest.start.addEventListener("click", () => harvest.begin(this.target, this.model));
    this.element = el(
      "aside",
      { class: "side rank-controls", "aria-label": "The ranking" },
      panel("Rank", this.form, this.working, this.since),
      harvest.element,
      this.fold,
    );
    state.on("progress", () => this.draw());
    outbox.on("kept", () => this.counted(), signal);
    this.draw();
  }

  draw() {
    const classes = this.state.classes.filter((item) => item.count > 0);
    const drawn = classes.map((item) => `${item.name}|${item.count}`).join("\n");
    if (drawn === this.drawn || this.form.contains(document.activeElement)) return;
    this.drawn = drawn;
    if (!classes.some((item) => item.name === this.target)) this.target = this.state.likeliest;
    this.run.disabled = this.harvest.start.disabled = classes.length < 2;
    const titles = classes.map(({ name, count }) => ({
      name,
      title: `${name} (${counted(count, "label")})`,
    }));
    fill(
      this.form,
      choice("Class", titles, this.target, (name) => (this.target = name), { id: "target" }),
      choice("Model", this.models, this.model, (name) => (this.model = name), { id: "model" }),
      this.run,
      classes.length < 2 ? el("p", { class: "quiet" }, TOO_FEW) : null,
    );
  }

  /** Show the latest ranking again. */
  async latest() {
    const wish = takeWish(this.state.id);
    if (wish && this.models.includes(wish.model)) {
      [this.target, this.model, this.drawn] = [wish.target, wish.model, ""];
      this.draw();
      await this.start();
      return;
    }
    const before = unfinished(this.state.id, "/rankings");
    if (before) {
      [this.target, this.model, this.drawn] = [before.settings.target, before.settings.model, ""];
      this.draw();
      await this.start(before.job);
      return;
    }
    /** @type {RankingView[]} */
    const rankings = await get(hunt(this.state.id, "/rankings"), { signal: this.signal });
    const last = rankings.at(-1);
    if (last && !this.ranking) await this.show(last);
  }

  async start(begun = "") {
    this.run.disabled = true;
    this.onBegun();
    const settings = { target: this.target, model: this.model };
    const shown = { holder: this.working, name: "ranking", signal: this.signal, begun };
    try {
      await this.show(await run(this.state.id, "/rankings", settings, shown), true);
    } catch (error) {
      if (!this.signal.aborted) note(sentence(error), "bad");
    } finally {
      fill(this.working);
      this.run.disabled = false;
    }
  }

  /**
   * @param {RankingView} ranking
   * @param {boolean} asked whether somebody has waited for it
   */
  async show(ranking, asked = false) {
    this.ranking = ranking;
    this.target = ranking.target;
    this.drawn = "";
    this.draw();
    await this.onRanking({ ...ranking, ...(await this.summary(ranking.id)) }, asked);
  }

  /** While a class is harvested, what is said of the last ranking would be beside the point. */
  harvesting() {
    this.fold.hidden = this.since.hidden = true;
  }

  /** Show the ranking again that was looked at before a harvest. */
  async back() {
    if (this.ranking) await this.show(this.ranking);
  }

  /** @param {number} labels */
  drawSince(labels) {
    this.since.hidden = !labels;
    const again = button("rank again", () => this.start(), { class: "link", id: "rank-again" });
    fill(this.since, `${counted(labels, "label")} since this ranking: `, again, ".");
  }

  /** More was confirmed or rejected: draw the hits again, shortly. */
  counted() {
    const { ranking } = this;
    if (!ranking) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.summary(ranking.id).catch(() => {}), 400);
  }

  /** @param {string} id */
  async summary(id) {
    const address = hunt(this.state.id, `/rankings/${encodeURIComponent(id)}/summary`);
    /** @type {RankingView} */
    const summary = await get(address, { signal: this.signal });
    if (id !== this.ranking?.id) return null;
    if (this.harvest.active) return summary;
    fill(this.about, drawSummary(this.state.id, summary));
    this.fold.hidden = false;
    this.drawSince(summary.labels_since ?? 0);
    return summary;
  }
}

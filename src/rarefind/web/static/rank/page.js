// The rank page: all records in the order of their likeness to a class, answered by key.

import { get } from "../lib/api.js";
import { el, fill } from "../lib/dom.js";
import { onKeys } from "../lib/keys.js";
import { note, say } from "../lib/notes.js";
import { showHelp } from "../frame/help.js";
import { opened } from "../hunt/opening.js";
import { outbox } from "../hunt/outbox.js";
import { RankControls } from "./controls.js";
import { RankDetail } from "./detail.js";
import { Harvest } from "./harvest.js";
import { RankList } from "./list.js";

/** @import { Named, RankingView } from "../lib/http.js" */
/** @import { Round } from "./harvest.js" */
/** @import { Place } from "../hunt/opening.js" */
/** @import { HuntState } from "../hunt/state.js" */

/** @param {Place} place */
export async function show(place) {
  const state = await opened(place);
  /** @type {Named[]} */
  const models = await get("/api/models", { signal: place.signal });
  const page = new RankPage(place, state, models);
  await state.loadLabels();
  await page.controls.latest();
  if (!page.target) page.list.clear();
}

class RankPage {
  /**
   * @param {Place} place
   * @param {HuntState} state
   * @param {Named[]} models
   */
  constructor({ root, id, signal }, state, models) {
    this.id = id;
    this.state = state;
    /** @type {{id: string, row: number}[]} */
    this.done = []; // what this page answered, for undo
    /** @type {RankingView | null} */
    this.ranking = null;
    this.target = ""; // the class that is ranked for
    this.list = new RankList(state, signal, (item) => {
      if (this.target) this.detail.show(item, this.target, this.ranking?.id ?? null);
    });
    this.detail = new RankDetail(state, signal, {
      onConfirm: () => this.confirm(),
      onReject: () => this.reject(),
      onLabel: (name) => this.label(name),
      onUndo: () => this.undo(),
      onDrawn: () => this.list.illustrate(),
    });
    this.harvest = new Harvest(
      state,
      signal,
      (round, number) => this.showRound(round, number),
      () => this.leaveHarvest(),
    );
    this.controls = new RankControls(
      state,
      signal,
      models,
      this.harvest,
      (ranking, asked) => this.showRanking(ranking, asked),
      () => this.list.coming(),
    );
    fill(
      root,
      el("h1", { class: "only-spoken" }, `Rank ${state.view.name}`),
      this.controls.element,
      this.list.element,
      this.detail.element,
    );
    onKeys(signal, (name) => this.press(name));
  }

  /**
   * @param {RankingView} ranking
   * @param {boolean} asked
   */
  async showRanking(ranking, asked) {
    this.harvest.stop();
    this.ranking = ranking;
    this.target = ranking.target;
    await this.list.load(ranking);
    // On a phone the list begins below what was pressed.
    if (asked && matchMedia("(max-width: 48rem)").matches) this.list.element.scrollIntoView();
  }

  /**
   * @param {Round} round
   * @param {number} number
   */
  showRound(round, number) {
    this.ranking = null;
    this.target = round.target;
    this.controls.harvesting();
    this.list.showRound(round, number);
    if (!round.looks.length) this.detail.hide();
  }

  async leaveHarvest() {
    this.detail.hide();
    this.list.clear();
    await this.controls.back();
  }

  /** @param {string} name */
  press(name) {
    if (name === "?") showHelp("rank");
    else if (name === "ArrowDown" || name === "j") this.list.move(this.list.columns);
    else if (name === "ArrowUp" || name === "k") this.list.move(-this.list.columns);
    else if (name === "ArrowRight" && this.list.columns > 1) this.list.move(1);
    else if (name === "ArrowLeft" && this.list.columns > 1) this.list.move(-1);
    else if (name === "y") this.confirm();
    else if (name === "x") this.reject();
    else if (name === "u") this.undo();
    else if (name === "n") this.detail.askName();
    else if (name === "Escape" && this.detail.which) this.detail.leave();
    else {
      const item = this.state.classes.find((candidate) => candidate.key === name);
      if (!item) return false;
      this.label(item.name);
    }
    return true;
  }

  confirm() {
    if (this.target) this.label(this.target);
  }

  /** A record that is not of the class is something: what the button says. */
  reject() {
    if (this.detail.no) this.label(this.detail.no);
    else this.detail.askWhich();
  }

  /** @param {string} name */
  label(name) {
    const item = this.list.current;
    if (!item) return;
    const isNew = !this.state.names.includes(name);
    if (this.state.labelOf.has(item.row)) {
      note(`Record ${item.row} has a label already. Take it back first.`, "bad");
      return;
    }
    const { row } = item;
    const { id } = this.harvest.active
      ? outbox.add("look", this.id, { row, label: name, of: this.target })
      : outbox.add("label", this.id, { row, label: name, asked: false });
    this.done.push({ id, row });
    this.state.setLabel(item.row, name);
    say(`Record ${item.row} is ${name}.`);
    if (isNew) note(`A new class: ${name}`);
    this.list.next();
    this.controls.counted();
  }

  undo() {
    const last = this.done.pop();
    outbox.add("undo", this.id, { target: last?.id ?? null });
    this.state.labelsStale = true;
    if (!last) return;
    this.state.setLabel(last.row, null);
    this.list.select(last.row);
    this.controls.counted();
    say(`Your answer about record ${last.row} is taken back.`);
  }
}

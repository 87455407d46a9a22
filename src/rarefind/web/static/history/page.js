// Everything that was said, who said it and when; anything can be taken back.

import { ApiError, get, hunt, sentence } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { HistoryFilters } from "./filters.js";
import { pageHead, table } from "../lib/layout.js";
import { count, counted, moment, when } from "../lib/words.js";
import { labelChip } from "../hunt/chips.js";
import { opened } from "../hunt/opening.js";
import { outbox } from "../hunt/outbox.js";
import { isDrawn } from "../record/drawing.js";
import { Stamps } from "../record/stamps.js";
import { STARRED, drawSummary, isStarred } from "../record/summary.js";

/** @import { HistoryView } from "../lib/http.js" */
/** @import { Place } from "../hunt/opening.js" */
/** @import { HuntState } from "../hunt/state.js" */

const PAGE = 100;
// News that change the history.
const SAID = ["label", "skip", "undo", "rename", "append", "missed"];

/** @param {Place} place */
export async function show(place) {
  new HistoryPage(place, await opened(place));
}

class HistoryPage {
  /**
   * @param {Place} place
   * @param {HuntState} state
   */
  constructor({ root, id, signal }, state) {
    this.id = id;
    this.signal = signal;
    this.state = state;
    this.body = el("tbody", {});
    this.more = button("Earlier answers", () => this.load(), { class: "ghost" });
    this.stars = el("p", { class: "quiet", hidden: true }, STARRED);
    this.empty = el("p", { class: "quiet", hidden: true }, "Nothing of this has been said yet.");
    this.stamps = new Stamps(id, signal);
    /** @type {Promise<boolean> | null} */
    this.illustrated = null; // whether records are better seen than read: one tells for all
    this.last = 0; // the oldest answer shown, by its number
    this.timer = 0;
    /** @type {Map<string, number>} */
    this.chosen = new Map(); // what is to be taken back, with how many answers each is
    this.filters = new HistoryFilters(state, () => {
      this.address();
      this.load(true);
    });
    this.all = el("input", { type: "checkbox", "aria-label": "Choose all that are listed" });
    this.all.addEventListener("change", () => this.chooseAll(this.all.checked));
    this.many = button("", () => this.undoMany(), { id: "undo-chosen" });
    const heads = [this.all, "When", "Who", "Record", "What was said", onlySpoken("Take back")];
    fill(
      root,
      pageHead(
        "History",
        "Every answer, who gave it and when. Taking one back keeps the record of it.",
        el("div", { class: "row push" }, quiet("Labels as"), downloads(id)),
      ),
      el(
        "section",
        { class: "card" },
        this.filters.element,
        el("div", { class: "row" }, this.many),
        this.stars,
        table("history", "Answers", heads, this.body),
        this.empty,
        el("div", { class: "row centre" }, this.more),
      ),
    );
    this.drawMany();
    this.load();
    outbox.on("kept", () => this.soon(), signal);
    state.on("heard", (news) => SAID.includes(news.type) && this.soon());
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(true), 150);
  }

  /** List nothing: what was listed before is not what is wanted now. */
  clear() {
    fill(this.body);
    this.stars.hidden = true;
    this.chosen.clear();
    this.all.checked = false;
    this.more.hidden = true;
    this.drawMany();
  }

  /** The address says what is listed, so that it can be kept and sent. */
  address() {
    const rest = this.filters.wanted.size ? `?${this.filters.wanted}` : "";
    history.replaceState(null, "", `#/hunt/${encodeURIComponent(this.id)}/history${rest}`);
  }

  async load(afresh = false) {
    const before = afresh || !this.last ? "" : `&before=${this.last}`;
    const wanted = this.filters.wanted;
    const address = hunt(this.id, `/history?fold=true&limit=${PAGE}${before}&${wanted}`);
    /** @type {HistoryView[]} */
    let events;
    try {
      events = await get(address, { signal: this.signal });
    } catch (error) {
      if (this.signal.aborted) return;
      this.filters.refuse(sentence(error));
      if (!(error instanceof ApiError && error.passing)) this.clear();
      return;
    }
    if (String(wanted) !== String(this.filters.wanted)) return; // others are wanted meanwhile
    this.filters.refuse("");
    if (afresh) this.clear();
    const lines = events.map((event) => this.row(event));
    this.body.append(...lines);
    if (events.some(({ summary }) => isStarred(summary))) this.stars.hidden = false;
    this.illustrate(lines);
    this.last = events.at(-1)?.seq ?? this.last;
    this.more.hidden = events.length < PAGE;
    this.empty.hidden = this.body.children.length > 0;
    this.drawMany();
  }

  /**
   * Pictures, graphs and molecules are drawn as their lines come into view.
   * @param {HTMLElement[]} lines
   */
  illustrate(lines) {
    const drawn = lines.filter((line) => line.dataset.row);
    if (!drawn.length) return;
    this.illustrated ??= this.stamps.record(Number(drawn[0].dataset.row)).then(isDrawn);
    this.illustrated.then(
      (yes) => {
        if (!yes) return;
        this.body.dataset.drawn = "yes"; // lines keep a place for what is still to come
        drawn.forEach((line) => this.stamps.watch(line));
      },
      () => (this.illustrated = null), // the next page of answers tries again
    );
  }

  /** @param {HistoryView} event */
  row(event) {
    const { at, kind, row, undone } = event;
    const undo = (/** @type {MouseEvent} */ click) => this.undo(event, click);
    const about = row === null ? event.words : `record ${row}, ${event.value ?? "skipped"}`;
    const words = `Take back: ${about}`;
    const mayUndo = !undone && ["label", "skip", "rename"].includes(kind);
    const tick = el("input", { type: "checkbox", "aria-label": `Choose: ${about}` });
    tick.addEventListener("change", () => this.choose(event, tick.checked));
    const exact = { datetime: new Date(at * 1000).toISOString(), title: moment(at) };
    return el(
      "tr",
      { data: { undone: undone ? "yes" : null, kind, seq: event.seq, row } },
      el("td", {}, mayUndo ? tick : null),
      el("td", {}, el("time", exact, when(at))),
      el("td", {}, event.annotator),
      el("td", {}, row === null ? "" : this.about(row, event)),
      el(
        "td",
        {},
        this.said(event),
        undone ? quiet(" taken back") : null,
        kind === "label" && !event.asked ? quiet(" unasked") : null,
        (event.together ?? 1) > 1
          ? quiet(` one step of ${count(event.together ?? 1)} records`)
          : null,
      ),
      el(
        "td",
        {},
        mayUndo ? button("Take back", undo, { class: "ghost", "aria-label": words }) : null,
      ),
    );
  }

  /**
   * @param {HistoryView} event
   * @param {boolean} yes
   */
  choose(event, yes) {
    if (yes) this.chosen.set(target(event), event.together ?? 1);
    else this.chosen.delete(target(event));
    this.drawMany();
  }

  /** @param {boolean} yes */
  chooseAll(yes) {
    for (const tick of this.body.querySelectorAll("input")) if (tick.checked !== yes) tick.click();
  }

  drawMany() {
    const answers = [...this.chosen.values()].reduce((sum, each) => sum + each, 0);
    fill(this.many, `Take back ${counted(answers, "answer")}`);
    this.many.hidden = answers === 0;
  }

  undoMany() {
    const targets = [...this.chosen.keys()];
    if (targets.length) outbox.add("undos", this.id, { targets });
    this.chosen.clear();
    this.drawMany();
  }

  /** @param {HistoryView} event */
  said({ kind, value, words }) {
    if (kind === "label") return labelChip(this.state, value);
    if (kind === "skip") return quiet("skipped");
    if (kind === "undo") return quiet(words ?? "");
    if (kind === "append") return quiet("added records");
    return words;
  }

  /**
   * @param {number} row
   * @param {HistoryView} event
   */
  about(row, event) {
    const words = el("span", { class: "said-of" }, this.link(row), drawSummary(event.summary));
    return el("span", { class: "about" }, el("span", { class: "stamp-place" }), words);
  }

  /** @param {number} row */
  link(row) {
    const href = `#/hunt/${encodeURIComponent(this.id)}/label/${row}`;
    return el("a", { href, "aria-label": `Show record ${row}` }, String(row));
  }

  /**
   * @param {HistoryView} event
   * @param {MouseEvent} click
   */
  undo(event, click) {
    if (click.currentTarget instanceof HTMLButtonElement) click.currentTarget.disabled = true;
    outbox.add("undo", this.id, { target: target(event) });
  }
}

/**
 * What is taken back with an answer: all of its step, if there is one.
 * @param {HistoryView} event
 */
const target = (event) => ((event.together ?? 1) > 1 && event.step) || event.id;

/** @param {string} words */
const quiet = (words) => el("span", { class: "quiet" }, words);

/** @param {string} words */
const onlySpoken = (words) => el("span", { class: "only-spoken" }, words);

/** @param {string} id */
const downloads = (id) =>
  ["csv", "jsonl", "parquet"].map((format) => {
    const href = hunt(id, `/export?what=labels&format=${format}`);
    return el("a", { class: "button", href, download: "" }, format.toUpperCase());
  });

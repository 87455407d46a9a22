// The ranked records, best first, fetched as one moves down.

import { get, hunt } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { scoreBar } from "../lib/layout.js";
import { counted, score } from "../lib/words.js";
import { labelChip } from "../hunt/chips.js";
import { isOnlyDrawn } from "../record/drawing.js";
import { Stamps } from "../record/stamps.js";
import { drawSummary, isStarred } from "../record/summary.js";

/** @import { RankedView, RankingView, RecordView } from "../lib/http.js" */
/** @import { HuntState } from "../hunt/state.js" */
/** @import { Round } from "./harvest.js" */

/** @typedef {RankedView & {chance?: number | null}} Item */

const PAGE = 50;
const COMING = "The records appear here, most alike first.";
const NOTHING_YET =
  "Choose a class and press Rank: " +
  "every record is put in the order of its likeness to the class.";

export class RankList {
  /**
   * @param {HuntState} state
   * @param {AbortSignal} signal
   * @param {(item: Item) => void} onSelect
   */
  constructor(state, signal, onSelect) {
    this.state = state;
    this.signal = signal;
    this.onSelect = onSelect;
    /** @type {RankingView | null} */
    this.ranking = null;
    /** @type {Item[]} */
    this.items = [];
    this.place = -1; // the one chosen
    this.best = 1;
    this.least = 0;
    this.illustrated = false;
    /** @type {Promise<RankedView[]> | null} */
    this.fetching = null;
    this.rows = el("ol", { class: "ranked" });
    this.more = button("Show more", () => this.page(), { class: "ghost" });
    this.words = el("p", { class: "quiet nothing" }, COMING);
    this.gridded = true; // whether records that are pictures lie in a grid
    this.switch = button("", () => this.lay(!this.gridded), { class: "ghost", id: "as-grid" });
    this.switch.hidden = true;
    this.element = el(
      "section",
      { class: "card rank-list", "aria-label": "Ranked records" },
      el("div", { class: "row between" }, this.words, this.switch),
      this.rows,
      el("div", { class: "row centre" }, this.more),
    );
    this.more.hidden = true;
    this.stamps = new Stamps(state.id, signal, (line, record) => this.stamped(line, record));
    state.on("labels", () => this.relabel());
    state.on("progress", () => this.relabel());
  }

  get current() {
    return this.items[this.place] ?? null;
  }

  /** @param {RankingView | null} ranking */
  begin(ranking) {
    [this.ranking, this.items, this.place] = [ranking, [], -1];
    fill(this.rows);
  }

  /** @param {RankingView} ranking */
  async load(ranking) {
    this.begin(ranking);
    await this.page();
    const first = this.items.findIndex((item) => this.labelOf(item) === null);
    this.go(Math.max(0, first));
  }

  /** A first ranking is on its way. */
  coming() {
    if (!this.ranking) this.words.textContent = COMING;
  }

  /** Show nothing, as before the first ranking. */
  clear() {
    this.begin(null);
    this.more.hidden = true;
    this.words.className = "quiet nothing";
    this.words.textContent = NOTHING_YET;
  }

  /**
   * The records of a round of the harvest.
   * @param {Round} round
   * @param {number} number
   */
  showRound({ looks, target, ended }, number) {
    this.begin(null);
    this.extend(looks.map((look, place) => ({ ...look, rank: place + 1, label: null, tied: 0 })));
    this.more.hidden = true;
    this.words.className = "quiet list-head";
    this.words.textContent = looks.length
      ? `Round ${number} of the harvest of ${target}, most likely first`
      : (ended ?? "Nothing is left to look at.");
    this.go(0);
  }

  async page() {
    const { ranking } = this;
    if (!ranking) return;
    if (this.fetching) {
      await this.fetching;
      return;
    }
    const query = `offset=${this.items.length}&limit=${PAGE}`;
    const address = hunt(this.state.id, `/rankings/${encodeURIComponent(ranking.id)}?${query}`);
    this.fetching = get(address, { signal: this.signal });
    try {
      this.extend(await this.fetching);
    } finally {
      this.fetching = null;
    }
    const any = this.items.length > 0;
    const marked = this.items.some(({ summary }) => isStarred(summary));
    this.words.textContent = any
      ? `Ranked for ${ranking.target}, most alike first${marked ? "; * rare" : ""}`
      : "Nothing is left to rank: every record has a label.";
    this.words.className = any ? "quiet list-head" : "quiet nothing";
  }

  /** @param {Item[]} items */
  extend(items) {
    if (!this.items.length) {
      this.best = items[0]?.score ?? 1;
      this.least = items.at(-1)?.score ?? 0;
    }
    for (const item of items) {
      this.items.push(item);
      this.rows.append(this.row(item, this.items.length - 1));
    }
    this.more.hidden = items.length < PAGE;
  }

  /**
   * @param {Item} item
   * @param {number} place
   */
  row(item, place) {
    const line = el(
      "li",
      { data: { row: item.row } },
      el(
        "button",
        {
          type: "button",
          class: "ranked-row",
          data: { row: item.row },
          on: { click: () => this.go(place) },
        },
        el("span", { class: "rank-number" }, item.rank),
        el("span", { class: "ranked-stamp stamp-place" }),
        el(
          "span",
          { class: "ranked-words" },
          el("span", { class: "ranked-name" }, `record ${item.row}`),
          drawSummary(item.summary),
          item.tied ? el("span", { class: "tied quiet" }, ties(item.tied)) : null,
        ),
        el(
          "span",
          { class: "ranked-score", title: "score" },
          scoreBar(item.chance ?? this.share(item.score)),
          told(item),
        ),
        el("span", { class: "ranked-label" }, this.chipOf(item)),
      ),
    );
    if (this.illustrated) this.stamps.watch(line);
    return line;
  }

  /** From now on every record has its picture beside it, fetched as it comes into view. */
  illustrate() {
    if (this.illustrated) return;
    this.illustrated = true;
    this.rows.dataset.drawn = "yes";
    for (const line of this.rows.children) this.stamps.watch(line);
  }

  /**
   * @param {HTMLElement} line
   * @param {RecordView} record
   */
  stamped(line, record) {
    if (!isOnlyDrawn(record)) return;
    line.dataset.onlyDrawn = "yes";
    if (this.switch.hidden) this.lay(this.gridded);
  }

  /**
   * Lay pictures out as a grid or as a list.
   * @param {boolean} grid
   */
  lay(grid) {
    this.gridded = grid;
    this.rows.dataset.grid = grid ? "yes" : "no";
    this.switch.hidden = false;
    this.switch.textContent = grid ? "As a list" : "As pictures";
  }

  /** How many records stand side by side. */
  get columns() {
    if (this.rows.dataset.grid !== "yes") return 1;
    return getComputedStyle(this.rows).gridTemplateColumns.split(" ").length;
  }

  /**
   * How long the bar of a score is, between the first and the fiftieth.
   * @param {number} value
   */
  share(value) {
    // Far below the top scores may differ wildly: the bars compare those one looks at first.
    return Math.max(0.02, Math.min(1, (value - this.least) / (this.best - this.least || 1)));
  }

  /** @param {Item} item */
  labelOf(item) {
    return this.state.labelOf.get(item.row) ?? item.label ?? null;
  }

  /** @param {Item} item */
  chipOf(item) {
    const name = this.labelOf(item);
    return name === null ? null : labelChip(this.state, name);
  }

  relabel() {
    this.items.forEach((item, place) => {
      // What the server said when the list was made may have been taken back since.
      item.label = this.state.labelOf.get(item.row) ?? null;
      const label = this.rows.children[place]?.querySelector(".ranked-label");
      if (label) fill(label, this.chipOf(item));
    });
  }

  /** @param {number} place */
  async go(place) {
    if (place < 0 || !this.items.length) return;
    if (place >= this.items.length && !this.more.hidden) await this.page();
    const before = this.button(this.place);
    const focused = before !== null && before === document.activeElement;
    before?.removeAttribute("aria-current");
    this.place = Math.min(place, this.items.length - 1);
    const now = this.button(this.place);
    now?.setAttribute("aria-current", "true");
    now?.scrollIntoView({ block: "nearest" });
    if (focused) now?.focus({ preventScroll: true });
    this.onSelect(this.items[this.place]);
  }

  /**
   * @param {number} place
   * @returns {HTMLButtonElement | null}
   */
  button(place) {
    return this.rows.children[place]?.querySelector("button") ?? null;
  }

  /** @param {number} by */
  move(by) {
    this.go(this.place + by);
  }

  /** On to the next record without a label. */
  next() {
    let place = this.place + 1;
    while (place < this.items.length && this.labelOf(this.items[place]) !== null) place += 1;
    this.go(place);
  }

  /** @param {number} row */
  select(row) {
    const place = this.items.findIndex((item) => item.row === row);
    if (place >= 0) this.go(place);
  }
}

/**
 * The chance that it is of the class where one can be told, else its score.
 * @param {Item} item
 */
const told = ({ chance, score: value }) =>
  chance === null || chance === undefined ? score(value) : `${Math.round(100 * chance)} %`;

/** @param {number} others */
const ties = (others) => `same score as ${counted(others, "other")}`;

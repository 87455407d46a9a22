// The ranked records, best first, fetched as one moves down.

import { get, hunt } from "./api.js";
import { labelChip } from "./chips.js";
import { button, el, fill } from "./dom.js";
import { drawStamp, isOnlyDrawn } from "./record.js";
import { score } from "./words.js";

const PAGE = 50;

export class RankList {
  constructor(state, signal, onSelect) {
    Object.assign(this, { state, signal, onSelect });
    this.items = [];
    this.place = -1;
    this.rows = el("ol", { class: "ranked" });
    this.more = button("Show more", () => this.page(), { class: "ghost" });
    this.words = el("p", { class: "quiet nothing" }, "Choose a class and press Rank: every record is put in the order of its likeness to the class.");
    this.element = el("section", { class: "card rank-list", "aria-label": "Ranked records" }, this.words, this.rows, el("div", { class: "row centre" }, this.more));
    this.more.hidden = true;
    this.near = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        this.near.unobserve(target);
        this.stamp(target).catch(() => {});
      }
    });
    signal.addEventListener("abort", () => this.near.disconnect());
    state.addEventListener("labels", () => this.relabel());
    state.addEventListener("progress", () => this.relabel());
  }

  get current() {
    return this.items[this.place] ?? null;
  }

  async load(ranking) {
    this.ranking = ranking;
    this.items = [];
    this.place = -1;
    fill(this.rows);
    await this.page();
    const first = this.items.findIndex((item) => this.labelOf(item) === null);
    this.go(Math.max(0, first));
  }

  async page() {
    if (this.fetching) return this.fetching;
    const address = hunt(this.state.id, `/rankings/${encodeURIComponent(this.ranking.id)}?offset=${this.items.length}&limit=${PAGE}`);
    this.fetching = get(address, { signal: this.signal });
    try {
      const items = await this.fetching;
      if (!this.items.length) [this.best, this.least] = [items[0]?.score, items.at(-1)?.score];
      for (const item of items) {
        this.items.push(item);
        this.rows.append(this.row(item, this.items.length - 1));
      }
      this.words.textContent = this.items.length ? `Ranked for ${this.ranking.target}, most alike first` : "Nothing is left to rank: every record has a label.";
      this.words.className = this.items.length ? "quiet list-head" : "quiet nothing";
      this.more.hidden = items.length < PAGE;
    } finally {
      this.fetching = null;
    }
    return undefined;
  }

  row(item, place) {
    const bar = el("span", { class: "score-bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", String(this.share(item.score)));
    const label = el("span", { class: "ranked-label" }, this.chipOf(item));

    const line = el(
      "li",
      { data: { row: item.row } },
      el(
        "button",
        { type: "button", class: "ranked-row", data: { row: item.row }, on: { click: () => this.go(place) } },
        el("span", { class: "rank-number" }, item.rank),
        el("span", { class: "ranked-stamp" }),
        el("span", { class: "ranked-words" }, el("span", { class: "ranked-name" }, `record ${item.row}`), el("span", { class: "summary quiet" }, item.summary)),
        el("span", { class: "ranked-score", title: "score" }, bar, score(item.score)),
        label,
      ),
    );
    if (this.illustrated) this.near.observe(line);
    return line;
  }

  /** From now on every record has its picture beside it, fetched as it comes into view. */
  illustrate() {
    if (this.illustrated) return;
    this.illustrated = true;
    for (const line of this.rows.children) this.near.observe(line);
  }

  async stamp(line) {
    const { record } = await get(hunt(this.state.id, `/records/${line.dataset.row}`), { signal: this.signal });
    fill(line.querySelector(".ranked-stamp"), drawStamp(record));
    if (isOnlyDrawn(record)) line.dataset.onlyDrawn = "yes";
  }

  /** How long the bar of a score is, between the first and the fiftieth. */
  share(value) {
    // Far below the top scores may differ wildly: the bars compare those one looks at first.
    return Math.max(0.02, Math.min(1, (value - this.least) / (this.best - this.least || 1)));
  }

  labelOf(item) {
    return this.state.labelOf.get(item.row) ?? item.label ?? null;
  }

  chipOf(item) {
    const name = this.labelOf(item);
    return name === null ? null : labelChip(this.state, name);
  }

  relabel() {
    this.items.forEach((item, place) => {
      // What the server said when the list was made may have been taken back since.
      item.label = this.state.labelOf.get(item.row) ?? null;
      fill(this.rows.children[place].querySelector(".ranked-label"), this.chipOf(item));
    });
  }

  async go(place) {
    if (place < 0 || !this.items.length) return;
    if (place >= this.items.length && !this.more.hidden) await this.page();
    const before = this.rows.children[this.place]?.firstElementChild;
    const focused = before && before === document.activeElement;
    before?.removeAttribute("aria-current");
    this.place = Math.min(place, this.items.length - 1);
    const now = this.rows.children[this.place].firstElementChild;
    now.setAttribute("aria-current", "true");
    now.scrollIntoView({ block: "nearest" });
    if (focused) now.focus({ preventScroll: true });
    this.onSelect(this.current);
  }

  move(by) {
    this.go(this.place + by);
  }

  /** On to the next record without a label. */
  next() {
    let place = this.place + 1;
    while (place < this.items.length && this.labelOf(this.items[place]) !== null) place += 1;
    this.go(place);
  }

  select(row) {
    const place = this.items.findIndex((item) => item.row === row);
    if (place >= 0) this.go(place);
  }
}

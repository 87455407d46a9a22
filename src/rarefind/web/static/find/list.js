// A list of records with a line about each: looked at, ticked, labelled one by one or many.

import { sentence } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { note } from "../lib/notes.js";
import { count, counted } from "../lib/words.js";
import { answerButton, labelChip } from "../hunt/chips.js";
import { outbox } from "../hunt/outbox.js";
import { drawRecord, isDrawn } from "../record/drawing.js";
import { Stamps } from "../record/stamps.js";
import { STARRED, drawSummary, isStarred } from "../record/summary.js";

/** @import { FoundRecord } from "../lib/http.js" */
/** @import { HuntState } from "../hunt/state.js" */

/**
 * Where the records come from, page by page.
 * @typedef {object} Source
 * @property {number} total
 * @property {(offset: number, limit: number) => Promise<FoundRecord[]>} page
 * @property {() => Promise<ArrayLike<number>>} rows all of them
 */

const PAGE = 50;

export class RecordList {
  /**
   * @param {HuntState} state
   * @param {AbortSignal} signal
   * @param {(row: number | null) => void} [onLook] a record is looked at, or none
   */
  constructor(state, signal, onLook = () => {}) {
    this.state = state;
    this.signal = signal;
    this.onLook = onLook;
    this.onChoose = () => {};
    /** @type {Set<number>} */
    this.chosen = new Set();
    /** @type {Source | null} */
    this.source = null;
    this.listed = 0;
    this.stamps = new Stamps(state.id, signal);
    /** @type {Promise<boolean> | null} */
    this.illustrated = null; // whether records are better seen than read
    this.head = el("div", { class: "row list-head" });
    this.stars = el("p", { class: "quiet", hidden: true }, STARRED);
    this.items = el("ol", { class: "plain found" });
    this.more = button("More", () => this.load(), { class: "ghost", id: "more-found" });
    this.element = el(
      "div",
      { class: "record-list" },
      this.head,
      this.stars,
      this.items,
      this.more,
    );
    state.on("labels", () => this.relabel());
    state.on("progress", () => this.relabel());
  }

  /**
   * @param {Source} source
   * @param {Iterable<number>} chosen
   */
  async show(source, chosen = []) {
    this.source = source;
    this.chosen = new Set(chosen);
    this.listed = 0;
    fill(this.items);
    this.stars.hidden = true;
    this.drawHead();
    this.onChoose();
    await this.load();
  }

  async load() {
    const { source } = this;
    if (!source) return;
    try {
      const records = source.total ? await source.page(this.listed, PAGE) : [];
      if (source !== this.source) return;
      this.listed += records.length;
      const items = records.map((record) => this.item(record));
      this.items.append(...items);
      if (records.some(({ summary }) => isStarred(summary))) this.stars.hidden = false;
      if (records.length && (await this.drawn(records[0].row))) {
        this.items.dataset.drawn = "yes"; // lines keep a place for what is still to come
        items.forEach((item) => this.stamps.watch(item));
      }
      this.more.hidden = this.listed >= source.total;
      this.element.dataset.total = String(source.total);
    } catch (error) {
      if (!this.signal.aborted) note(sentence(error), "bad");
    }
  }

  /**
   * All records of a hunt are of one kind: one of them tells.
   * @param {number} row
   */
  drawn(row) {
    this.illustrated ??= this.stamps.record(row).then(isDrawn);
    return this.illustrated;
  }

  drawHead() {
    const total = this.source?.total ?? 0;
    const all = async () => {
      if (!this.source) return;
      this.choose(Array.from(await this.source.rows()));
    };
    fill(
      this.head,
      el(
        "p",
        { role: "status", id: "chosen" },
        `${counted(total, "record")}, ${count(this.chosen.size)} chosen`,
      ),
      total ? button("Choose all", all, { class: "link", id: "choose-all" }) : null,
      this.chosen.size ? button("None", () => this.choose([]), { class: "link" }) : null,
    );
  }

  /** @param {number[]} rows */
  choose(rows) {
    this.chosen = new Set(rows);
    for (const box of this.items.querySelectorAll("input"))
      box.checked = this.chosen.has(Number(box.value));
    this.drawHead();
    this.onChoose();
  }

  /** @param {FoundRecord} record */
  item({ row, summary, score }) {
    const tick = el("input", {
      type: "checkbox",
      value: String(row),
      checked: this.chosen.has(row),
      "aria-label": `Choose record ${row}`,
    });
    tick.addEventListener("change", () => {
      if (tick.checked) this.chosen.add(row);
      else this.chosen.delete(row);
      this.drawHead();
      this.onChoose();
    });
    const inside = el("div", { class: "found-record", hidden: true });
    const look = () => this.look(row, opener, inside);
    const opener = button([el("b", {}, `record ${row}`), " ", drawSummary(summary)], look, {
      class: "link found-line",
      "aria-expanded": "false",
    });
    const told = score === null || score === undefined ? null : quiet(score.toPrecision(3));
    return el(
      "li",
      { data: { row } },
      tick,
      el("span", { class: "stamp-place" }),
      opener,
      told,
      el("span", { class: "found-label" }, labelChip(this.state, this.state.labelOf.get(row))),
      inside,
    );
  }

  /**
   * @param {number} row
   * @param {HTMLButtonElement} opener
   * @param {HTMLElement} inside
   */
  async look(row, opener, inside) {
    const open = inside.hidden;
    inside.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    this.onLook(open ? row : null);
    if (!open || inside.children.length) return;
    try {
      const record = await this.stamps.record(row);
      const answers = this.state.classes.map((item) =>
        answerButton(item, () => this.answer(row, item.name)),
      );
      const href = `#/hunt/${encodeURIComponent(this.state.id)}/label/${row}`;
      fill(
        inside,
        drawRecord(record),
        el("div", { class: "answer-buttons", role: "group", "aria-label": "It is" }, answers),
        el("a", { href }, "Open on the label page"),
      );
    } catch (error) {
      if (!this.signal.aborted) note(sentence(error), "bad");
    }
  }

  /**
   * @param {number} row
   * @param {string} label
   */
  answer(row, label) {
    outbox.add("label", this.state.id, { row, label, asked: false });
    this.state.setLabel(row, label);
  }

  relabel() {
    for (const item of this.items.children) {
      if (!(item instanceof HTMLElement)) continue;
      const place = item.querySelector(".found-label");
      const name = this.state.labelOf.get(Number(item.dataset.row));
      if (place) fill(place, labelChip(this.state, name));
    }
  }
}

/** @param {string} words */
const quiet = (words) => el("span", { class: "quiet" }, words);

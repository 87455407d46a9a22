// What the page knows of one hunt: progress, classes in the order of their keys, who labelled what.
//
// Key and colour of a class come from the server and never change. A class named here a moment ago
// has no key until the server gave it one: a key that moved would be an answer nobody meant.

import { bytes, get, hunt, post } from "../lib/api.js";
import { Teller } from "../lib/teller.js";
import { listen } from "./live.js";
import { outbox } from "./outbox.js";

/** @import { HuntAnswer, Person, ProgressView } from "../lib/http.js" */
/** @import { News } from "./live.js" */

/**
 * A class as the page shows it; key is what answers with it, colour what `look` draws.
 * @typedef {object} ClassItem
 * @property {string} name
 * @property {number} count
 * @property {number | null} firstRow
 * @property {number | null} firstAt
 * @property {boolean} ordinary
 * @property {number} colour
 * @property {string | null} key
 */

const PAUSE = 250; // between two looks at the progress
// What others may say that changes the progress; the past changes with some of it.
const CHANGES = ["label", "skip", "undo", "rename", "ranking", "settings", "append", "missed"];
const REWRITES = ["undo", "rename", "append", "missed"];

/**
 * Events: "progress" (anything about the hunt changed), "labels" (what rows are), "heard" (live),
 * "renamed" (a class has another name, or was merged, by the event of this id).
 * @extends {Teller<{progress: null, labels: null, heard: News, renamed: string}>}
 */
export class HuntState extends Teller {
  /**
   * @param {string} id
   * @param {AbortSignal} signal
   */
  constructor(id, signal) {
    super();
    this.id = id;
    this.signal = signal;
    /** @type {HuntAnswer | null} */
    this.known = null;
    /** @type {ProgressView | null} */
    this.progress = null;
    this.annotator = "";
    /** @type {Set<string>} */
    this.fresh = new Set(); // classes heard of that the server has not counted yet
    /** @type {Map<number, string>} */
    this.labelOf = new Map(); // row → class name
    this.refreshTimer = 0;
    this.due = 0; // when the timer rings
    this.viewStale = false;
    this.labelsStale = false;
    this.request = 0;
  }

  async load() {
    const { signal } = this;
    /** @type {[HuntAnswer, Person]} */
    const [view, me] = await Promise.all([
      get(hunt(this.id), { signal }),
      get("/api/me", { signal }),
    ]);
    this.view = view;
    this.annotator = me.annotator;
    return view;
  }

  /** The hunt as the server last described it. */
  get view() {
    if (!this.known) throw new Error("A hunt is looked at before it is loaded.");
    return this.known;
  }

  set view(view) {
    this.known = view;
  }

  /** Follow the hunt from now on; call once it is ready. */
  async follow() {
    await this.refresh();
    let first = true;
    listen(
      this.id,
      this.signal,
      (event) => this.hear(event),
      () => {
        if (!first) this.soon(0, true);
        first = false;
      },
    );
    outbox.on("kept", () => this.soon(), this.signal);
  }

  async refresh() {
    const request = ++this.request;
    /** @type {ProgressView} */
    const progress = await get(hunt(this.id, "/progress"), { signal: this.signal });
    if (request < this.request && this.progress) return;
    this.progress = progress;
    for (const { name } of progress.answers) this.fresh.delete(name);
    this.tell("progress", null);
  }

  /**
   * Say which classes are ordinary, for everybody on this hunt.
   * @param {string} name
   * @param {boolean} ordinary
   */
  async setOrdinary(name, ordinary) {
    const others = this.background.filter((each) => each !== name);
    const background = [...new Set(ordinary ? [...others, name] : others)];
    this.view = await post(hunt(this.id, "/settings"), { background }, { signal: this.signal });
    await this.refresh();
  }

  /** Fetch who is what for the whole map (once, and when the past changed). */
  async loadLabels() {
    const { buffer } = await bytes(hunt(this.id, "/map/labels"), { signal: this.signal });
    const index = new Int16Array(buffer);
    const names = this.told.map((item) => item.name);
    this.labelOf.clear();
    for (let row = 0; row < index.length; row += 1) {
      if (index[row] >= 0 && index[row] < names.length) this.labelOf.set(row, names[index[row]]);
    }
    this.forget();
    this.tell("labels", null);
  }

  /** @param {News} event */
  hear(event) {
    const { row, value } = event;
    if (event.type === "label" && typeof row === "number") this.setLabel(row, value);
    const mine = event.annotator === this.annotator;
    if (event.type === "settings") this.viewStale = true;
    if (CHANGES.includes(event.type)) this.soon(PAUSE, REWRITES.includes(event.type));
    else if (event.type === "lease" && !mine) this.soon(1500);
    this.tell("heard", event);
  }

  /** Ask for the progress again shortly, however many ask for it. */
  soon(pause = PAUSE, labelsToo = false) {
    if (labelsToo) this.labelsStale = true;
    const due = Date.now() + pause;
    if (this.refreshTimer && this.due <= due) return;
    clearTimeout(this.refreshTimer);
    this.due = due;
    this.refreshTimer = setTimeout(async () => {
      this.refreshTimer = 0;
      const stale = this.labelsStale;
      this.labelsStale = false;
      try {
        if (this.viewStale) this.view = await get(hunt(this.id), { signal: this.signal });
        this.viewStale = false;
        await this.refresh();
        if (stale) await this.loadLabels();
      } catch {
        // The next change, or the next line to the server, asks again.
      }
    }, pause);
  }

  /**
   * An answer just given here: shown at once, before the server has it.
   * @param {number} row
   * @param {string | null | undefined} label
   */
  setLabel(row, label) {
    if (label === null || label === undefined) this.labelOf.delete(row);
    else {
      this.labelOf.set(row, label);
      if (!this.names.includes(label)) this.fresh.add(label);
    }
    this.forget();
    this.tell("labels", null);
  }

  /**
   * The same for many at once.
   * @param {number[]} rows
   * @param {string} label
   */
  setLabels(rows, label) {
    for (const row of rows) this.labelOf.set(row, label);
    if (!this.names.includes(label)) this.fresh.add(label);
    this.tell("labels", null);
  }

  /** A class nobody holds any more goes. */
  forget() {
    if (!this.fresh.size) return;
    const held = new Set(this.labelOf.values());
    this.fresh = new Set([...this.fresh].filter((name) => held.has(name)));
  }

  get names() {
    const known = (this.progress?.answers ?? []).map((answer) => answer.name);
    return [...known, ...[...this.fresh].filter((name) => !known.includes(name))];
  }

  /** The classes told so far, as the server counts them: the labels of the map are their places. */
  get told() {
    return this.progress?.classes ?? [];
  }

  get background() {
    return [...(this.view.settings.background ?? []), ...(this.progress?.background ?? [])];
  }

  /**
   * The classes in the order of their keys.
   * @returns {ClassItem[]}
   */
  get classes() {
    const told = new Map(this.told.map((item) => [item.name, item]));
    const answers = new Map((this.progress?.answers ?? []).map((each) => [each.name, each]));
    const used = new Set([...answers.values()].map((each) => each.colour));
    let free = 1; // what the server will most likely choose
    return this.names.map((name) => {
      const answer = answers.get(name);
      while (!answer && used.has(free)) free += 1;
      return {
        name,
        count: told.get(name)?.count ?? 0,
        firstRow: told.get(name)?.first_row ?? null,
        firstAt: told.get(name)?.first_at_label ?? null,
        ordinary: this.background.includes(name),
        colour: answer ? answer.colour : free++,
        key: answer?.key ?? null,
      };
    });
  }

  /** The rare class with most examples: that is what a ranking is mostly wanted for. */
  get likeliest() {
    const seen = this.classes.filter((item) => item.count > 0);
    seen.sort((a, b) => Number(a.ordinary) - Number(b.ordinary) || b.count - a.count);
    return seen[0]?.name ?? "";
  }

  /** @param {string} name */
  classOf(name) {
    return this.classes.find((item) => item.name === name);
  }
}

// What the page knows of one hunt: progress, classes in a fixed order, and who labelled what.

import { bytes, get, hunt, post } from "./api.js";
import { listen } from "./live.js";
import { outbox } from "./outbox.js";

const COLOURS = 8;
const PAUSE = 250; // between two looks at the progress
const KEYS = "1234567890";

/** Events: "progress" (anything about the hunt changed), "labels" (what rows are), "heard" (live). */
export class HuntState extends EventTarget {
  constructor(id, signal) {
    super();
    this.id = id;
    this.signal = signal;
    this.view = null;
    this.progress = null;
    this.annotator = "";
    this.names = []; // in the order they were heard of: a class never moves
    this.keys = new Map(); // name → number key
    this.labelOf = new Map(); // row → class name
    this.refreshTimer = 0;
    this.labelsTimer = 0;
    this.request = 0;
  }

  async load() {
    [this.view, { annotator: this.annotator }] = await Promise.all([
      get(hunt(this.id), { signal: this.signal }),
      get("/api/me", { signal: this.signal }),
    ]);
    return this.view;
  }

  /** Follow the hunt from now on; call once it is ready. */
  async follow() {
    await this.refresh();
    let first = true;
    listen(this.id, this.signal, (event) => this.hear(event), () => {
      if (!first) this.soon(0, true);
      first = false;
    });
    outbox.addEventListener("kept", () => this.soon(), { signal: this.signal });
  }

  async refresh() {
    const request = ++this.request;
    const progress = await get(hunt(this.id, "/progress"), { signal: this.signal });
    if (request < this.request && this.progress) return;
    this.progress = progress;
    // Classes known to be ordinary have their keys from the start.
    for (const name of this.view?.settings?.background ?? []) this.learn(name);
    for (const { name } of progress.classes) this.learn(name);
    this.tell("progress");
  }

  /** Say which classes are ordinary, for everybody on this hunt. */
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
    const names = this.progress.classes.map((item) => item.name);
    this.labelOf.clear();
    for (let row = 0; row < index.length; row += 1) {
      if (index[row] >= 0 && index[row] < names.length) this.labelOf.set(row, names[index[row]]);
    }
    this.tell("labels");
  }

  hear(event) {
    const row = event.row;
    if (event.type === "label" && Number.isInteger(row)) this.setLabel(row, event.label ?? event.value);
    const mine = event.annotator === this.annotator;
    if (event.type === "settings") this.viewStale = true;
    if (["label", "skip", "undo", "ranking", "settings", "append"].includes(event.type)) {
      this.soon(PAUSE, event.type === "undo" || event.type === "append");
    } else if (event.type === "lease" && !mine) this.soon(1500);
    this.dispatchEvent(new CustomEvent("heard", { detail: event }));
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
      } catch (error) {
        if (!this.signal.aborted && error.status !== 0) this.failure = error.message;
      }
    }, pause);
  }

  /** An answer just given here: shown at once, before the server has it. */
  setLabel(row, label) {
    if (label === null || label === undefined) this.labelOf.delete(row);
    else {
      this.learn(label);
      this.labelOf.set(row, label);
    }
    this.tell("labels");
  }

  learn(name) {
    if (this.names.includes(name)) return;
    this.names.push(name);
    // A class whose name is a digit wants that very key; others take the first one free.
    const free = [...KEYS].filter((digit) => ![...this.keys.values()].includes(digit));
    const own = free.includes(name) ? name : free.find((digit) => !this.names.includes(digit));
    if (own ?? free[0]) this.keys.set(name, own ?? free[0]);
  }

  get background() {
    return [...(this.view?.settings?.background ?? []), ...(this.progress?.background ?? [])];
  }

  /** The classes in the order of their keys, with colour (0: ordinary) and key. */
  get classes() {
    const told = new Map((this.progress?.classes ?? []).map((item) => [item.name, item]));
    let colour = 0;
    return this.names.map((name) => {
      const ordinary = this.background.includes(name);
      return {
        name,
        count: told.get(name)?.count ?? 0,
        firstRow: told.get(name)?.first_row ?? null,
        firstAt: told.get(name)?.first_at_label ?? null,
        ordinary,
        colour: ordinary ? 0 : (colour++ % COLOURS) + 1,
        key: this.keys.get(name) ?? null,
      };
    });
  }

  classOf(name) {
    return this.classes.find((item) => item.name === name);
  }

  tell(type) {
    this.dispatchEvent(new Event(type));
  }
}

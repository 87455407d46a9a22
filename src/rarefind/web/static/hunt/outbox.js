// Answers on their way. Each gets an id of our making and is kept in the browser's own storage
// until the server has acknowledged it: closing the tab or losing the network loses nothing, and
// because the server counts an id once, sending again doubles nothing.

import { ApiError, hunt, post } from "../lib/api.js";
import { Teller } from "../lib/teller.js";
import { counted } from "../lib/words.js";

/**
 * Something a person said, until the server has it.
 * @typedef {object} Entry
 * @property {string} id
 * @property {"label" | "labels" | "look" | "skip" | "undo" | "undos" | "rename" | "merge"} kind
 * @property {string} hunt
 * @property {number} [row]
 * @property {number[]} [rows] those of one step
 * @property {string} [label]
 * @property {boolean} [asked]
 * @property {string | null} [target] the answer an undo takes back, or the last one
 * @property {string[]} [targets] the answers that one step takes back
 * @property {string} [of] the class that is harvested
 * @property {number} [adds] labels that there are more once the server has it
 * @property {string} [old] the class that is renamed, or merged into another
 * @property {string} [new]
 * @property {number} at
 * @property {number} order
 */

/** @typedef {Partial<Omit<Entry, "id" | "kind" | "hunt" | "at" | "order">>} Details */

const PREFIX = "rarefind.outbox.";
const ANSWERS = ["label", "labels", "look"];
const PAUSES = [300, 700, 1500, 3000, 5000];

/** A random UUID (`crypto.randomUUID` exists only where the page came over https or from here). */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

/**
 * Events: "change" (how many wait), "kept" (acknowledged), "refused" (the server said no).
 * @extends {Teller<{change: null, kept: {entry: Entry}, refused: {entry: Entry, error: ApiError}}>}
 */
class Outbox extends Teller {
  constructor() {
    super();
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    this.durable = true;
    this.failures = 0;
    this.sending = false;
    this.timer = 0;
    this.order = 0;
    /** @type {Set<string>} */
    this.undone = new Set(); // what this page took back
    addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => this.flush());
  }

  /** Take over what an earlier page left unsent. */
  start() {
    try {
      for (let index = 0; index < localStorage.length; index += 1) {
        const name = localStorage.key(index);
        if (!name?.startsWith(PREFIX)) continue;
        /** @type {Entry | null} */
        const entry = JSON.parse(localStorage.getItem(name) ?? "null");
        if (entry?.id && entry.hunt) this.entries.set(entry.id, entry);
      }
    } catch {
      this.durable = false;
    }
    this.entries = new Map(
      [...this.entries].sort(([, a], [, b]) => a.at - b.at || a.order - b.order),
    );
    this.flush();
  }

  /**
   * Keep an answer and send it; returns it with its id.
   * @param {Entry["kind"]} kind
   * @param {string} huntId
   * @param {Details} details
   */
  add(kind, huntId, details) {
    /** @type {Entry} */
    const entry = {
      id: uuid(),
      kind,
      hunt: huntId,
      ...details,
      at: Date.now(),
      order: ++this.order,
    };
    this.entries.set(entry.id, entry);
    if (kind === "undo" && entry.target) this.undone.add(entry.target);
    try {
      localStorage.setItem(PREFIX + entry.id, JSON.stringify(entry));
    } catch {
      this.durable = false;
    }
    this.changed();
    this.flush();
    return entry;
  }

  get first() {
    return this.entries.values().next().value;
  }

  get waiting() {
    return this.entries.size;
  }

  /** What waits, in words: answers, and what else was done. */
  get words() {
    const others = [...this.entries.values()].filter(({ kind }) => !ANSWERS.includes(kind)).length;
    const answers = this.waiting - others;
    if (!others) return counted(answers, "answer");
    if (!answers) return counted(others, "step");
    return `${counted(answers, "answer")} and ${counted(others, "other step")}`;
  }

  /**
   * How many labels more there are once the server has all of it.
   * @param {string} huntId
   */
  adds(huntId) {
    const mine = [...this.entries.values()].filter((entry) => entry.hunt === huntId);
    return mine.reduce((sum, { adds = 0 }) => sum + adds, 0);
  }

  /**
   * Whether something about this row is still on its way.
   * @param {string} huntId
   * @param {number} row
   */
  holds(huntId, row) {
    return [...this.entries.values()].some((entry) => entry.hunt === huntId && entry.row === row);
  }

  /** Send what waits, in order, one after another. */
  async flush() {
    if (this.sending) return;
    clearTimeout(this.timer);
    this.sending = true;
    try {
      for (let entry; (entry = this.first);) {
        await send(entry);
        this.failures = 0;
        this.forget(entry.id);
        this.tell("kept", { entry });
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.passing) {
        const pause = PAUSES[Math.min(this.failures++, PAUSES.length - 1)];
        this.timer = setTimeout(() => this.flush(), pause);
        this.changed();
      } else {
        this.refuse(error);
      }
    } finally {
      this.sending = false;
    }
  }

  /** @param {ApiError} error */
  refuse(error) {
    const entry = this.first;
    if (!entry) return;
    this.forget(entry.id);
    for (const other of [...this.entries.values()])
      if (other.target === entry.id) this.forget(other.id);
    this.tell("refused", { entry, error });
    this.timer = setTimeout(() => this.flush(), 0);
  }

  /** @param {string} id */
  forget(id) {
    this.entries.delete(id);
    try {
      localStorage.removeItem(PREFIX + id);
    } catch {
      this.durable = false;
    }
    this.changed();
  }

  changed() {
    this.tell("change", null);
  }
}

/** @param {Entry} entry */
function send(entry) {
  const options = { keepalive: true, timeout: 20000 };
  const long = { timeout: 120000 }; // browsers keep only small bodies alive after the page
  if (entry.kind === "label") {
    const body = { id: entry.id, row: entry.row, label: entry.label, asked: entry.asked };
    return post(hunt(entry.hunt, "/labels"), body, options);
  }
  if (entry.kind === "labels") {
    const body = { id: entry.id, rows: entry.rows, label: entry.label };
    return post(hunt(entry.hunt, "/labels/many"), body, long);
  }
  if (entry.kind === "undos") {
    const body = { id: entry.id, targets: entry.targets };
    return post(hunt(entry.hunt, "/undo/many"), body, long);
  }
  if (entry.kind === "look") {
    const answer = entry.label === entry.of || entry.label;
    const body = { id: entry.id, target: entry.of, row: entry.row, answer };
    return post(hunt(entry.hunt, "/harvest/answers"), body, options);
  }
  if (entry.kind === "rename" || entry.kind === "merge") {
    const body = { id: entry.id, old: entry.old, new: entry.new };
    return post(hunt(entry.hunt, `/${entry.kind}`), body, options);
  }
  if (entry.kind === "skip")
    return post(hunt(entry.hunt, "/skip"), { id: entry.id, row: entry.row }, options);
  // A step of thousands takes its time.
  const body = { id: entry.id, target: entry.target ?? null };
  return post(hunt(entry.hunt, "/undo"), body, { ...options, ...long });
}

export const outbox = new Outbox();

// The form that starts a hunt on a file: its columns, a preview, and the choices.

import { post, sentence } from "../lib/api.js";
import { choice, el } from "../lib/dom.js";
import { field } from "../lib/layout.js";
import { counted } from "../lib/words.js";
import { Columns, drawPreview } from "./columns.js";

/** @import { DataSetView, HuntAnswer, Named } from "../lib/http.js" */

const COLUMNS = "What each column seems to hold, and why. Change what is wrong.";
const SHARES = "Some published strategies need them: names with shares, or shares alone.";
const EMBEDDED =
  "A model turns each picture or text into numbers that are compared; without one, pictures are " +
  "compared by their looks and texts by their words.";
const SEVERAL = "Several: with commas between. Otherwise the class answered most often.";

export class HuntForm {
  /**
   * @param {DataSetView} dataset
   * @param {{strategies: Named[], embedders: Named[]}} offered
   * @param {AbortSignal} signal
   */
  constructor(dataset, { strategies, embedders }, signal) {
    this.dataset = dataset;
    this.strategies = strategies;
    this.embedders = embedders;
    this.embed = "";
    this.signal = signal;
    this.columns = new Columns(dataset);
    this.strategy = "auto";
    this.labels = "";
    const title = dataset.name.replace(/\.(gz|bz2|xz|zst)$/i, "").replace(/\.[^.]*$/, "");
    this.name = el("input", { id: "hunt-name", required: true, maxlength: 200, value: title });
    this.background = el("input", {
      id: "background",
      maxlength: 2000,
      placeholder: "for example: ordinary",
    });
    this.overlap = el("input", { id: "overlap", type: "number", min: 1, max: 100, value: 1 });
    this.kernel = el("input", {
      id: "kernel",
      maxlength: 2000,
      placeholder: "chosen by the kinds of the columns",
      spellcheck: "false",
    });
    this.problem = el("p", { class: "bad grow", role: "alert" });
    this.priors = el("input", { id: "priors", maxlength: 2000, placeholder: "fraud = 0.01" });
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.start();
    };
    const start = el("button", { class: "primary", id: "start" }, "Start the hunt");
    const about = `${dataset.name}: ${counted(dataset.rows, "record")}`;
    this.element = el(
      "form",
      { on: { submit }, class: "confirm" },
      el(
        "section",
        { class: "card" },
        el("h2", { tabindex: -1 }, "The hunt"),
        this.drawNames(),
        this.drawChoices(),
      ),
      el(
        "section",
        { class: "card" },
        el("h2", {}, "Columns"),
        el("p", { class: "quiet" }, COLUMNS),
        this.columns.element,
      ),
      el("section", { class: "card" }, el("h2", {}, "Preview"), drawPreview(dataset)),
      el(
        "div",
        { class: "row end start-bar" },
        el("span", { class: "quiet" }, about),
        this.problem,
        start,
      ),
    );
  }

  drawNames() {
    const { columns, label_guesses: guesses } = this.dataset;
    const names = columns.map((column) => column.name).filter((name) => !guesses.includes(name));
    const options = [{ name: "", title: "none" }, ...guesses, ...names];
    const set = (/** @type {string} */ name) => (this.labels = name);
    return el(
      "div",
      { class: "form-grid" },
      field("Name", this.name),
      field("Ordinary classes, if you know their names", this.background, SEVERAL),
      choice("Column that holds labels already", options, "", set, { id: "label-column" }),
    );
  }

  drawChoices() {
    const about = el("p", { class: "quiet" }, this.about);
    const names = this.strategies.map((item) => item.name);
    const set = (/** @type {string} */ name) => {
      this.strategy = name;
      about.textContent = this.about;
    };
    return el(
      "details",
      {},
      el("summary", {}, "More choices"),
      el(
        "div",
        { class: "form-grid" },
        choice("How questions are chosen", names, this.strategy, set, { id: "strategy" }),
        field("People asked about each record", this.overlap),
        field("Kernel", this.kernel),
        field("Rare classes you expect, with their shares", this.priors, SHARES),
        this.drawEmbedders(),
      ),
      about,
    );
  }

  /** Only pictures and texts can be embedded. */
  drawEmbedders() {
    const { columns } = this.dataset;
    if (!columns.some(({ kind }) => kind === "picture" || kind === "text")) return null;
    const names = this.embedders.map(({ name, about }) => ({ name, title: `${name}: ${about}` }));
    const options = [{ name: "", title: "none" }, ...names];
    const set = (/** @type {string} */ name) => (this.embed = name);
    const chosen = choice("Embeddings", options, "", set, { id: "embed" });
    chosen.append(el("small", { class: "quiet" }, EMBEDDED));
    return chosen;
  }

  get about() {
    return this.strategies.find((item) => item.name === this.strategy)?.about ?? "";
  }

  get settings() {
    const background = this.background.value.split(",").map((part) => part.trim());
    return {
      dataset: this.dataset.id,
      name: this.name.value.trim(),
      strategy: this.strategy,
      kernel: this.kernel.value.trim() || null,
      background: background.filter(Boolean),
      priors: readShares(this.priors.value),
      overlap: Number(this.overlap.value) || 1,
      label_column: this.labels || null,
      embed: this.embed || null,
      ...this.columns.settings,
    };
  }

  async start() {
    try {
      /** @type {HuntAnswer} */
      const hunt = await post("/api/hunts", this.settings, { signal: this.signal });
      location.hash = `#/hunt/${encodeURIComponent(hunt.id)}/label`;
    } catch (error) {
      if (!this.signal.aborted) this.problem.textContent = sentence(error);
    }
  }
}

/**
 * "fraud = 0.01, error = 0.002" or "0.01, 0.002", as the server wants it.
 * @param {string} text
 * @returns {Record<string, number> | number[] | null}
 */
export function readShares(text) {
  const parts = text.split(",").map((part) => part.trim());
  const given = parts.filter(Boolean).map((part) => {
    const at = part.lastIndexOf("=");
    return { name: part.slice(0, Math.max(0, at)).trim(), share: Number(part.slice(at + 1)) };
  });
  if (!given.length) return null;
  if (given.every(({ name }) => !name)) return given.map(({ share }) => share);
  return Object.fromEntries(given.map(({ name, share }) => [name, share]));
}

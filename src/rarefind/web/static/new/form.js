// The form that starts a hunt on a file: its columns, a preview, and the choices.

import { post, sentence } from "../lib/api.js";
import { choice, el } from "../lib/dom.js";
import { note } from "../lib/notes.js";
import { Columns, drawPreview } from "./columns.js";

/** @import { DataSetView, HuntAnswer, Named } from "../lib/http.js" */

const COLUMNS = "What each column seems to hold, and why. Change what is wrong.";
const SEVERAL = "Several: with commas between. Otherwise the class told most often.";

export class HuntForm {
  /**
   * @param {DataSetView} dataset
   * @param {Named[]} strategies
   * @param {AbortSignal} signal
   */
  constructor(dataset, strategies, signal) {
    this.dataset = dataset;
    this.strategies = strategies;
    this.signal = signal;
    this.columns = new Columns(dataset);
    this.strategy = "auto";
    this.labels = "";
    const title = dataset.name.replace(/\.[^.]*$/, "");
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
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.start();
    };
    const start = el("button", { class: "primary", id: "start" }, "Start the hunt");
    this.element = el(
      "form",
      { on: { submit }, class: "confirm" },
      el(
        "section",
        { class: "card" },
        el("h2", { tabindex: -1 }, "Columns"),
        el("p", { class: "quiet" }, COLUMNS),
        this.columns.element,
      ),
      el("section", { class: "card" }, el("h2", {}, "Preview"), drawPreview(dataset)),
      el(
        "section",
        { class: "card" },
        el("h2", {}, "The hunt"),
        this.drawNames(),
        this.drawChoices(),
        el("div", { class: "row end" }, start),
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
      ),
      about,
    );
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
      overlap: Number(this.overlap.value) || 1,
      label_column: this.labels || null,
      ...this.columns.settings,
    };
  }

  async start() {
    try {
      /** @type {HuntAnswer} */
      const hunt = await post("/api/hunts", this.settings, { signal: this.signal });
      location.hash = `#/hunt/${encodeURIComponent(hunt.id)}/label`;
    } catch (error) {
      if (!this.signal.aborted) note(sentence(error), "bad");
    }
  }
}

/**
 * @param {string} words
 * @param {HTMLInputElement} input
 */
function field(words, input, hint = "") {
  const small = hint ? el("small", { class: "quiet" }, hint) : null;
  return el("label", { class: "field" }, el("span", {}, words), input, small);
}

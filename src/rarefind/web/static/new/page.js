// A new hunt: bring a file or take an example, confirm what its columns are, start.

import { get, sentence, upload } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { pageHead } from "../lib/layout.js";
import { note } from "../lib/notes.js";
import { bytes, count } from "../lib/words.js";
import { exampleCards, startExample } from "../hunts/examples.js";
import { HuntForm } from "./form.js";

/** @import { DataSetView, Named } from "../lib/http.js" */

const ABOUT =
  "A table, texts, sequences, pictures, sets, trees, graphs or molecules: one record each line.";
const FORMATS = "CSV, Excel, JSON, Parquet, NumPy, FASTA, GraphML, SMILES, pictures in a zip";

/**
 * With an id, the data set is there already: the file named on the command line.
 * @param {{root: HTMLElement, id: string | null, signal: AbortSignal}} place
 */
export async function show({ root, id, signal }) {
  const words = id === null ? "One moment…" : "Reading the file…"; // a large one takes a while
  fill(root, pageHead("New hunt", ABOUT), el("p", { class: "quiet", role: "status" }, words));
  /** @type {[Named[], Named[], Named[], DataSetView | null]} */
  const [examples, strategies, embedders, dataset] = await Promise.all([
    get("/api/examples", { signal }),
    get("/api/strategies", { signal }),
    get("/api/embedders", { signal }),
    id === null ? null : get(`/api/datasets/${encodeURIComponent(id)}`, { signal }),
  ]);
  const page = new NewHunt(root, signal, examples, { strategies, embedders });
  if (dataset) page.take(dataset);
}

class NewHunt {
  /**
   * @param {HTMLElement} root
   * @param {AbortSignal} signal
   * @param {Named[]} examples
   * @param {{strategies: Named[], embedders: Named[]}} offered
   */
  constructor(root, signal, examples, offered) {
    this.signal = signal;
    this.offered = offered;
    this.state = el("div", { role: "status" });
    this.data = el("div", {});
    fill(root, pageHead("New hunt", ABOUT), this.bring(examples), this.data);
  }

  /** @param {Named[]} examples */
  bring(examples) {
    const start = (/** @type {string} */ name) =>
      startExample(name, this.signal).catch((error) => note(sentence(error), "bad"));
    return el(
      "section",
      { class: "card bring" },
      el("div", { class: "bring-file" }, this.chooser(), this.state),
      examples.length
        ? el("div", {}, el("h2", {}, "Or an example"), exampleCards(examples, start))
        : null,
    );
  }

  /** A field for a file, and the zone one can be dropped on. */
  chooser() {
    const change = () => this.send(input.files);
    const input = el("input", { type: "file", id: "file", class: "only-spoken", on: { change } });
    const on = {
      dragover: (/** @type {DragEvent} */ event) => {
        event.preventDefault();
        zone.classList.add("over");
      },
      dragleave: () => zone.classList.remove("over"),
      drop: (/** @type {DragEvent} */ event) => {
        event.preventDefault();
        zone.classList.remove("over");
        this.send(event.dataTransfer?.files ?? null);
      },
    };
    const zone = el(
      "label",
      { class: "drop", for: "file", on },
      el("b", {}, "Drop a file here, or choose one"),
      el("span", { class: "quiet" }, FORMATS),
    );
    return [input, zone];
  }

  /** @param {FileList | null} files */
  async send(files) {
    const file = files?.[0];
    if (!file) return;
    const bar = el("progress", { max: 1, value: 0, "aria-label": "Upload" });
    const words = el("span", { class: "quiet" }, `Sending ${file.name}, ${bytes(file.size)}`);
    const stop = new AbortController();
    this.signal.addEventListener("abort", () => stop.abort());
    const cancel = button("Cancel", () => stop.abort(), { class: "ghost" });
    fill(this.state, el("div", { class: "upload" }, words, bar, cancel));
    const onProgress = (/** @type {number} */ sent, /** @type {number} */ total) => {
      bar.value = total ? sent / total : 0;
      if (sent === total) words.textContent = `Reading ${file.name}…`;
    };
    try {
      this.take(await upload(file, { onProgress, signal: stop.signal }));
    } catch (error) {
      fill(this.state, el("p", { class: "bad", role: "alert" }, sentence(error)));
    }
  }

  /** @param {DataSetView} dataset */
  take(dataset) {
    const size = `${count(dataset.rows)} records, ${count(dataset.columns.length)} columns`;
    fill(this.state, el("p", { class: "good" }, `${dataset.name}: ${size}.`));
    const form = new HuntForm(dataset, this.offered, this.signal);
    fill(this.data, form.element);
    this.data.scrollIntoView({ block: "start" });
    this.data.querySelector("h2")?.focus({ preventScroll: true });
  }
}

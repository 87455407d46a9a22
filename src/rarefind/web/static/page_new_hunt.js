// A new hunt: bring a file or take an example, confirm what its columns are, start.

import { get, post, upload } from "./api.js";
import { button, choice, el, fill, note } from "./dom.js";
import { exampleCards, startExample } from "./examples.js";
import { bytes, count } from "./words.js";

const LEFT_OUT = "leave out";

/** With an id, the data set is there already: the file named on the command line. */
export async function show({ root, id, signal }) {
  const [examples, strategies, dataset] = await Promise.all([get("/api/examples", { signal }), get("/api/strategies", { signal }), id && get(`/api/datasets/${encodeURIComponent(id)}`, { signal })]);
  const page = new NewHunt(root, signal, examples, strategies);
  if (dataset) page.take(dataset);
}

class NewHunt {
  constructor(root, signal, examples, strategies) {
    Object.assign(this, { signal, strategies });
    this.data = el("div", {});
    fill(root, el("header", { class: "page-head" }, el("div", {}, el("h1", {}, "New hunt"), el("p", { class: "quiet" }, "A table, texts, sequences, pictures, graphs or molecules: one record each line."))), this.bring(examples), this.data);
  }

  bring(examples) {
    const input = el("input", { type: "file", id: "file", class: "only-spoken", on: { change: () => input.files[0] && this.send(input.files[0]) } });
    const zone = el(
      "label",
      { class: "drop", for: "file", on: { dragover: (event) => (event.preventDefault(), zone.classList.add("over")), dragleave: () => zone.classList.remove("over"), drop: (event) => this.dropped(event, zone) } },
      el("b", {}, "Drop a file here, or choose one"),
      el("span", { class: "quiet" }, "CSV, TSV, JSON lines, Parquet, NumPy, FASTA, GraphML, SMILES"),
    );
    this.state = el("div", { role: "status" });
    const start = (name) => startExample(name, this.signal).catch((error) => note(error.message, "bad"));
    return el("section", { class: "card bring" }, el("div", { class: "bring-file" }, input, zone, this.state), examples.length ? el("div", {}, el("h2", {}, "Or an example"), exampleCards(examples, start)) : null);
  }

  dropped(event, zone) {
    event.preventDefault();
    zone.classList.remove("over");
    const [file] = event.dataTransfer.files;
    if (file) this.send(file);
  }

  async send(file) {
    const bar = el("progress", { max: 1, value: 0, "aria-label": "Upload" });
    const words = el("span", { class: "quiet" }, `Sending ${file.name}, ${bytes(file.size)}`);
    const stop = new AbortController();
    this.signal.addEventListener("abort", () => stop.abort());
    fill(this.state, el("div", { class: "upload" }, words, bar, button("Cancel", () => stop.abort(), { class: "ghost" })));
    const onProgress = (sent, total) => {
      bar.value = total ? sent / total : 0;
      if (sent === total) words.textContent = `Reading ${file.name}…`;
    };
    try {
      this.take(await upload(file, { onProgress, signal: stop.signal }));
    } catch (error) {
      fill(this.state, el("p", { class: "bad", role: "alert" }, error.message));
    }
  }

  take(dataset) {
    fill(this.state, el("p", { class: "good" }, `${dataset.name}: ${count(dataset.rows)} records, ${count(dataset.columns.length)} columns.`));
    this.confirm(dataset);
  }

  confirm(dataset) {
    this.kinds = new Map(dataset.columns.map((column) => [column.name, column.kind]));
    const name = el("input", { id: "hunt-name", required: true, maxlength: 200, value: dataset.name.replace(/\.[^.]*$/, "") });
    const background = el("input", { id: "background", maxlength: 2000, placeholder: "for example: ordinary" });
    const overlap = el("input", { id: "overlap", type: "number", min: 1, max: 100, value: 1 });
    const kernel = el("input", { id: "kernel", maxlength: 2000, placeholder: "chosen by the kinds of the columns", spellcheck: "false" });
    let strategy = "auto";
    const guesses = dataset.label_guesses ?? [];
    let labels = "";
    const start = async (event) => {
      event.preventDefault();
      await this.start(dataset, { name: name.value.trim(), strategy, kernel: kernel.value.trim() || null, background: background.value.split(",").map((part) => part.trim()).filter(Boolean), overlap: Number(overlap.value) || 1, label_column: labels || null });
    };
    fill(
      this.data,
      el(
        "form",
        { on: { submit: start }, class: "confirm" },
        el("section", { class: "card" }, el("h2", { tabindex: -1 }, "Columns"), el("p", { class: "quiet" }, "What each column seems to hold, and why. Change what is wrong."), this.columns(dataset)),
        el("section", { class: "card" }, el("h2", {}, "Preview"), preview(dataset)),
        el(
          "section",
          { class: "card" },
          el("h2", {}, "The hunt"),
          el(
            "div",
            { class: "form-grid" },
            field("Name", name),
            field("Ordinary classes, if you know their names", background, "Several: with commas between. Otherwise the class told most often."),
            choice("Column that holds labels already", [{ name: "", title: "none" }, ...ordered(dataset.columns.map((column) => column.name), guesses)], "", (value) => (labels = value), { id: "label-column" }),
          ),
          el(
            "details",
            {},
            el("summary", {}, "More choices"),
            el("div", { class: "form-grid" }, choice("How questions are chosen", this.strategies.map((item) => ({ name: item.name, title: item.name })), strategy, (value) => ((strategy = value), (about.textContent = this.about(value))), { id: "strategy" }), field("People asked about each record", overlap), field("Kernel", kernel)),
          ),
          el("div", { class: "row end" }, el("button", { class: "primary", id: "start" }, "Start the hunt")),
        ),
      ),
    );
    const about = el("p", { class: "quiet" }, this.about(strategy));
    this.data.querySelector("details").append(about);
    this.data.scrollIntoView({ block: "start" });
    this.data.querySelector("h2").focus({ preventScroll: true });
  }

  about(strategy) {
    return this.strategies.find((item) => item.name === strategy)?.about ?? "";
  }

  columns(dataset) {
    const rows = dataset.columns.map((column) => {
      const kinds = [...new Set([column.kind, ...(column.kinds ?? []), LEFT_OUT])];
      const select = el("select", { "aria-label": `Kind of ${column.name}`, on: { change: () => this.kinds.set(column.name, select.value) } }, kinds.map((kind) => el("option", { value: kind, selected: kind === column.kind }, kind)));
      return el("tr", {}, el("th", { scope: "row" }, column.name), el("td", {}, select), el("td", { class: "quiet" }, column.why), el("td", { class: "number" }, column.missing ? count(column.missing) : "–"), el("td", { class: "quiet examples" }, (column.examples ?? []).join(", ")));
    });
    return el("div", { class: "table-frame", tabindex: 0, role: "region", "aria-label": "Columns" }, el("table", { class: "columns" }, head("Column", "Kind", "Why", "Missing", "Examples"), el("tbody", {}, rows)));
  }

  async start(dataset, settings) {
    const kinds = {};
    const leaveOut = [];
    for (const column of dataset.columns) {
      const chosen = this.kinds.get(column.name);
      if (chosen === LEFT_OUT) leaveOut.push(column.name);
      else if (chosen !== column.kind) kinds[column.name] = chosen;
    }
    try {
      const hunt = await post("/api/hunts", { dataset: dataset.id, ...settings, kinds, leave_out: leaveOut }, { signal: this.signal });
      location.hash = `#/hunt/${encodeURIComponent(hunt.id)}/label`;
    } catch (error) {
      if (!this.signal.aborted) note(error.message, "bad");
    }
  }
}

const head = (...names) => el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, name))));
const ordered = (names, first) => [...first, ...names.filter((name) => !first.includes(name))];
const field = (words, input, hint = null) => el("label", { class: "field" }, el("span", {}, words), input, hint ? el("small", { class: "quiet" }, hint) : null);

function preview(dataset) {
  const names = Object.keys(dataset.preview[0] ?? {}).slice(0, 30);
  const rows = dataset.preview.slice(0, 8).map((row) => el("tr", {}, names.map((name) => el("td", {}, row[name] ?? ""))));
  return el("div", { class: "table-frame", tabindex: 0, role: "region", "aria-label": "Preview" }, el("table", { class: "preview" }, head(...names), el("tbody", {}, rows)));
}

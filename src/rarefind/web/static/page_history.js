// Everything that was said, who said it and when; anything can be taken back.

import { get, hunt } from "./api.js";
import { labelChip } from "./chips.js";
import { button, el, fill } from "./dom.js";
import { opened } from "./opening.js";
import { outbox } from "./outbox.js";
import { count, moment, when } from "./words.js";

const PAGE = 100;

export async function show(context) {
  const state = await opened(context);
  new HistoryPage(context, state);
}

class HistoryPage {
  constructor({ root, id, signal }, state) {
    Object.assign(this, { id, signal, state });
    this.body = el("tbody", {});
    this.more = button("Earlier answers", () => this.load(), { class: "ghost" });
    this.empty = el("p", { class: "quiet", hidden: true }, "Nothing has been said yet.");
    const download = (format) => el("a", { class: "button", href: hunt(id, `/export?what=labels&format=${format}`), download: "" }, format.toUpperCase());
    fill(
      root,
      el("header", { class: "page-head" }, el("div", {}, el("h1", {}, "History"), el("p", { class: "quiet" }, "Every answer, who gave it and when. Taking one back keeps the record of it.")), el("div", { class: "row push" }, el("span", { class: "quiet" }, "Labels as"), download("csv"), download("jsonl"), download("parquet"))),
      el("section", { class: "card" }, el("div", { class: "table-frame", tabindex: 0, role: "region", "aria-label": "Answers" }, el("table", { class: "history" }, el("thead", {}, el("tr", {}, ["When", "Who", "Record", "What was said", ""].map((name) => el("th", { scope: "col" }, name || el("span", { class: "only-spoken" }, "Take back"))))), this.body)), this.empty, el("div", { class: "row centre" }, this.more)),
    );
    this.last = null;
    this.load();
    const again = () => this.soon();
    outbox.addEventListener("kept", again, { signal });
    state.addEventListener("heard", ({ detail }) => ["label", "skip", "undo", "append"].includes(detail.type) && again());
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(true), 150);
  }

  async load(afresh = false) {
    const before = afresh || this.last === null ? "" : `&before=${this.last}`;
    const events = await get(hunt(this.id, `/history?limit=${PAGE}${before}`), { signal: this.signal });
    if (afresh) fill(this.body);
    for (const event of events) this.body.append(this.row(event));
    this.last = events.at(-1)?.seq ?? this.last;
    this.more.hidden = events.length < PAGE;
    this.empty.hidden = this.body.children.length > 0;
  }

  row(event) {
    const said = { label: () => labelChip(this.state, event.value), skip: () => el("span", { class: "quiet" }, "skipped"), undo: () => el("span", { class: "quiet" }, "took an answer back"), append: () => el("span", { class: "quiet" }, "added records") }[event.kind]?.() ?? event.words;
    const mayUndo = !event.undone && (event.kind === "label" || event.kind === "skip");
    return el(
      "tr",
      { data: { undone: event.undone ? "yes" : null, kind: event.kind, seq: event.seq } },
      el("td", {}, el("time", { datetime: new Date(event.at * 1000).toISOString(), title: moment(event.at) }, when(event.at))),
      el("td", {}, event.annotator),
      el("td", { class: "number" }, event.row === null ? "" : el("a", { href: `#/hunt/${encodeURIComponent(this.id)}/label/${event.row}`, "aria-label": `Show record ${event.row}` }, count(event.row))),
      el("td", {}, said, event.undone ? el("span", { class: "quiet" }, " taken back") : null, event.kind === "label" && !event.asked ? el("span", { class: "quiet" }, " unasked") : null),
      el("td", {}, mayUndo ? button("Take back", (click) => this.undo(event, click.currentTarget), { class: "ghost", "aria-label": `Take back: record ${event.row}, ${event.value ?? "skipped"}` }) : null),
    );
  }

  undo(event, pressed) {
    pressed.disabled = true;
    outbox.add("undo", this.id, { target: event.id });
  }
}

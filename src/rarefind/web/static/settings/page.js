// The hunt itself: what it is set to, labels out of it and into it, and its end.

import { hunt, post, remove, sentence } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { field, pageHead } from "../lib/layout.js";
import { note } from "../lib/notes.js";
import { counted } from "../lib/words.js";
import { opened } from "../hunt/opening.js";
import { drawImport } from "./importing.js";

/** @import { Deleted, HuntAnswer } from "../lib/http.js" */
/** @import { Place } from "../hunt/opening.js" */
/** @import { HuntState } from "../hunt/state.js" */

const ORDINARY =
  "Several: with commas between. Without any, the class answered most often when asked.";
const FORMATS = [
  ["records", "csv", "Records with their labels, CSV"],
  ["records", "parquet", "Parquet"],
  ["records", "jsonl", "JSON lines"],
  ["labels", "csv", "What everybody said, CSV"],
  ["labels", "json", "Label Studio"],
];

/** @param {Place} place */
export async function show(place) {
  const state = await opened(place);
  const { name, n_records, labels, settings } = state.view;
  const how = [settings.strategy, settings.kernel].filter(Boolean).join(", ");
  const size = (/** @type {number} */ told) =>
    `${counted(n_records, "record")}, ${counted(told, "label")}. Questions by ${how}.`;
  const head = pageHead(name, size(labels));
  state.on("progress", () => {
    const words = head.querySelector("p");
    if (words) words.textContent = size(state.progress?.labels ?? labels);
  });
  fill(
    place.root,
    head,
    el(
      "div",
      { class: "settings-cards" },
      drawSettings(state),
      drawExport(state.id),
      drawImport(state),
      drawDelete(state),
    ),
  );
}

/** @param {HuntState} state */
function drawSettings(state) {
  const { settings, title } = state.view;
  const about = el("input", { id: "hunt-title", maxlength: 500, value: title });
  const ordinary = el("input", {
    id: "hunt-ordinary",
    maxlength: 2000,
    value: (settings.background ?? []).join(", "),
  });
  const overlap = number("hunt-overlap", 1, 100, settings.overlap ?? 1);
  const minutes = number("hunt-minutes", 1, 1440, Math.round((settings.lease_seconds ?? 300) / 60));
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const background = ordinary.value.split(",").map((part) => part.trim());
    const changes = {
      title: about.value.trim(),
      background: background.filter(Boolean),
      overlap: Number(overlap.value),
      lease_seconds: 60 * Number(minutes.value),
    };
    try {
      /** @type {HuntAnswer} */
      const view = await post(hunt(state.id, "/settings"), changes, { signal: state.signal });
      state.view = view;
      note("The settings are kept, for everybody on this hunt.");
    } catch (error) {
      if (!state.signal.aborted) note(sentence(error), "bad");
    }
  };
  return el(
    "form",
    { class: "card", id: "hunt-settings", on: { submit } },
    el("h2", {}, "Settings"),
    field("A line about it", about),
    field("Ordinary classes", ordinary, ORDINARY),
    field("People asked about each record", overlap),
    field("Minutes a question is held for whoever got it", minutes),
    el("div", { class: "row end" }, el("button", { class: "primary" }, "Save")),
  );
}

/** @param {string} id */
function drawExport(id) {
  const links = FORMATS.map(([what, format, words]) => {
    const href = hunt(id, `/export?what=${what}&format=${format}`);
    return el("a", { class: "button", href, download: "", id: `export-${what}-${format}` }, words);
  });
  return el(
    "section",
    { class: "card" },
    el("h2", {}, "Take it home"),
    el("p", { class: "quiet" }, "Files are named after the hunt and the day."),
    el("div", { class: "row wrap" }, links),
    el(
      "p",
      {},
      el("a", { href: hunt(id, "/report"), download: "" }, "The whole hunt as one page"),
      ", with its curves, people and rankings.",
    ),
  );
}

/** @param {HuntState} state */
function drawDelete(state) {
  const { id, view } = state;
  const sure = el("div", { class: "row", hidden: true });
  const act = async () => {
    try {
      /** @type {Deleted} */
      const gone = await remove(hunt(id));
      location.hash = "#/";
      const undo = async () => {
        await post(hunt(gone.id, "/restore"));
        location.hash = `#/hunt/${encodeURIComponent(gone.id)}/label`;
      };
      note(`${gone.name} is deleted.`, "good", {
        words: "Undo",
        act: () => undo().catch((error) => note(sentence(error), "bad")),
      });
    } catch (error) {
      if (!state.signal.aborted) note(sentence(error), "bad");
    }
  };
  const toggle = (/** @type {boolean} */ asked) => {
    [sure.hidden, ask.hidden] = [!asked, asked];
    (asked ? sure.querySelector("button") : ask)?.focus();
  };
  const ask = button("Delete this hunt", () => toggle(true), { id: "delete" });
  fill(
    sure,
    button(`Yes, delete ${view.name}`, act, { class: "danger", id: "delete-yes" }),
    button("Keep it", () => toggle(false), { class: "ghost" }),
  );
  const words =
    "It goes out of sight for everybody. What was said is kept: rarefind delete --undo brings it " +
    "back.";
  return el(
    "section",
    { class: "card" },
    el("h2", {}, "Delete"),
    el("p", { class: "quiet" }, words),
    el("div", { class: "row" }, ask),
    sure,
  );
}

/**
 * @param {string} id
 * @param {number} min
 * @param {number} max
 * @param {number} value
 */
const number = (id, min, max, value) =>
  el("input", { id, type: "number", min, max, value, required: true });

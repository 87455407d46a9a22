// The keys, and what the page is about.

import { button, el, fill, key } from "../lib/dom.js";

const ABOUT =
  "One question at a time: say what the record is, and rarefind looks where something new may " +
  "hide. Every answer is kept as soon as it is given.";
/** @type {Record<"label" | "rank" | "map", [string[], string][]>} */
const KEYS = {
  label: [
    [["1", "…", "0", "a", "…"], "answer with the class of that key"],
    [["n"], "a new class, or find one by its name"],
    [["s"], "skip: leave this record undecided"],
    [["u"], "undo your last answer"],
    [["Esc"], "back to the question after looking at another record"],
    [["m"], "make the map large or small"],
  ],
  rank: [
    [["↓", "↑"], "next or previous record (or j, k)"],
    [["y"], "confirm: it belongs to the class"],
    [["x"], "reject: it is ordinary"],
    [["1", "…", "0", "a", "…"], "it belongs to the class of that key"],
    [["n"], "it is of a new class, or of one found by its name"],
    [["u"], "undo your last answer"],
  ],
  map: [
    [["←", "→", "↑", "↓"], "move"],
    [["+", "−"], "zoom"],
    [["Home"], "show everything"],
    [["l"], "draw a line around records, or move the map again"],
    [["v"], "choose all records in view"],
    [["/"], "look for records, from anywhere in a hunt"],
  ],
};

/** @param {[string[], string][]} items */
const list = (items) =>
  el(
    "dl",
    { class: "keys" },
    items.map(([names, words]) =>
      el(
        "div",
        {},
        el(
          "dt",
          {},
          names.map((name) => (name === "…" ? " … " : key(name))),
        ),
        el("dd", {}, words),
      ),
    ),
  );

/** @param {string} page */
export function showHelp(page) {
  const dialog = el("dialog", { class: "dialog help", "aria-labelledby": "help-title" });
  fill(
    dialog,
    el("h2", { id: "help-title" }, "Keys"),
    el("p", { class: "quiet" }, ABOUT),
    el(
      "div",
      { class: "help-parts" },
      el("section", {}, el("h3", {}, "Label"), list(KEYS.label)),
      el(
        "section",
        {},
        el("h3", {}, "Rank"),
        list(KEYS.rank),
        el("h3", {}, "Map and search"),
        list(KEYS.map),
      ),
    ),
    el(
      "div",
      { class: "row end" },
      button("Close", () => dialog.close(), { class: "primary", autofocus: true }),
    ),
  );
  dialog.dataset.page = page;
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// The classes found so far, the rare ones with their first example, the ordinary ones apart.

import { sentence } from "../lib/api.js";
import { button, el } from "../lib/dom.js";
import { panel } from "../lib/layout.js";
import { note } from "../lib/notes.js";
import { count } from "../lib/words.js";
import { chip } from "../hunt/chips.js";

/** @import { ClassItem, HuntState } from "../hunt/state.js" */

/** @typedef {(row: number) => void} Pick */

/**
 * @param {HuntState} state
 * @param {Pick} onPick
 */
export function drawClasses(state, onPick) {
  const items = state.classes;
  const rare = items.filter((item) => !item.ordinary);
  const ordinary = items.filter((item) => item.ordinary);
  const hint = "Every class appears here with its first example.";
  const lines = rare.map((item) => el("li", {}, counted(item), first(item, state, onPick)));
  return panel(
    "Classes",
    items.length ? null : el("p", { class: "quiet" }, hint),
    el("ul", { class: "class-list" }, lines),
    ordinary.length ? drawOrdinary(ordinary, state) : null,
  );
}

/** @param {ClassItem} item */
const counted = (item) => [chip(item), el("span", { class: "class-count" }, count(item.count))];

/**
 * @param {ClassItem} item
 * @param {HuntState} state
 * @param {Pick} onPick
 */
function first(item, state, onPick) {
  const row = item.firstRow;
  if (row === null) return null;
  const words = `First example of ${item.name}: record ${row}`;
  return el(
    "span",
    { class: "class-first quiet" },
    button(`record ${row}`, () => onPick(row), { class: "link", "aria-label": words }),
    item.firstAt ? ` at label ${item.firstAt}` : "",
    " · ",
    move(item, true, state),
  );
}

/**
 * @param {ClassItem[]} items
 * @param {HuntState} state
 */
function drawOrdinary(items, state) {
  const moved = (/** @type {ClassItem} */ item) =>
    items.length > 1 ? el("span", { class: "class-move quiet" }, move(item, false, state)) : null;
  const lines = items.map((item) => el("li", {}, counted(item), moved(item)));
  return el("div", { class: "ordinary" }, el("h3", {}, "Ordinary"), el("ul", {}, lines));
}

/**
 * A button that counts a class among the ordinary ones, or among the rare.
 * @param {ClassItem} item
 * @param {boolean} ordinary
 * @param {HuntState} state
 */
function move(item, ordinary, state) {
  const words = ordinary ? "make ordinary" : "make rare";
  const change = async () => {
    try {
      await state.setOrdinary(item.name, ordinary);
    } catch (error) {
      if (!state.signal.aborted) note(sentence(error), "bad");
    }
  };
  return button(words, change, { class: "link", "aria-label": `${words}: ${item.name}` });
}

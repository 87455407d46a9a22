// The classes found so far, the rare ones with their first example, the ordinary ones apart.

import { button, el } from "../lib/dom.js";
import { panel } from "../lib/layout.js";
import { count } from "../lib/words.js";
import { chip } from "../hunt/chips.js";
import { openClass } from "./class_menu.js";

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
  const lines = rare.map((item) => el("li", {}, line(item, state), first(item, onPick)));
  return panel(
    "Classes",
    items.length ? null : el("p", { class: "quiet" }, hint),
    el("ul", { class: "class-list rare" }, lines),
    ordinary.length ? drawOrdinary(ordinary, state) : null,
  );
}

/**
 * @param {ClassItem} item
 * @param {HuntState} state
 */
const line = (item, state) => [
  chip(item),
  el("span", { class: "class-count" }, count(item.count)),
  button("⋯", () => openClass(item, state), {
    class: "ghost class-more",
    "aria-label": `Change the class ${item.name}`,
  }),
];

/**
 * @param {ClassItem} item
 * @param {Pick} onPick
 */
function first(item, onPick) {
  const row = item.firstRow;
  if (row === null) return null;
  const words = `First example of ${item.name}: record ${row}`;
  return el(
    "span",
    { class: "class-first quiet" },
    button(`record ${row}`, () => onPick(row), { class: "link", "aria-label": words }),
    item.firstAt ? ` at label ${item.firstAt}` : "",
  );
}

/**
 * @param {ClassItem[]} items
 * @param {HuntState} state
 */
function drawOrdinary(items, state) {
  const lines = items.map((item) => el("li", {}, line(item, state)));
  return el(
    "div",
    { class: "ordinary" },
    el("h3", {}, "Ordinary"),
    el("ul", { class: "class-list" }, lines),
  );
}

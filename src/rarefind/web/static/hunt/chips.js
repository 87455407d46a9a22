// Classes as people see them: a coloured dot with a name, never colour alone.

import { el, key } from "../lib/dom.js";

/** @import { Properties } from "../lib/dom.js" */
/** @import { ClassItem, HuntState } from "./state.js" */

/**
 * A class name with its colour; `item` comes from `HuntState.classes`.
 * @param {{name: string, colour: number}} item
 * @param {Properties} properties
 */
export function chip(item, properties = {}) {
  return el(
    "span",
    { class: "chip", data: { colour: item.colour }, ...properties },
    el("i", { class: "dot", "aria-hidden": "true" }),
    el("span", { class: "chip-name" }, item.name),
  );
}

/**
 * The chip of a label, or a quiet dash.
 * @param {HuntState} state
 * @param {string | null | undefined} name
 */
export function labelChip(state, name) {
  if (name === null || name === undefined) return el("span", { class: "quiet" }, "no label");
  return chip(state.classOf(name) ?? { name, colour: 0 });
}

/**
 * A button that answers with a class.
 * @param {ClassItem} item
 * @param {() => void} onClick
 */
export function answerButton(item, onClick) {
  return el(
    "button",
    {
      type: "button",
      class: "answer",
      data: { colour: item.colour, name: item.name },
      on: { click: onClick },
    },
    item.key ? key(item.key) : null,
    el("i", { class: "dot", "aria-hidden": "true" }),
    el("span", { class: "answer-name" }, item.name),
  );
}

/** The colours of the classes as [r, g, b], read from the style sheet: 0 ordinary, 1 to 8 rare. */
export function palette() {
  const probe = el("span", { class: "probe", hidden: true });
  document.body.append(probe);
  const read = (/** @type {string | number} */ name) => {
    probe.dataset.colour = String(name);
    const parts = getComputedStyle(probe).color.matchAll(/[\d.]+/g);
    return [...parts].slice(0, 3).map(([part]) => Number(part));
  };
  const colours = {
    classes: Array.from({ length: 9 }, (_, index) => read(index)),
    paper: read("paper"),
    crowd: read("crowd"),
    accent: read("accent"),
    ink: read("ink"),
  };
  probe.remove();
  return colours;
}

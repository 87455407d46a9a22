// Classes as people see them: a coloured dot with a name, never colour alone.

import { el, key } from "../lib/dom.js";

/** @import { Properties } from "../lib/dom.js" */
/** @import { ClassItem, HuntState } from "./state.js" */

export const COLOURS = 12;
/** @type {Shape[]} */
const SHAPES = ["circle", "square", "diamond", "triangle"];

/** @typedef {"circle" | "square" | "diamond" | "triangle"} Shape */

/**
 * How the colour of that number looks: once all colours are given out they come in other shapes.
 * @param {number} number
 * @returns {{colour: number, shape: Shape}}
 */
export function look(number) {
  if (number === 0) return { colour: 0, shape: "circle" };
  const shape = SHAPES[Math.floor((number - 1) / COLOURS) % SHAPES.length];
  return { colour: ((number - 1) % COLOURS) + 1, shape };
}

/**
 * A class name with its colour; `item` comes from `HuntState.classes`.
 * @param {{name: string, colour: number}} item
 * @param {Properties} properties
 */
export function chip(item, properties = {}) {
  return el(
    "span",
    { class: "chip", data: look(item.colour), ...properties },
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
      data: { ...look(item.colour), name: item.name },
      on: { click: onClick },
    },
    item.key ? key(item.key) : null,
    el("i", { class: "dot", "aria-hidden": "true" }),
    el("span", { class: "answer-name" }, item.name),
  );
}

/** The colours of the classes as [r, g, b], read from the style sheet: first the ordinary. */
export function palette() {
  const probe = el("span", { class: "probe", hidden: true });
  document.body.append(probe);
  const read = (/** @type {string | number} */ name) => {
    probe.dataset.colour = String(name);
    const parts = getComputedStyle(probe).color.matchAll(/[\d.]+/g);
    return [...parts].slice(0, 3).map(([part]) => Number(part));
  };
  const colours = {
    classes: Array.from({ length: COLOURS + 1 }, (_, index) => read(index)),
    paper: read("paper"),
    crowd: read("crowd"),
    accent: read("accent"),
    ink: read("ink"),
  };
  probe.remove();
  return colours;
}

// What pages are laid out with: a head with a title, tables that scroll in a frame of their own.

import { el } from "./dom.js";

/** @import { Child } from "./dom.js" */

/**
 * The title of a page with a sentence about it; `beside` stands at the right.
 * @param {string} title
 * @param {string} about
 * @param {...Child} beside
 */
export function pageHead(title, about, ...beside) {
  const words = el("div", {}, el("h1", {}, title), el("p", { class: "quiet" }, about));
  return el("header", { class: "page-head" }, words, beside);
}

/**
 * A table of a `kind` (its class), with a name for those who cannot see it.
 * @param {string} kind
 * @param {string} name
 * @param {Child[]} heads
 * @param {HTMLTableSectionElement} body
 */
export function table(kind, name, heads, body) {
  const columns = heads.map((head) => el("th", { scope: "col" }, head));
  return el(
    "div",
    { class: "table-frame", tabindex: 0, role: "region", "aria-label": name },
    el("table", { class: kind }, el("thead", {}, el("tr", {}, columns)), body),
  );
}

/**
 * An input with its name, and a hint below it.
 * @param {string} words
 * @param {HTMLInputElement} input
 */
export function field(words, input, hint = "") {
  const small = hint ? el("small", { class: "quiet" }, hint) : null;
  return el("label", { class: "field" }, el("span", {}, words), input, small);
}

/**
 * How much of the whole, from 0 to 1, as a bar.
 * @param {number} share
 */
export function scoreBar(share) {
  const bar = el("span", { class: "score-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.max(0, Math.min(1, share || 0))));
  return bar;
}

/**
 * The first letter of a name in a circle.
 * @param {string} name
 */
export function initial(name) {
  const letter = name.trim().slice(0, 1).toUpperCase();
  return el("i", { class: "person", "aria-hidden": "true" }, letter);
}

/**
 * A panel with a title.
 * @param {string} title
 * @param {...Child} children
 */
export function panel(title, ...children) {
  return el("section", { class: "panel" }, el("h2", {}, title), children);
}

// Which class a name that was typed stands for, wherever names are typed.

import { button, key } from "../lib/dom.js";
import { folded, joined } from "../lib/words.js";

const LEAST = 2; // letters, before they are taken for the beginning of a name

/**
 * The class of that very name, capitals, blanks, hyphens and underscores aside.
 * @param {string[]} names
 * @param {string} typed
 */
export function sameClass(names, typed) {
  return (
    names.find((name) => name === typed) ?? names.find((name) => joined(name) === joined(typed))
  );
}

/**
 * The class that what was typed is the beginning of; a number stands for itself.
 * @param {string[]} names
 * @param {string} typed
 */
export function begunClass(names, typed) {
  const start = folded(typed);
  if (start.length < LEAST || /^[\d.,-]+$/.test(start)) return undefined;
  return names.find((name) => folded(name).startsWith(start));
}

/**
 * "Enter answers weird, Shift Enter makes a new class “wei”."
 * @param {string} name
 * @param {string} typed
 * @param {(name: string) => void} use
 */
export const offer = (name, typed, use) => [
  key("Enter"),
  ` answers ${name}, `,
  key("Shift"),
  key("Enter"),
  " makes ",
  button(`a new class “${typed}”`, () => use(typed), { class: "link", id: "new-one" }),
  ".",
];

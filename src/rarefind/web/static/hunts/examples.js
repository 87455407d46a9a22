// Examples that ship with the package.

import { get, post } from "../lib/api.js";
import { el } from "../lib/dom.js";

/** @import { DataSetView, HuntAnswer, Named } from "../lib/http.js" */

/**
 * Open a hunt on an example, under a name that is not taken.
 * @param {string} name
 * @param {AbortSignal} signal
 */
export async function startExample(name, signal) {
  /** @type {[DataSetView, HuntAnswer[]]} */
  const [dataset, hunts] = await Promise.all([
    post(`/api/examples/${encodeURIComponent(name)}`, {}, { signal }),
    get("/api/hunts?limit=1000", { signal }),
  ]);
  const taken = new Set(hunts.map((hunt) => hunt.name));
  let title = name;
  for (let number = 2; taken.has(title); number += 1) title = `${name} ${number}`;
  const settings = {
    dataset: dataset.id,
    name: title,
    label_column: dataset.label_guesses[0] ?? null,
    background: dataset.background ?? [],
  };
  /** @type {HuntAnswer} */
  const hunt = await post("/api/hunts", settings, { signal });
  location.hash = `#/hunt/${encodeURIComponent(hunt.id)}/label`;
}

/**
 * @param {Named[]} examples
 * @param {(name: string) => void} onStart
 */
export function exampleCards(examples, onStart) {
  const cards = examples.map(({ name, about }) => {
    const click = () => onStart(name);
    return el(
      "button",
      { type: "button", class: "card example-card", data: { example: name }, on: { click } },
      el("b", {}, name.replaceAll("-", " ")),
      el("span", { class: "quiet" }, about),
    );
  });
  return el(
    "ul",
    { class: "cards example-cards" },
    cards.map((card) => el("li", {}, card)),
  );
}

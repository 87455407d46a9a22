// Examples that ship with the package.

import { get, post } from "./api.js";
import { el } from "./dom.js";

/** Open a hunt on an example, under a name that is not taken. */
export async function startExample(name, signal) {
  const [dataset, hunts] = await Promise.all([post(`/api/examples/${encodeURIComponent(name)}`, {}, { signal }), get("/api/hunts", { signal })]);
  const taken = new Set(hunts.map((hunt) => hunt.name));
  let title = name;
  for (let number = 2; taken.has(title); number += 1) title = `${name} ${number}`;
  const [labels] = dataset.label_guesses ?? [];
  const hunt = await post("/api/hunts", { dataset: dataset.id, name: title, label_column: labels ?? null, background: dataset.background ?? [] }, { signal });
  location.hash = `#/hunt/${encodeURIComponent(hunt.id)}/label`;
}

export function exampleCards(examples, onStart) {
  return el(
    "ul",
    { class: "cards example-cards" },
    examples.map(({ name, about }) => el("li", {}, el("button", { type: "button", class: "card example-card", data: { example: name }, on: { click: () => onStart(name) } }, el("b", {}, name.replaceAll("-", " ")), el("span", { class: "quiet" }, about)))),
  );
}

// Telling a person something: at the edge of the page, or to a screen reader alone.

import { button, el, part } from "./dom.js";

const LASTS = 6000; // milliseconds: time to read a sentence
const MOST = 4;

/**
 * A short message at the edge of the page; bad ones stay until they are closed.
 * @param {string} message
 * @param {"good" | "bad"} kind
 * @param {{words: string, act: () => void} | null} offer what can be done about it
 */
export function note(message, kind = "good", offer = null) {
  const box = el("div", { class: "note", data: { kind } }, el("span", {}, message));
  if (offer) {
    const accept = () => {
      box.remove();
      offer.act();
    };
    box.append(button(offer.words, accept, { class: "link" }));
  }
  const close = { class: "close", "aria-label": "Close this message" };
  box.append(button("×", () => box.remove(), close));
  const holder = part("notes");
  while (holder.children.length >= MOST) holder.firstElementChild?.remove();
  holder.append(box);
  if (kind !== "bad") setTimeout(() => box.remove(), LASTS);
}

/**
 * Tell a screen reader, and nobody else.
 * @param {string} message
 */
export function say(message) {
  part("spoken").textContent = message;
}

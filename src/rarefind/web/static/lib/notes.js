// Telling a person something: at the edge of the page, or to a screen reader alone.

import { button, el, part } from "./dom.js";

const LASTS = 6000; // milliseconds: time to read a sentence
const MOST = 4;
// What answers are given with, and what opens the record they are about on a phone.
const BARS = ".answers, .rank-answers, .sheet-toggle, .many";
const [REST, APART] = [20, 8]; // pixels: to the edge of the window, and to such a bar

/**
 * A short message at the edge of the page; bad ones stay until they are closed.
 * @param {string} message
 * @param {"good" | "bad"} kind
 * @param {{words: string, act: () => void} | null} offer what can be done about it
 * @returns {() => void} takes it away, once it is no longer true
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
  for (const each of [...holder.children])
    if (each.firstElementChild?.textContent === message) each.remove(); // it is said once
  while (holder.children.length >= MOST) holder.firstElementChild?.remove();
  const first = !holder.children.length;
  holder.append(box);
  if (first) keepClear(holder);
  holder.scrollTop = holder.scrollHeight; // where not all fit, the newest is in view
  if (kind !== "bad") setTimeout(() => box.remove(), LASTS);
  return () => box.remove();
}

/**
 * Messages stand above a bar of answers that they would cover, wherever it moves meanwhile: a wide
 * table, a sheet on a phone or a small window puts it where they are.
 * @param {HTMLElement} holder
 */
function keepClear(holder) {
  if (!holder.children.length) return;
  const { left, right, height } = holder.getBoundingClientRect();
  const screen = document.documentElement.clientHeight;
  const top = screen - REST - height - APART; // where they would be without a bar
  const tops = [...document.querySelectorAll(BARS)]
    .map((bar) => bar.getBoundingClientRect())
    .filter((bar) => bar.width && bar.left < right && bar.right > left)
    .filter((bar) => bar.bottom > top && bar.top < screen)
    .map((bar) => bar.top);
  const above = `${Math.max(REST, screen - Math.min(screen, ...tops) + APART)}px`;
  if (holder.style.getPropertyValue("--above") !== above) {
    holder.style.setProperty("--above", above);
    holder.scrollTop = holder.scrollHeight;
  }
  requestAnimationFrame(() => keepClear(holder));
}

/**
 * Tell a screen reader, and nobody else.
 * @param {string} message
 */
export function say(message) {
  part("spoken").textContent = message;
}

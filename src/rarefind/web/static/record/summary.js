// A record in one line of words, as lists show it.

import { broken, el } from "../lib/dom.js";

export const STARRED = "What sets it apart comes first; a star marks what few records have.";

const STAR = /\*(, |$)/; // how a line marks a value
const PIECE = /(?<=_)/; // names may be broken there, and numbers nowhere

/** @param {string | null | undefined} summary */
export const isStarred = (summary) => STAR.test(summary ?? "");

/** @param {string | null | undefined} summary */
export const drawSummary = (summary) =>
  summary
    ? el(
        "span",
        { class: "summary quiet", title: isStarred(summary) ? STARRED : null },
        broken(summary, PIECE),
      )
    : null;

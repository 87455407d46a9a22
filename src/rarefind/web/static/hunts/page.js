// All hunts, and the way to a new one.

import { get, sentence } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { pageHead } from "../lib/layout.js";
import { note } from "../lib/notes.js";
import { count, counted, when } from "../lib/words.js";
import { exampleCards, startExample } from "./examples.js";

/** @import { HuntAnswer, Named } from "../lib/http.js" */
/** @import { Place } from "../hunt/opening.js" */

const STATES = { ready: "ready", preparing: "being set up", closed: "", failed: "needs a look" };
const LEAD =
  "Bring records nobody has labelled. rarefind asks about one at a time, finds the rare kinds " +
  "with few answers, and then ranks everything for the kind you care about.";
const MOST_NAMES = 3;
const AT_ONCE = 50; // hunts shown before somebody asks for earlier ones

/** @param {Place} place */
export async function show({ root, signal }) {
  /** @type {[HuntAnswer[], Named[]]} */
  const [hunts, examples] = await Promise.all([
    get(`/api/hunts?limit=${AT_ONCE}`, { signal }),
    get("/api/examples", { signal }),
  ]);
  if (!hunts.length) {
    fill(root, welcome(examples, signal));
    return;
  }
  const list = el("ul", { class: "cards" });
  const earlier = button("Show earlier hunts", () => add(), { id: "earlier-hunts" });
  let oldest = append(list, hunts, earlier);
  const add = () =>
    get(`/api/hunts?limit=${AT_ONCE}&before=${encodeURIComponent(oldest)}`, { signal })
      .then((more) => (oldest = append(list, more, earlier)))
      .catch((error) => note(sentence(error), "bad"));
  const link = { class: "button primary push", href: "#/new", id: "new-hunt" };
  fill(
    root,
    pageHead("Hunts", "Go on where you stopped, or start another.", el("a", link, "New hunt")),
    list,
    el("p", { class: "row centre" }, earlier),
  );
}

/**
 * Put hunts at the end of the list, newest first; return the id of the oldest.
 * @param {HTMLElement} list
 * @param {HuntAnswer[]} hunts oldest first
 * @param {HTMLElement} earlier shown while there may be more
 */
function append(list, hunts, earlier) {
  list.append(...hunts.toReversed().map(card));
  earlier.hidden = hunts.length < AT_ONCE;
  return hunts[0]?.id ?? "";
}

/** @param {HuntAnswer} hunt */
function card({ id, name, title, dataset, state, n_records, labels, classes, ...others }) {
  const href = `#/hunt/${encodeURIComponent(id)}/label`;
  const begun = `begun ${when(others.created_at)}`;
  return el(
    "li",
    { class: "card hunt-card" },
    el("h2", {}, el("a", { href, class: "cover" }, name)),
    el(
      "p",
      { class: "quiet" },
      title || dataset,
      STATES[state] ? el("span", { class: "state", data: { state } }, STATES[state]) : null,
    ),
    el(
      "dl",
      { class: "numbers" },
      pair("records", count(n_records)),
      pair(labels === 1 ? "label" : "labels", count(labels)),
      pair(classes.length === 1 ? "class" : "classes", count(classes.length)),
    ),
    el("p", { class: "quiet small" }, [begun, ...people(others.annotators)].join(" · ")),
  );
}

/** @param {string[]} names */
function people(names) {
  if (!names.length) return [];
  return [names.length > MOST_NAMES ? counted(names.length, "person", "people") : names.join(", ")];
}

/**
 * @param {string} name
 * @param {string} value
 */
const pair = (name, value) => el("div", {}, el("dd", {}, value), el("dt", {}, name));

/**
 * @param {Named[]} examples
 * @param {AbortSignal} signal
 */
function welcome(examples, signal) {
  const start = (/** @type {string} */ name) =>
    startExample(name, signal).catch((error) => note(sentence(error), "bad"));
  const [first, ...more] = examples;
  return el(
    "section",
    { class: "welcome" },
    el("h1", {}, "Find what is rare"),
    el("p", { class: "lead" }, LEAD),
    el(
      "p",
      { class: "row centre" },
      el("a", { class: "button primary", href: "#/new", id: "new-hunt" }, "Bring your data"),
      first ? button("Try the example", () => start(first.name), { id: "try-example" }) : null,
    ),
    more.length
      ? el(
          "div",
          {},
          el("h2", { class: "quiet" }, "Examples that come along"),
          exampleCards(examples, start),
        )
      : null,
  );
}

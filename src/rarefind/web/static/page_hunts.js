// All hunts, and the way to a new one.

import { get } from "./api.js";
import { button, el, fill, note } from "./dom.js";
import { startExample, exampleCards } from "./examples.js";
import { count, counted, when } from "./words.js";

const STATES = { ready: "ready", preparing: "being set up", closed: "", failed: "needs a look" };

export async function show({ root, signal }) {
  const [hunts, examples] = await Promise.all([get("/api/hunts", { signal }), get("/api/examples", { signal })]);
  if (!hunts.length) return welcome(root, examples, signal);
  hunts.sort((a, b) => b.created_at - a.created_at);
  fill(
    root,
    el("header", { class: "page-head" }, el("div", {}, el("h1", {}, "Hunts"), el("p", { class: "quiet" }, "Go on where you stopped, or start another.")), el("a", { class: "button primary push", href: "#/new", id: "new-hunt" }, "New hunt")),
    el("ul", { class: "cards" }, hunts.map(card)),
  );
}

function card(hunt) {
  const found = hunt.classes.length;
  const address = `#/hunt/${encodeURIComponent(hunt.id)}/label`;
  return el(
    "li",
    { class: "card hunt-card" },
    el("h2", {}, el("a", { href: address, class: "cover" }, hunt.name)),
    el("p", { class: "quiet" }, hunt.title || hunt.dataset, STATES[hunt.state] ? el("span", { class: "state", data: { state: hunt.state } }, STATES[hunt.state]) : null),
    el("dl", { class: "numbers" }, pair("records", count(hunt.n_records)), pair("labels", count(hunt.labels)), pair(found === 1 ? "class" : "classes", count(found))),
    el("p", { class: "quiet small" }, `begun ${when(hunt.created_at)}`, hunt.annotators.length ? ` · ${hunt.annotators.length > 3 ? counted(hunt.annotators.length, "person", "people") : hunt.annotators.join(", ")}` : ""),
  );
}

const pair = (name, value) => el("div", {}, el("dd", {}, value), el("dt", {}, name));

function welcome(root, examples, signal) {
  const start = (name) => startExample(name, signal).catch((error) => note(error.message, "bad"));
  fill(
    root,
    el(
      "section",
      { class: "welcome" },
      el("h1", {}, "Find what is rare"),
      el("p", { class: "lead" }, "Bring records nobody has labelled. rarefind asks about one at a time, finds the rare kinds with few answers, and then ranks everything for the kind you care about."),
      el("p", { class: "row centre" }, el("a", { class: "button primary", href: "#/new", id: "new-hunt" }, "Bring your data"), examples.length ? button("Try the example", () => start(examples[0].name), { id: "try-example" }) : null),
      examples.length > 1 ? el("div", {}, el("h2", { class: "quiet" }, "Examples that come along"), exampleCards(examples, start)) : null,
    ),
  );
}

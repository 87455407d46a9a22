// The page: which part is shown follows the address after #.

import { ApiError, decoded, get, sentence } from "./lib/api.js";
import { el, fill, part } from "./lib/dom.js";
import { onKeys } from "./lib/keys.js";
import { line } from "./lib/line.js";
import { note } from "./lib/notes.js";
import { Header } from "./frame/header.js";
import { outbox } from "./hunt/outbox.js";

/** @import { Person } from "./lib/http.js" */

/** @type {[RegExp, string, string][]} the address, the room of the page, its title */
const PAGES = [
  [/^\/?$/, "hunts", "Hunts"],
  [/^\/new(?:\/([^/]+))?$/, "new", "New hunt"],
  [/^\/hunt\/([^/]+)\/label(?:\/(\d+))?$/, "label", "Label"],
  [/^\/hunt\/([^/]+)\/map$/, "map", "Map"],
  [/^\/hunt\/([^/]+)\/find(?:\?.*)?$/, "find", "Records"],
  [/^\/hunt\/([^/]+)\/rank$/, "rank", "Rank"],
  [/^\/hunt\/([^/]+)\/compare$/, "compare", "Compare"],
  [/^\/hunt\/([^/]+)\/history(?:\?.*)?$/, "history", "History"],
  [/^\/hunt\/([^/]+)\/settings$/, "settings", "Settings"],
  [/^\/people$/, "people", "People"],
];

const main = part("main");
const header = new Header(part("top"));
let leaving = new AbortController();
let labelling = ""; // the address of the label page, while it is shown

async function go() {
  if (!line.up && labelling) {
    // Questions for a time without a server are here, and no other page could be shown.
    if (location.hash !== labelling) {
      history.replaceState(null, "", labelling);
      note("Other pages need the server, which cannot be reached: you can go on labelling here.");
    }
    return;
  }
  leaving.abort();
  labelling = "";
  leaving = new AbortController();
  const { signal } = leaving;
  const path = location.hash.slice(1) || "/";
  const [pattern, room, title] = PAGES.find(([candidate]) => candidate.test(path)) ?? PAGES[0];
  const [, name, row] = path.match(pattern) ?? [];
  const id = name === undefined ? null : decoded(name);
  document.title = `${title} – rarefind`;
  header.show(room, room === "new" ? null : id);
  const root = el("div", { class: `page page-${room}` });
  fill(main, root);
  main.focus({ preventScroll: true });
  window.scrollTo(0, 0);
  if (id !== null && room !== "new" && room !== "find") slash(id, signal);
  try {
    const page = await import(`./${room}/page.js`);
    if (!signal.aborted)
      await page.show({ root, id, row: row ? Number(row) : null, signal, header });
    if (room === "label" && !signal.aborted) labelling = location.hash;
  } catch (error) {
    if (signal.aborted) return;
    fill(root, failure(error));
    if (error instanceof ApiError && error.passing)
      line.on("change", () => line.up && go(), signal);
  }
}

/**
 * From anywhere in a hunt, the stroke that starts a search.
 * @param {string} id
 * @param {AbortSignal} signal
 */
function slash(id, signal) {
  onKeys(signal, (name) => {
    if (name === "/") location.hash = `#/hunt/${encodeURIComponent(id)}/find`;
    return name === "/";
  });
}

/** @param {unknown} error */
function failure(error) {
  return el(
    "section",
    { class: "card centred", role: "alert" },
    el("h1", {}, "This page cannot be shown"),
    el("p", {}, sentence(error)),
    el(
      "p",
      {},
      el("button", { type: "button", class: "primary", on: { click: go } }, "Try again"),
      " ",
      el("a", { class: "button", href: "#/" }, "All hunts"),
    ),
  );
}

/** Everyone who labels has a name. Alone at one's own machine the server's guess will do. */
async function meet() {
  /** @type {Person} */
  const me = await get("/api/me");
  header.name = me.annotator;
  header.invited = me.invited;
  header.people.hidden = me.role !== "leads";
  const alone = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  if (!me.chosen && !alone) header.rename();
}

part("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
outbox.on("refused", ({ entry, error }) => {
  note(`Record ${entry.row ?? ""}: ${error.message}`, "bad");
});
document.addEventListener("rarefind:locked", () => {
  header.locked = true;
  header.status();
});
addEventListener("hashchange", go);

try {
  await meet();
} catch (error) {
  note(sentence(error), "bad");
}
outbox.start();
await go();

// The page: which part is shown follows the address after #.

import { get } from "./api.js";
import { el, fill, note } from "./dom.js";
import { Header } from "./header.js";
import { outbox } from "./outbox.js";

const PAGES = [
  [/^\/?$/, "hunts", "Hunts"],
  [/^\/new(?:\/([^/]+))?$/, "new_hunt", "New hunt"],
  [/^\/hunt\/([^/]+)\/label(?:\/(\d+))?$/, "label", "Label"],
  [/^\/hunt\/([^/]+)\/rank$/, "rank", "Rank"],
  [/^\/hunt\/([^/]+)\/compare$/, "compare", "Compare"],
  [/^\/hunt\/([^/]+)\/history$/, "history", "History"],
];

const main = document.getElementById("main");
const header = new Header(document.getElementById("top"));
let leaving = new AbortController();

async function go() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const path = location.hash.slice(1) || "/";
  const [pattern, name, title] = PAGES.find(([candidate]) => candidate.test(path)) ?? PAGES[0];
  const [, part, row] = path.match(pattern) ?? [];
  const id = decoded(part);
  document.title = `${title} – rarefind`;
  header.show(name, name === "new_hunt" ? null : id);
  const root = el("div", { class: `page page-${name.replace("_", "-")}` });
  fill(main, root);
  main.focus({ preventScroll: true });
  window.scrollTo(0, 0);
  try {
    const page = await import(`./page_${name}.js`);
    if (!signal.aborted) await page.show({ root, id, row: row ? Number(row) : null, signal, header });
  } catch (error) {
    if (signal.aborted) return;
    fill(root, failure(error));
  }
}

function decoded(part) {
  try {
    return part === undefined ? null : decodeURIComponent(part);
  } catch {
    return part; // a per cent sign that means itself
  }
}

function failure(error) {
  return el(
    "section",
    { class: "card centred", role: "alert" },
    el("h1", {}, "This page cannot be shown"),
    el("p", {}, error.message),
    el("p", {}, el("button", { type: "button", class: "primary", on: { click: go } }, "Try again"), " ", el("a", { class: "button", href: "#/" }, "All hunts")),
  );
}

/** Everyone who labels has a name. Alone at one's own machine the server's guess will do. */
async function meet() {
  const me = await get("/api/me");
  header.name = me.annotator;
  const alone = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  if (me.chosen === false && !alone) header.rename();
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
outbox.addEventListener("refused", ({ detail: { entry, error } }) => {
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
  note(error.message, "bad");
}
outbox.start();
await go();

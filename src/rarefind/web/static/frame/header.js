// The bar at the top: where one is, who one is, whether everything is saved, light or dark.

import { put, sentence } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { line } from "../lib/line.js";
import { note } from "../lib/notes.js";
import { initial } from "../lib/layout.js";
import { showHelp } from "./help.js";
import { outbox } from "../hunt/outbox.js";

/** @import { HuntAnswer, Person } from "../lib/http.js" */

const TABS = [
  ["label", "Label"],
  ["map", "Map"],
  ["find", "Records"],
  ["rank", "Rank"],
  ["compare", "Compare"],
  ["history", "History"],
  ["settings", "Settings"],
];
const THEME = "rarefind.theme";
const ON_THE_WAY = 3; // answers that a quick person has on their way when all is well

export class Header {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.locked = false;
    this.current = "";
    this.person = "";
    this.title = el("span", { class: "hunt-title" });
    this.tabs = el("nav", { class: "tabs", "aria-label": "Parts of this hunt" });
    this.saved = el("span", { class: "saved", role: "status", id: "saved" });
    this.who = button("", () => this.rename(), {
      class: "ghost who",
      id: "annotator",
      title: "Your name beside your labels: change it",
    });
    this.invited = false;
    this.people = el("a", { class: "button ghost", href: "#/people", id: "people-link" }, "People");
    this.theme = button("", () => this.toggle(), { class: "ghost icon", id: "theme" });
    const help = button("?", () => showHelp(this.current), {
      class: "ghost icon",
      id: "help",
      "aria-label": "Help and keys",
    });
    fill(
      element,
      el(
        "a",
        { class: "brand", href: "#/" },
        el("img", { src: "/static/icon.svg", alt: "", width: 26, height: 26 }),
        el("span", {}, "rarefind"),
      ),
      this.title,
      this.tabs,
      el("div", { class: "top-right" }, this.saved, this.people, this.who, this.theme, help),
    );
    outbox.on("change", () => this.status());
    let away = () => {};
    line.on("change", () => {
      this.status();
      away();
      if (line.up) away = note("Connected again.");
    });
    outbox.on("kept", () => {
      this.locked = false;
      this.status();
    });
    this.restore();
    this.status();
  }

  /** @param {string} value */
  set name(value) {
    this.person = value;
    fill(this.who, initial(value), el("span", {}, value));
    this.who.setAttribute("aria-label", `Your name: ${value}. Change it`);
  }

  /**
   * @param {string} page
   * @param {string | null} id
   */
  show(page, id) {
    this.current = page;
    fill(this.title);
    fill(
      this.tabs,
      id === null
        ? null
        : TABS.map(([name, title]) =>
            el(
              "a",
              {
                href: `#/hunt/${encodeURIComponent(id)}/${name}`,
                "aria-current": name === page ? "page" : null,
              },
              title,
            ),
          ),
    );
    this.tabs.hidden = id === null;
    // On a phone the tabs are wider than the bar: the one shown is brought into sight.
    const shown = this.tabs.querySelector("[aria-current]");
    if (shown instanceof HTMLElement)
      this.tabs.scrollLeft = shown.offsetLeft - this.tabs.offsetLeft;
  }

  /** @param {HuntAnswer} view */
  hunt(view) {
    fill(this.title, view.name);
    this.title.title = view.name;
    document.title = `${view.name} – rarefind`;
  }

  /** Whether everything a person said has arrived. */
  status() {
    const waiting = outbox.waiting;
    const trouble = !line.up || (waiting > 0 && outbox.failures > 0);
    const many = waiting > ON_THE_WAY;
    const well = many ? "sending" : "saved";
    this.saved.dataset.state = this.locked ? "locked" : trouble ? "waiting" : well;
    if (this.locked) this.saved.textContent = "Signed out: open the link the server printed";
    else if (trouble && waiting)
      this.saved.textContent =
        `No connection: ${outbox.words} kept here, ` + "sent when the server is back";
    else if (trouble) this.saved.textContent = "No connection: trying again";
    else if (many) this.saved.textContent = `Sending ${outbox.words}…`;
    else if (!outbox.durable)
      this.saved.textContent = waiting
        ? "Saving…"
        : "Saved (this browser keeps nothing: do not close it early)";
    else this.saved.textContent = "Saved";
  }

  rename() {
    if (this.invited) {
      note(`You were invited as ${this.person}: your answers are kept under that name.`);
      return;
    }
    const input = el("input", {
      id: "new-name",
      value: this.person,
      maxlength: 80,
      required: true,
      autocomplete: "nickname",
    });
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "name-title" });
    const save = async (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      try {
        /** @type {Person} */
        const me = await put("/api/me", { annotator: input.value.trim() });
        this.name = me.annotator;
        dialog.close();
        dispatchEvent(new HashChangeEvent("hashchange"));
      } catch (error) {
        note(sentence(error), "bad");
      }
    };
    fill(
      dialog,
      el(
        "form",
        { on: { submit: save } },
        el("h2", { id: "name-title" }, "Who is labelling?"),
        el(
          "p",
          { class: "quiet" },
          "Your name stands beside your labels. Everyone on a hunt needs one of their own.",
        ),
        el("label", { class: "field" }, el("span", {}, "Name"), input),
        el(
          "div",
          { class: "row end" },
          button("Cancel", () => dialog.close()),
          el("button", { class: "primary" }, "Save"),
        ),
      ),
    );
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    input.select();
  }

  restore() {
    try {
      const kept = localStorage.getItem(THEME);
      if (kept) document.documentElement.dataset.theme = kept;
    } catch {
      // Without storage the system's choice is followed.
    }
    this.themed();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.themed());
  }

  toggle() {
    document.documentElement.dataset.theme = this.dark ? "light" : "dark";
    try {
      localStorage.setItem(THEME, document.documentElement.dataset.theme);
    } catch {
      // It lasts as long as the page.
    }
    this.themed();
  }

  get dark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  themed() {
    fill(this.theme, this.dark ? "☀" : "☾");
    this.theme.setAttribute("aria-label", this.dark ? "Light colours" : "Dark colours");
    document.dispatchEvent(new Event("rarefind:theme"));
  }
}

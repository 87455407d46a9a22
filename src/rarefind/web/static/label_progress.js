// Beside the question: the classes found, the curve of discovery, what may still be hidden, people.

import { chip } from "./chips.js";
import { curves } from "./charts.js";
import { hunt } from "./api.js";
import { button, el, fill, note } from "./dom.js";
import { count, counted } from "./words.js";

const ENOUGH = 10; // labels, before anything is said about what is missing

export class ProgressPanel {
  constructor(state, onPick) {
    this.state = state;
    this.onPick = onPick;
    this.ahead = 0;
    this.figures = el("div", { class: "figures" });
    this.classes = el("div", {});
    this.curve = el("div", {});
    this.outlook = el("div", {});
    this.people = el("div", {});
    this.report = el("p", { class: "quiet" }, el("a", { href: hunt(state.view.id, "/report"), download: "" }, "All of it as one page"), " to keep or to pass on.");
    this.element = el("aside", { class: "side progress-panel", "aria-label": "Progress" }, this.figures, this.classes, this.curve, this.outlook, this.people, this.report);
    state.addEventListener("progress", () => {
      this.ahead = 0;
      this.draw();
    });
    this.draw();
  }

  /** One more answer, counted before the server says so. */
  given() {
    this.ahead += 1;
    this.drawFigures();
  }

  drawFigures() {
    const { progress, view } = this.state;
    const found = this.state.classes.filter((item) => !item.ordinary).length;
    const one = (number, words) => el("div", {}, el("b", {}, count(number)), el("span", {}, words));
    fill(this.figures, one((progress?.labels ?? 0) + this.ahead, "labels"), one(found, "rare classes"), one(view.n_records, "records"));
  }

  draw() {
    const { progress } = this.state;
    if (!progress) return;
    this.drawFigures();
    fill(this.classes, this.drawClasses());
    fill(this.curve, this.drawCurve());
    fill(this.outlook, this.drawOutlook());
    fill(this.people, this.drawPeople(), this.drawDisagreements());
  }

  drawClasses() {
    const items = this.state.classes;
    const rare = items.filter((item) => !item.ordinary);
    const ordinary = items.filter((item) => item.ordinary);
    return el(
      "section",
      { class: "panel" },
      el("h2", {}, "Classes"),
      items.length ? null : el("p", { class: "quiet" }, "Every class appears here with its first example."),
      el(
        "ul",
        { class: "class-list" },
        rare.map((item) =>
          el(
            "li",
            {},
            chip(item),
            el("span", { class: "class-count" }, count(item.count)),
            item.firstRow === null ? null : el("span", { class: "class-first quiet" }, button(`record ${item.firstRow}`, () => this.onPick(item.firstRow), { class: "link", "aria-label": `First example of ${item.name}: record ${item.firstRow}` }), item.firstAt ? ` at label ${item.firstAt}` : "", " · ", this.move(item, true, "make ordinary")),
          ),
        ),
      ),
      ordinary.length ? el("div", { class: "ordinary" }, el("h3", {}, "Ordinary"), el("ul", {}, ordinary.map((item) => el("li", {}, chip(item), el("span", { class: "class-count" }, count(item.count)), ordinary.length > 1 ? el("span", { class: "class-move quiet" }, this.move(item, false, "make rare")) : null)))) : null,
    );
  }

  /** A button that counts a class among the ordinary ones, or among the rare. */
  move(item, ordinary, words) {
    const spoken = `${words}: ${item.name}`;
    const change = async () => {
      try {
        await this.state.setOrdinary(item.name, ordinary);
      } catch (error) {
        if (!this.state.signal.aborted) note(error.message, "bad");
      }
    };
    return button(words, change, { class: "link", "aria-label": spoken });
  }

  drawCurve() {
    const { curve, random, labels } = this.state.progress;
    if (!curve || curve.length < 3) return null;
    const found = curve.at(-1);
    const every = labels / (curve.length - 1); // a long curve comes thinned
    const series = [{ name: "random draws", values: random, quiet: true, every }, { name: "this hunt", values: curve, steps: true, every }];
    const chance = random?.length ? ` Random draws would have found ${random.at(-1).toFixed(1)} on average.` : "";
    return el("section", { class: "panel" }, el("h2", {}, "Discovery"), curves(series, { xLabel: "labels", width: 320, yLabel: "rare classes found", sentence: `${counted(found, "rare class", "rare classes")} found with ${counted(labels, "label")}.${chance}`, yMost: Math.max(2, found), wholeY: true }));
  }

  drawOutlook() {
    const { outlook, outlook_words: words } = this.state.progress;
    if (!words) return null;
    const share = outlook?.largest_unseen_share;
    const sure = outlook?.labels >= ENOUGH && share > 0;
    const headline = sure ? ["At most ", el("b", {}, `1 in ${count(1 / share)}`), " records belongs to a class you have not seen, at 95 %."] : words;
    return el("section", { class: "panel outlook" }, el("h2", {}, "Outlook"), el("p", { class: "headline" }, headline), sure ? el("details", { open: this.open, on: { toggle: (event) => (this.open = event.currentTarget.open) } }, el("summary", {}, "In full"), el("p", {}, words)) : null);
  }

  drawPeople() {
    const { annotators = {}, leases = [] } = this.state.progress;
    const busy = new Set(leases.map((lease) => lease.annotator));
    const names = new Map(Object.entries(annotators));
    for (const name of busy) if (!names.has(name)) names.set(name, 0);
    if (names.size < 2) return null;
    return el(
      "section",
      { class: "panel" },
      el("h2", {}, "People"),
      el("ul", { class: "people" }, [...names].map(([name, labels]) => el("li", { data: { name } }, el("i", { class: "person", "aria-hidden": "true" }, name.trim().slice(0, 1).toUpperCase()), el("span", {}, name === this.state.annotator ? `${name} (you)` : name), el("span", { class: "class-count" }, count(labels)), busy.has(name) ? el("span", { class: "live", title: "looking at a record now" }, "labelling") : null))),
    );
  }

  drawDisagreements() {
    const found = this.state.progress.disagreements ?? [];
    if (!found.length) return null;
    return el(
      "section",
      { class: "panel" },
      el("h2", {}, counted(found.length, "disagreement")),
      el("ul", { class: "plain" }, found.slice(0, 20).map((item) => el("li", {}, button(`record ${item.row}`, () => this.onPick(item.row), { class: "link" }), " ", Object.entries(item.words).map(([name, label]) => el("span", { class: "said" }, `${name}: ${label}`))))),
    );
  }
}

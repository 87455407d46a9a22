// The record chosen in the ranking: what it is, what votes for it, and the answer.

import { get, hunt } from "./api.js";
import { answerButton, labelChip } from "./chips.js";
import { button, el, fill, key, note } from "./dom.js";
import { drawRecord, drawStamp, isDrawn } from "./record.js";
import { figure } from "./words.js";

export class RankDetail {
  constructor(state, signal, actions) {
    Object.assign(this, { state, signal, actions });
    this.record = el("div", {});
    this.votes = el("div", {});
    this.answers = el("div", { class: "rank-answers" });
    this.element = el("section", { class: "rank-detail", "aria-label": "The record chosen", hidden: true }, el("div", { class: "card" }, this.record, this.answers), this.votes);
  }

  async show(item, ranking) {
    Object.assign(this, { item, ranking });
    this.element.hidden = false;
    this.which = false;
    this.drawAnswers();
    try {
      const { record } = await get(hunt(this.state.id, `/records/${item.row}`), { signal: this.signal });
      if (item !== this.item) return;
      if (isDrawn(record)) this.actions.onDrawn();
      fill(this.record, el("header", { class: "question-head" }, el("h2", {}, `Is it ${ranking.target}?`), el("span", { class: "quiet" }, `record ${item.row}`)), drawRecord({ row: item.row, ...record }));
      this.element.dataset.row = item.row;
      const votes = await get(hunt(this.state.id, `/rankings/${encodeURIComponent(ranking.id)}/votes/${item.row}`), { signal: this.signal });
      if (item === this.item) fill(this.votes, this.drawVotes(votes, isDrawn(record)));
    } catch (error) {
      if (!this.signal.aborted && item === this.item) note(error.message, "bad");
    }
  }

  drawAnswers() {
    const { target } = this.ranking;
    const others = this.state.classes.filter((item) => item.name !== target);
    fill(
      this.answers,
      el("div", { class: "row" }, button([key("y"), `Yes, ${target}`], this.actions.onConfirm, { class: "primary", id: "confirm" }), button([key("x"), "No"], this.actions.onReject, { id: "reject" }), button([key("u"), "Undo"], this.actions.onUndo, { class: "ghost push" })),
      this.which ? el("div", { role: "status" }, el("p", { class: "quiet" }, "Which class is it then? Press its number."), el("div", { class: "answer-buttons" }, others.map((item) => answerButton(item, () => this.actions.onLabel(item.name))))) : null,
    );
  }

  askWhich() {
    if (!this.item) return;
    this.which = true;
    this.drawAnswers();
  }

  drawVotes(votes, drawn) {
    const most = Math.max(1e-300, ...votes.parts.map((part) => Math.abs(part.share ?? part.adds ?? 0)));
    return el(
      "section",
      { class: "panel votes" },
      el("h2", {}, votes.kind === "votes" ? "What votes for it" : "What its score is made of"),
      el("p", { class: "quiet" }, votes.words),
      el("ul", { class: "plain" }, votes.parts.map((part) => (part.feature === undefined ? this.vote(part, most, drawn) : feature(part, most)))),
    );
  }

  vote(part, most, drawn) {
    const stamp = el("span", { class: "stamp" });
    if (drawn) {
      get(hunt(this.state.id, `/records/${part.row}`), { signal: this.signal })
        .then(({ record }) => fill(stamp, drawStamp(record)))
        .catch(() => {});
    }
    return el("li", { class: "vote" }, drawn ? stamp : null, el("span", {}, `record ${part.row} `, this.state.labelOf.has(part.row) ? labelChip(this.state, this.state.labelOf.get(part.row)) : null), bar(part.share / most), el("span", { class: "number" }, `${figure(100 * part.share)} %`));
  }
}

function feature(part, most) {
  return el("li", { class: "vote", data: { against: part.adds < 0 ? "yes" : null } }, el("span", {}, part.feature), bar(Math.abs(part.adds) / most), el("span", { class: "number" }, `${part.adds > 0 ? "+" : "−"}${figure(Math.abs(part.adds))}`));
}

function bar(share) {
  const element = el("span", { class: "score-bar", "aria-hidden": "true" });
  element.style.setProperty("--share", String(Math.max(0, Math.min(1, share || 0))));
  return element;
}

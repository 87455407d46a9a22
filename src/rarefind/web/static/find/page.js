// Records looked for: a query, a list with a line about each, and a class for many.

import { get, hunt, sentence } from "../lib/api.js";
import { choice, el, fill } from "../lib/dom.js";
import { onKeys } from "../lib/keys.js";
import { pageHead } from "../lib/layout.js";
import { note } from "../lib/notes.js";
import { opened } from "../hunt/opening.js";
import { RecordList } from "./list.js";
import { ManyBar } from "./many.js";
import { SearchBox } from "./search.js";
import { queried } from "./source.js";

/** @import { RankingView } from "../lib/http.js" */
/** @import { Place } from "../hunt/opening.js" */
/** @import { HuntState } from "../hunt/state.js" */

const OFFERED = 6; // rankings to order by
const NONE = { total: 0, page: async () => [], rows: async () => [] };

/** @param {Place} place */
export async function show(place) {
  new FindPage(place, await opened(place));
}

class FindPage {
  /**
   * @param {Place} place
   * @param {HuntState} state
   */
  constructor({ root, id, signal }, state) {
    this.id = id;
    this.signal = signal;
    this.state = state;
    const asked = new URLSearchParams(location.hash.split("?")[1] ?? "");
    this.ranking = asked.get("ranking") ?? "";
    this.box = new SearchBox({
      value: asked.get("q") ?? "",
      onSearch: () => this.search(),
    });
    this.list = new RecordList(state, signal);
    this.many = new ManyBar(state, () => [...this.list.chosen]);
    this.list.onChoose = () => this.many.draw();
    this.order = el("div", {});
    fill(
      root,
      pageHead(
        "Records",
        "Look for records by words, columns and answers; label one, or all that are chosen.",
      ),
      el("section", { class: "card find-box" }, this.box.element, this.order),
      el("section", { class: "card" }, this.many.element, this.list.element),
    );
    onKeys(signal, (name) => this.press(name));
    this.begin();
  }

  async begin() {
    this.box.input.focus({ preventScroll: true });
    const labels = this.state.loadLabels().catch((error) => note(sentence(error), "bad"));
    this.box.hint(this.id, this.signal);
    await Promise.all([this.offerOrders(), labels, this.search()]);
  }

  async offerOrders() {
    /** @type {RankingView[]} */
    const rankings = await get(hunt(this.id, "/rankings"), { signal: this.signal });
    const latest = rankings.slice(-OFFERED).reverse();
    if (!latest.length) return;
    const orders = [
      { name: "", title: "as in the file" },
      ...latest.map(({ id, target }) => ({ name: id, title: `most like ${target} first` })),
    ];
    const turn = (/** @type {string} */ name) => {
      this.ranking = name;
      this.search();
    };
    fill(this.order, choice("Order", orders, this.ranking, turn, { id: "order" }));
  }

  async search() {
    const { query } = this.box;
    this.keep(query);
    try {
      const source = await queried(this.id, query, this.signal, this.ranking);
      this.box.refuse("");
      await this.list.show(source);
    } catch (error) {
      if (this.signal.aborted) return;
      this.box.refuse(sentence(error));
      await this.list.show(NONE); // what was found before is not what is looked for now
    }
  }

  /**
   * The address says what is looked for, so that it can be kept and sent.
   * @param {string} query
   */
  keep(query) {
    const about = new URLSearchParams();
    if (query) about.set("q", query);
    if (this.ranking) about.set("ranking", this.ranking);
    const rest = about.size ? `?${about}` : "";
    history.replaceState(null, "", `#/hunt/${encodeURIComponent(this.id)}/find${rest}`);
  }

  /** @param {string} name */
  press(name) {
    if (name === "/") this.box.input.focus();
    else if (name === "u") this.many.undo();
    else return false;
    return true;
  }
}

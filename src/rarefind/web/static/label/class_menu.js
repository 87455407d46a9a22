// What can be changed about a class: its name, its key, its colour, whether it is ordinary, and
// what it is part of. A new name and a merge are events: they can be taken back like any answer.

import { hunt, post, sentence } from "../lib/api.js";
import { button, choice, el, fill } from "../lib/dom.js";
import { note } from "../lib/notes.js";
import { counted } from "../lib/words.js";
import { COLOURS, look } from "../hunt/chips.js";
import { outbox } from "../hunt/outbox.js";

/** @import { ClassItem, HuntState } from "../hunt/state.js" */

const KEYS = [..."1234567890abcdefghilopqrtvwz"]; // all others are commands

/**
 * @param {ClassItem} item
 * @param {HuntState} state
 */
export function openClass(item, state) {
  const dialog = el("dialog", { class: "dialog class-dialog", "aria-labelledby": "class-title" });
  const close = () => dialog.close();
  fill(
    dialog,
    el("h2", { id: "class-title" }, item.name),
    el("p", { class: "quiet" }, `${counted(item.count, "record")} so far.`),
    item.count ? renameForm(item, state, close) : null,
    item.count ? mergeForm(item, state, close) : null,
    keyChoice(item, state),
    colourChoice(item, state),
    ordinaryBox(item, state),
    el("div", { class: "row end" }, button("Close", close)),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {HuntState} state
 * @param {"rename" | "merge"} kind
 * @param {string} old
 * @param {string} name
 */
function change(state, kind, old, name) {
  const { id } = outbox.add(kind, state.id, { old, new: name });
  const words = kind === "rename" ? `${old} is ${name} now.` : `${old} is part of ${name} now.`;
  const act = () => outbox.add("undo", state.id, { target: id });
  note(words, "good", { words: "Undo", act });
  state.tell("renamed", id);
}

/**
 * @param {ClassItem} item
 * @param {HuntState} state
 * @param {() => void} close
 */
function renameForm(item, state, close) {
  const input = el("input", { id: "class-new-name", maxlength: 200, value: item.name });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (!name || name === item.name) return;
    change(state, state.names.includes(name) ? "merge" : "rename", item.name, name);
    close();
  };
  return el(
    "form",
    { class: "inline-form", on: { submit } },
    el("label", { class: "field grow" }, el("span", {}, "Name"), input),
    el("button", { class: "primary" }, "Rename"),
  );
}

/**
 * @param {ClassItem} item
 * @param {HuntState} state
 * @param {() => void} close
 */
function mergeForm(item, state, close) {
  const others = state.names.filter((name) => name !== item.name);
  if (!others.length) return null;
  let into = ""; // nothing is merged by a press too many
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (!into) return;
    change(state, "merge", item.name, into);
    close();
  };
  const merge = el("button", { disabled: true }, "Merge");
  const chosen = (/** @type {string} */ name) => {
    into = name;
    merge.disabled = !name;
  };
  const options = [{ name: "", title: "choose a class" }, ...others];
  return el(
    "form",
    { class: "inline-form", on: { submit } },
    choice("Make it part of", options, into, chosen, { id: "merge-into" }),
    merge,
  );
}

/**
 * @param {ClassItem} item
 * @param {HuntState} state
 */
function keyChoice(item, state) {
  const taken = new Map(state.classes.map((each) => [each.key, each.name]));
  const options = KEYS.map((name) => {
    const holder = taken.get(name);
    return { name, title: holder && holder !== item.name ? `${name} (now ${holder})` : name };
  });
  if (!item.key) options.unshift({ name: "", title: "none" });
  const choose = async (/** @type {string} */ name) => {
    if (!name) return;
    await told(state, () => post(hunt(state.id, "/keys"), { name: item.name, key: name }));
    state.soon(0);
  };
  return choice("Key, for everybody", options, item.key ?? "", choose, { id: "class-key" });
}

/**
 * @param {ClassItem} item
 * @param {HuntState} state
 */
function colourChoice(item, state) {
  const taken = new Map(state.classes.map((each) => [each.colour, each.name]));
  const choose = async (/** @type {number} */ colour) => {
    await told(state, () => post(hunt(state.id, "/keys"), { name: item.name, colour }));
    state.soon(0);
  };
  const swatches = Array.from({ length: 2 * COLOURS }, (_, at) => {
    const number = at + 1;
    const { colour, shape } = look(number);
    const holder = taken.get(number);
    const words = `${shape} of colour ${colour}${holder ? `, now ${holder}` : ""}`;
    const input = el("input", {
      type: "radio",
      name: "class-colour",
      value: String(number),
      checked: number === item.colour,
      "aria-label": words,
      on: { change: () => choose(number) },
    });
    const dot = el("i", { class: "dot", "aria-hidden": "true" });
    return el("label", { class: "swatch", title: words, data: { colour, shape } }, input, dot);
  });
  return el("fieldset", { class: "swatches" }, el("legend", {}, "Colour, for everybody"), swatches);
}

/**
 * @param {ClassItem} item
 * @param {HuntState} state
 */
function ordinaryBox(item, state) {
  const box = el("input", {
    type: "checkbox",
    id: "class-ordinary",
    checked: item.ordinary,
    on: { change: () => told(state, () => state.setOrdinary(item.name, box.checked)) },
  });
  return el("label", { class: "check" }, box, "Ordinary: not one of the rare classes");
}

/**
 * Do it, and say what went wrong.
 * @param {HuntState} state
 * @param {() => Promise<unknown>} act
 */
async function told(state, act) {
  try {
    await act();
  } catch (error) {
    if (!state.signal.aborted) note(sentence(error), "bad");
  }
}

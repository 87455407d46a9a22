// A record drawn as what it is: fields, a picture, a text, a sequence, a graph or a molecule.

import { el } from "../lib/dom.js";
import { drawFields, drawLines } from "./fields.js";
import { drawGraph } from "./graph.js";
import { drawMolecule } from "./molecule.js";
import { drawPhotograph, drawPicture } from "./picture.js";
import { drawSequence, drawText } from "./text.js";

/** @import { RecordView } from "../lib/http.js" */
/** @import { Child } from "../lib/dom.js" */
/** @import { Graph } from "./graph.js" */

/**
 * A part that is more than a value; what it holds beside `kind` and `name` depends on the kind.
 * @typedef {RecordView["payloads"][number]} Payload
 */

const DRAWN = ["picture", "molecule", "graph"];

/**
 * The whole record.
 * @param {RecordView} record
 */
export function drawRecord(record) {
  const { payloads } = record;
  if (isTable(record)) return el("div", { class: "record" }, drawLines(record.fields));
  const shown = new Set(payloads.map((payload) => payload.name));
  const fields = record.fields.filter((field) => !shown.has(field.name));
  const named = payloads.length > 1 || fields.length > 0;
  const parts = payloads.map((payload) => drawPayload(payload, record.row, named));
  // A picture comes first; words and sequences after the fields, which are short.
  if (fields.length) parts.splice(isDrawn(record) ? parts.length : 0, 0, drawFields(fields));
  const words = record.summary || `Record ${record.row}`;
  return el("div", { class: "record" }, parts.length ? parts : el("p", { class: "quiet" }, words));
}

/**
 * A drawing as small as a stamp, for neighbours and lists; null where there is nothing to draw.
 * @param {RecordView} record
 */
export function drawStamp(record) {
  const payload = record.payloads.find((item) => DRAWN.includes(item.kind));
  if (!payload) return null;
  if (payload.kind === "picture") return pictureOf(payload, "");
  const draw = payload.kind === "molecule" ? drawMolecule : drawGraph;
  return draw(graphOf(payload), { small: true });
}

/**
 * Whether the record is better seen than read.
 * @param {RecordView} record
 */
export const isDrawn = (record) => record.payloads.some((payload) => DRAWN.includes(payload.kind));

/**
 * Whether the record is a row of plain fields.
 * @param {RecordView} record
 */
export const isTable = (record) => !record.payloads.length && record.fields.length > 0;

/**
 * Whether it is a drawing and nothing else, so that words fit beside it.
 * @param {RecordView} record
 */
export function isOnlyDrawn(record) {
  const [first, ...others] = record.payloads;
  const alone = !others.length && record.fields.every((field) => field.name === first?.name);
  return alone && isDrawn(record);
}

/**
 * @param {Payload} payload
 * @param {string} words
 */
function pictureOf({ shape, values, address }, words) {
  return address ? drawPhotograph(shape, address, words) : drawPicture(shape, values, words);
}

/**
 * @param {Payload} payload
 * @returns {Graph}
 */
function graphOf({ kind, nodes, edges, edge_labels, layout }) {
  return { kind, nodes, edges, edge_labels, layout };
}

/**
 * @param {Payload} payload
 * @param {number} row
 * @param {boolean} named
 */
function drawPayload(payload, row, named) {
  const { kind, name } = payload;
  const title = named ? el("h3", {}, name) : null;
  return el("section", { class: "record-part", data: { kind } }, title, drawing(payload, row));
}

/**
 * @param {Payload} payload
 * @param {number} row
 * @returns {Child}
 */
function drawing(payload, row) {
  const framed = (/** @type {Element} */ picture) => el("div", { class: "picture-frame" }, picture);
  const { kind, text, marks } = payload;
  if (kind === "picture") {
    const name = text ? el("code", { class: "wrap quiet" }, text) : null;
    return [framed(pictureOf(payload, text ?? `The picture of record ${row}`)), name];
  }
  if (kind === "broken") return el("p", { class: "quiet" }, text);
  if (kind === "graph") return framed(drawGraph(graphOf(payload)));
  if (kind === "molecule") {
    return [framed(drawMolecule(graphOf(payload))), el("code", { class: "wrap quiet" }, text)];
  }
  if (kind === "sequence") return drawSequence(text, marks);
  return kind === "text" ? drawText(text, marks) : null;
}

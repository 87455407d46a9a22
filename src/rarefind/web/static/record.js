// A record drawn as what it is: fields, a picture, a text, a sequence, a graph or a molecule.

import { shape } from "./charts.js";
import { button, el } from "./dom.js";
import { drawGraph } from "./record_graph.js";
import { drawPicture } from "./record_picture.js";
import { drawSequence, drawText } from "./record_text.js";

const UNUSUAL = 0.8;
const AT_FIRST = 18;

/** The whole record. */
export function drawRecord(record) {
  const parts = [];
  if (record.picture) parts.push(el("div", { class: "picture-frame" }, drawPicture(record.picture, `The picture of record ${record.row}`)));
  if (record.molecule) parts.push(part("Molecule", drawGraph(record.molecule, { atoms: true }), record.molecule.smiles));
  if (record.graph) parts.push(part("Graph", drawGraph(record.graph)));
  if (record.sequence) parts.push(part("Sequence", drawSequence(record.sequence)));
  if (record.text) parts.push(part("Text", drawText(record.text)));
  if (record.fields?.length) parts.push(drawFields(record.fields));
  if (!parts.length) parts.push(el("p", { class: "quiet" }, record.summary || `Record ${record.row}`));
  return el("div", { class: "record", data: { shape: record.picture ? "picture" : "fields" } }, parts);
}

/** A drawing as small as a stamp, for neighbours and lists; else the words that sum it up. */
export function drawStamp(record) {
  if (record.picture) return drawPicture(record.picture, "");
  const graph = record.molecule ?? record.graph;
  if (graph) return drawGraph(graph, { atoms: Boolean(record.molecule), small: true });
  return null;
}

/** Whether the record is better seen than read. */
export const isDrawn = (record) => Boolean(record?.picture || record?.molecule || record?.graph);

function part(title, drawing, words = null) {
  return el("section", { class: "record-part" }, el("h3", {}, title), drawing, words ? el("code", { class: "wrap" }, words) : null);
}

function drawFields(fields) {
  const list = el("dl", { class: "fields" });
  // A long record begins with what is unusual about it.
  const ordered = fields.length > AT_FIRST ? [...fields].sort((a, b) => (b.unusual ?? 0) - (a.unusual ?? 0)) : fields;
  const show = (items) => items.forEach((field) => list.append(drawField(field)));
  show(ordered.slice(0, AT_FIRST));
  const rest = ordered.slice(AT_FIRST);
  if (!rest.length) return list;
  const more = button(`Show ${rest.length} more fields`, () => (show(rest), more.remove()), { class: "ghost" });
  return el("div", {}, list, more);
}

function drawField(field) {
  const unusual = (field.unusual ?? 0) >= UNUSUAL;
  const missing = field.value === null || field.value === undefined || field.value === "";
  return el(
    "div",
    { class: "one-field", data: { unusual: unusual ? "yes" : null } },
    el("dt", {}, field.name, unusual ? el("span", { class: "only-spoken" }, " (unusual)") : null),
    el("dd", {}, el("span", { class: missing ? "value quiet" : "value" }, missing ? "missing" : field.value)),
    field.histogram ? el("dd", { class: "behind", "aria-hidden": "true" }, shape(field.histogram)) : null,
    field.phrase ? el("dd", { class: "phrase" }, field.phrase) : null,
  );
}

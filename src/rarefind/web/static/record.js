// A record drawn as what it is: fields, a picture, a text, a sequence, a graph or a molecule.

import { shape } from "./charts.js";
import { button, el } from "./dom.js";
import { drawGraph } from "./record_graph.js";
import { drawPicture } from "./record_picture.js";
import { drawSequence, drawText } from "./record_text.js";

const AT_FIRST = 18;
const DRAWN = ["picture", "molecule", "graph"];

/** The whole record. */
export function drawRecord(record) {
  const payloads = record.payloads ?? [];
  const shown = new Set(payloads.map((payload) => payload.name));
  const fields = (record.fields ?? []).filter((field) => !shown.has(field.name));
  const parts = payloads.map((payload) => drawPayload(payload, record.row, payloads.length > 1 || fields.length > 0));
  // A picture comes first; words and sequences after the fields, which are short.
  const seen = payloads.some((payload) => DRAWN.includes(payload.kind));
  if (fields.length) parts.splice(seen ? parts.length : 0, 0, drawFields(fields));
  if (!parts.length) parts.push(el("p", { class: "quiet" }, record.summary || `Record ${record.row}`));
  return el("div", { class: "record" }, parts);
}

/** A drawing as small as a stamp, for neighbours and lists; null where there is nothing to draw. */
export function drawStamp(record) {
  const payload = record?.payloads?.find((item) => DRAWN.includes(item.kind));
  if (!payload) return null;
  return payload.kind === "picture" ? drawPicture(payload, "") : drawGraph(payload, { small: true });
}

/** Whether the record is better seen than read. */
export const isDrawn = (record) => Boolean(record?.payloads?.some((payload) => DRAWN.includes(payload.kind)));

/** Whether it is a drawing and nothing else, so that words fit beside it. */
export const isOnlyDrawn = (record) => isDrawn(record) && record.payloads.length === 1 && (record.fields ?? []).every((field) => field.name === record.payloads[0].name);

function drawPayload(payload, row, named) {
  const drawing = {
    picture: () => el("div", { class: "picture-frame" }, drawPicture(payload, `The picture of record ${row}`)),
    molecule: () => [el("div", { class: "picture-frame" }, drawGraph(payload)), el("code", { class: "wrap quiet" }, payload.text)],
    graph: () => el("div", { class: "picture-frame" }, drawGraph(payload)),
    sequence: () => drawSequence(payload),
    text: () => drawText(payload),
  }[payload.kind]?.();
  return el("section", { class: "record-part", data: { kind: payload.kind } }, named ? el("h3", {}, payload.name) : null, drawing);
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
  const missing = field.value === null || field.value === undefined || field.value === "";
  return el(
    "div",
    { class: "one-field", data: { unusual: field.marked ? "yes" : null, kind: field.kind } },
    el("dt", {}, field.name, field.marked ? el("span", { class: "only-spoken" }, " (unusual)") : null),
    el("dd", {}, el("span", { class: missing ? "value quiet" : "value" }, missing ? "missing" : field.value)),
    field.note ? el("dd", { class: "phrase" }, field.note) : null,
    field.histogram ? el("dd", { class: "behind", "aria-hidden": "true" }, shape(field.histogram)) : null,
  );
}

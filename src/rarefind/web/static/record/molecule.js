// A molecule as chemists draw it: bonds of one length, corners for carbon, letters for all else.

import { svg } from "../lib/dom.js";

/** @import { Graph } from "./graph.js" */

/** @typedef {[number, number]} Point */

/**
 * An atom with a name: where it is, the letters of its element, its hydrogens and charge, and
 * where hydrogens have room: to the right, left, above or below.
 * @typedef {{at: Point, element: string, hydrogens: string, charge: string, side: Side}} Named
 */

/** @typedef {"right" | "left" | "above" | "below"} Side */

const BOND = 14; // units of the drawing, twice the size of its letters
const LETTER = 5; // how wide a capital is
const GAP = 4.6; // from the middle of an atom's name to the end of its bonds
const APART = 2.4; // between the lines of a double bond
const MARGIN = 6;
const PIXELS = 2.1; // a unit, where there is room: letters as large as words
const READABLE = 80; // units: stamps, twice as wide as high, of larger ones have dots for letters

/** @type {Record<Side, Point>} */
const SIDES = { right: [1, 0], left: [-1, 0], above: [0, -1], below: [0, 1] };

/**
 * In the drawing, bonds of order 1.5 are those of an aromatic ring.
 * @param {Graph} molecule
 */
export function drawMolecule(
  { nodes, edges, edge_labels: orders, layout },
  { small = false } = {},
) {
  const place = placed(layout, edges);
  /** @type {number[][]} */
  const bonded = nodes.map(() => []);
  for (const [one, other] of edges) {
    bonded[one].push(other);
    bonded[other].push(one);
  }
  const names = nodes.map((words, index) => {
    if (words === "C" && nodes.length > 1) return null; // every corner without letters is carbon
    return named(
      words,
      place[index],
      bonded[index].map((other) => place[other]),
    );
  });
  const [left, top, width, height] = framed(place, names);
  const dots = small && Math.max(width, 2 * height) > READABLE;
  const room = names.map((name) => (name ? (dots ? 0 : GAP) : 0));
  const lines = edges.map(([one, other], index) => {
    const ends = shortened(place[one], place[other], room[one], room[other]);
    const order = Number(orders[index]) || 1;
    return bond(ends, order, sideOf(one, other, place, bonded));
  });
  const words = `A molecule of ${nodes.length} atoms and ${edges.length} bonds`;
  return svg(
    "svg",
    {
      class: small ? "graph molecule small-graph" : "graph molecule",
      viewBox: `${left} ${top} ${width} ${height}`,
      width: width * PIXELS,
      height: height * PIXELS,
      ...(small ? { "aria-hidden": "true" } : { role: "img", "aria-label": words }),
    },
    lines,
    names.map((name) => name && (dots ? dot(name) : letters(name))),
  );
}

/**
 * Bonds are as long as letters need, whatever the size of the molecule.
 * @param {number[][]} layout
 * @param {number[][]} edges
 * @returns {Point[]}
 */
function placed(layout, edges) {
  const lengths = edges.map(([one, other]) => distance(layout[one], layout[other]));
  lengths.sort((one, other) => one - other);
  const usual = lengths[Math.floor(lengths.length / 2)] || 1;
  return layout.map(([x, y]) => [(x / usual) * BOND, (y / usual) * BOND]);
}

/**
 * @param {string} words such as NH₂, O⁻ or Ca²⁺
 * @param {Point} at
 * @param {Point[]} others
 * @returns {Named}
 */
function named(words, at, others) {
  const [, element, hydrogens, charge] = /^([A-Z][a-z]?)(H[₀-₉]*)?(.*)$/u.exec(words) ?? [
    words,
    words,
  ];
  const name = { at, element, hydrogens: hydrogens ?? "", charge: charge ?? "" };
  /** @param {Side} side */
  const crowded = (side) => {
    const near = others.map((other) => {
      const [dx, dy] = SIDES[side];
      return (dx * (other[0] - at[0]) + dy * (other[1] - at[1])) / (distance(at, other) || 1);
    });
    // A name is read along the line: above and below only where both sides are taken.
    return Math.max(-1, ...near) + (side === "left" ? 0.01 : SIDES[side][1] ? 0.35 : 0);
  };
  const sides = /** @type {Side[]} */ (Object.keys(SIDES));
  return {
    ...name,
    side: sides.reduce((best, side) => (crowded(side) < crowded(best) ? side : best)),
  };
}

/**
 * @param {Point[]} place
 * @param {(Named | null)[]} names
 */
function framed(place, names) {
  const reach = place.map(([x, y], index) => {
    const name = names[index];
    const wide = name ? LETTER * (name.hydrogens.length + name.charge.length) : 0;
    const tall = name?.hydrogens && SIDES[name.side][1] ? 7 : 0;
    const [toLeft, toRight] = name?.side === "left" ? [wide, 0] : [0, wide];
    return [x - toLeft, x + toRight, y - tall, y + tall];
  });
  const left = Math.min(...reach.map((each) => each[0])) - MARGIN;
  const right = Math.max(...reach.map((each) => each[1])) + MARGIN;
  const top = Math.min(...reach.map((each) => each[2])) - MARGIN;
  const bottom = Math.max(...reach.map((each) => each[3])) + MARGIN;
  return [left, top, right - left, bottom - top].map((each) => Math.round(each * 100) / 100);
}

/**
 * @param {Named} name
 */
function letters({ at: [x, y], element, hydrogens, charge, side }) {
  const half = (LETTER * element.length) / 2;
  const baseline = y + 2.5;
  const aside = SIDES[side][1];
  const text = (
    /** @type {number} */ from,
    /** @type {string} */ anchor,
    /** @type {string} */ words,
  ) =>
    svg(
      "text",
      { class: "node-name", x: from, y: baseline, "text-anchor": anchor, "data-atom": element },
      words,
    );
  if (side === "left")
    return text(
      x + half,
      "end",
      `${charge && !hydrogens ? charge : ""}${hydrogens}${element}${hydrogens ? charge : ""}`,
    );
  if (!aside || !hydrogens) return text(x - half, "start", `${element}${hydrogens}${charge}`);
  return [
    text(x - half, "start", `${element}${charge}`),
    svg(
      "text",
      { class: "node-name", x: x - half, y: baseline + aside * 6.5, "data-atom": element },
      hydrogens,
    ),
  ];
}

/** @param {Named} name */
const dot = ({ at: [cx, cy], element }) =>
  svg("circle", { class: "atom-dot", cx, cy, r: 3.4, "data-atom": element });

/**
 * @param {Point[]} ends
 * @param {number} order
 * @param {number} side on which the second line lies: 1, -1, or 0 for one on each
 */
function bond([[x1, y1], [x2, y2]], order, side) {
  const length = distance([x1, y1], [x2, y2]) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  /** @param {number} shift @param {number} cut @param {boolean} dashed */
  const line = (shift, cut = 0, dashed = false) =>
    svg("line", {
      class: dashed ? "edge dashed" : "edge",
      x1: x1 - dy * shift + dx * cut,
      y1: y1 + dx * shift + dy * cut,
      x2: x2 - dy * shift - dx * cut,
      y2: y2 + dx * shift - dy * cut,
    });
  if (order >= 3) return [line(0), line(APART), line(-APART)];
  if (order <= 1) return line(0);
  if (!side) return [line(APART / 2), line(-APART / 2, 0, order === 1.5)];
  return [line(0), line(APART * side, length / 8, order === 1.5)];
}

/**
 * The second line of a double bond lies where the other bonds are: inside a ring.
 * @param {number} one
 * @param {number} other
 * @param {Point[]} place
 * @param {number[][]} bonded
 */
function sideOf(one, other, place, bonded) {
  if (bonded[one].length < 2 || bonded[other].length < 2) return 0;
  const [[x1, y1], [x2, y2]] = [place[one], place[other]];
  const beside = [...bonded[one], ...bonded[other]].filter(
    (each) => each !== one && each !== other,
  );
  const turns = beside.map((each) =>
    Math.sign((x2 - x1) * (place[each][1] - y1) - (y2 - y1) * (place[each][0] - x1)),
  );
  return Math.sign(turns.reduce((sum, turn) => sum + turn, 0)) || 1;
}

/**
 * @param {Point} from
 * @param {Point} to
 * @param {number} atFirst how much room the first atom needs
 * @param {number} atLast
 * @returns {Point[]}
 */
function shortened([x1, y1], [x2, y2], atFirst, atLast) {
  const length = distance([x1, y1], [x2, y2]) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  return [
    [x1 + dx * atFirst, y1 + dy * atFirst],
    [x2 - dx * atLast, y2 - dy * atLast],
  ];
}

/**
 * @param {number[]} one
 * @param {number[]} other
 */
const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);

// Graphs, trees and molecules as drawings.

import { svg } from "../lib/dom.js";

const SIZE = 100;

/**
 * `nodes` are labels, `edges` pairs of their places, `edge_labels` the orders of bonds.
 * @typedef {object} Graph
 * @property {string} kind
 * @property {string[]} nodes
 * @property {number[][]} edges
 * @property {string[]} edge_labels
 * @property {number[][]} layout where the nodes are
 */

/**
 * In a molecule, bonds of order 1.5 are those of an aromatic ring.
 * @param {Graph} graph
 */
export function drawGraph(
  { kind, nodes, edges, edge_labels: marks, layout },
  { small = false } = {},
) {
  const atoms = kind === "molecule";
  const place = placed(layout);
  const radius = Math.max(1.6, Math.min(5.5, 26 / Math.sqrt(nodes.length + 1)));
  const room = (/** @type {string} */ label) => (atoms ? 3.5 + 1.5 * label.length : radius);
  const lines = edges.map(([from, to], index) =>
    bond(place[from], place[to], atoms ? Number(marks[index]) || 1 : 1),
  );
  const names = nodes.map((label, index) => {
    // In a drawing of a molecule every corner without a letter is a carbon.
    if (atoms && label === "C" && nodes.length > 1) return null;
    const [x, y] = place[index];
    const words = atoms || label.length <= 5 ? label : `${label.slice(0, 4)}…`;
    const isNamed = words && (atoms || nodes.length <= 40) && !small;
    return svg(
      "g",
      {},
      words === label ? null : svg("title", {}, label),
      svg("circle", { class: atoms ? "atom" : "node", cx: x, cy: y, r: room(words) }),
      isNamed || (atoms && words)
        ? svg(
            "text",
            {
              class: "node-name",
              x,
              y: y + 2.2,
              "text-anchor": "middle",
              "data-atom": atoms ? /^[A-Z][a-z]?/.exec(words)?.[0] : null,
            },
            words,
          )
        : null,
    );
  });
  const words = atoms
    ? `A molecule of ${nodes.length} atoms and ${edges.length} bonds`
    : `A graph of ${nodes.length} nodes and ${edges.length} edges`;
  const hidden = small ? { "aria-hidden": "true" } : { role: "img", "aria-label": words };
  return svg(
    "svg",
    {
      class: small ? "graph small-graph" : "graph",
      viewBox: `-8 -8 ${SIZE + 16} ${SIZE + 16}`,
      ...hidden,
    },
    lines,
    names,
  );
}

/**
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} order
 */
function bond([x1, y1], [x2, y2], order) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(-(y2 - y1) / length) * 1.5, ((x2 - x1) / length) * 1.5];
  const shifts = order >= 3 ? [-1.4, 0, 1.4] : order > 1 ? [-0.75, 0.75] : [0];
  return shifts.map((shift, index) =>
    svg("line", {
      class: order === 1.5 && index === 1 ? "edge dashed" : "edge",
      x1: x1 + dx * shift,
      y1: y1 + dy * shift,
      x2: x2 + dx * shift,
      y2: y2 + dy * shift,
    }),
  );
}

/**
 * Scale into the frame, keeping the proportions.
 * @param {number[][]} layout
 */
function placed(layout) {
  const [xs, ys] = [layout.map((point) => point[0]), layout.map((point) => point[1])];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const span = Math.max(width, height) || 1;
  return layout.map(([x, y]) => [
    ((x - left + (span - width) / 2) / span) * SIZE,
    ((y - top + (span - height) / 2) / span) * SIZE,
  ]);
}

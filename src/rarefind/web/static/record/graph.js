// Graphs and trees as drawings.

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

/** @param {Graph} graph */
export function drawGraph({ nodes, edges, layout }, { small = false } = {}) {
  const place = placed(layout);
  const radius = Math.max(1.6, Math.min(5.5, 26 / Math.sqrt(nodes.length + 1)));
  const lines = edges.map(([from, to]) => {
    const [[x1, y1], [x2, y2]] = [place[from], place[to]];
    return svg("line", { class: "edge", x1, y1, x2, y2 });
  });
  const names = nodes.map((label, index) => {
    const [x, y] = place[index];
    const words = label.length <= 5 ? label : `${label.slice(0, 4)}…`;
    const isNamed = words && nodes.length <= 40 && !small;
    return svg(
      "g",
      {},
      words === label ? null : svg("title", {}, label),
      svg("circle", { class: "node", cx: x, cy: y, r: radius }),
      isNamed
        ? svg("text", { class: "node-name", x, y: y + 2.2, "text-anchor": "middle" }, words)
        : null,
    );
  });
  const words = `A graph of ${nodes.length} nodes and ${edges.length} edges`;
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

// Graphs and molecules as drawings.

import { svg } from "./dom.js";

const SIZE = 100;
const MOST = 300;

/** `nodes`: [{label, x, y}], `edges`: [[from, to, order or label]]; places in any unit. */
export function drawGraph({ nodes, edges }, { atoms = false, small = false } = {}) {
  const shown = nodes.slice(0, MOST);
  const place = placed(shown, edges);
  const radius = atoms ? 5.5 : Math.max(1.6, Math.min(4.5, 22 / Math.sqrt(shown.length + 1)));
  const lines = edges
    .filter(([from, to]) => from < shown.length && to < shown.length)
    .map(([from, to, order]) => bond(place[from], place[to], atoms ? Number(order) || 1 : 1));
  const names = shown.map((node, index) => {
    const [x, y] = place[index];
    const label = String(node.label ?? "");
    // In a drawing of a molecule every corner without a letter is a carbon.
    if (atoms && label === "C" && shown.length > 1) return null;
    return svg("g", {}, svg("circle", { class: atoms ? "atom" : "node", cx: x, cy: y, r: radius }), label && (atoms || shown.length <= 40) ? svg("text", { class: "node-name", x, y: y + 2.2, "text-anchor": "middle", "data-atom": atoms ? label.slice(0, 2) : null }, label.slice(0, 4)) : null);
  });
  const words = `${atoms ? "A molecule" : "A graph"} of ${nodes.length} ${atoms ? "atoms" : "nodes"} and ${edges.length} ${atoms ? "bonds" : "edges"}`;
  return svg("svg", { class: small ? "graph small-graph" : "graph", viewBox: `-6 -6 ${SIZE + 12} ${SIZE + 12}`, role: "img", "aria-label": words }, lines, names);
}

function bond([x1, y1], [x2, y2], order) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(-(y2 - y1) / length) * 1.5, ((x2 - x1) / length) * 1.5];
  const shifts = order >= 3 ? [-1.4, 0, 1.4] : order > 1 ? [-0.75, 0.75] : [0];
  return shifts.map((shift, index) =>
    svg("line", { class: order === 1.5 && index === 1 ? "edge dashed" : "edge", x1: x1 + dx * shift, y1: y1 + dy * shift, x2: x2 + dx * shift, y2: y2 + dy * shift }),
  );
}

/** Scale into the frame, keeping the proportions; without places, stand in a circle. */
function placed(nodes) {
  const raw = nodes.map((node, index) => {
    const angle = (2 * Math.PI * index) / nodes.length;
    return [node.x ?? Math.cos(angle), node.y ?? Math.sin(angle)];
  });
  const [xs, ys] = [raw.map((point) => point[0]), raw.map((point) => point[1])];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const span = Math.max(Math.max(...xs) - left, Math.max(...ys) - top) || 1;
  const [shiftX, shiftY] = [(span - (Math.max(...xs) - left)) / 2, (span - (Math.max(...ys) - top)) / 2];
  return raw.map(([x, y]) => [((x - left + shiftX) / span) * SIZE, ((y - top + shiftY) / span) * SIZE]);
}

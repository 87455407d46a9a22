// Small drawings of numbers: curves and bars as SVG, with a sentence for those who cannot see them.

import { el, svg } from "./dom.js";
import { figure } from "./words.js";

const WIDTH = 320;
const PAD = { left: 34, right: 10, top: 22, bottom: 32 };

/**
 * Round steps for an axis from 0 to `most`.
 * @param {number} most
 */
export function ticks(most, wanted = 4) {
  if (!(most > 0)) return [0, 1];
  const raw = most / wanted;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step =
    [1, 2, 5, 10].map((factor) => factor * size).find((candidate) => candidate >= raw * 0.999) ??
    raw;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} xMost
 * @param {number} yMost
 * @param {string} xLabel
 * @param {string} yLabel
 * @param {boolean} wholeY
 */
function frame(width, height, xMost, yMost, xLabel, yLabel, wholeY) {
  const left = PAD.left;
  const bottom = height - PAD.bottom;
  const x = (/** @type {number} */ value) =>
    left + (value / (xMost || 1)) * (width - left - PAD.right);
  const y = (/** @type {number} */ value) => bottom - (value / (yMost || 1)) * (bottom - PAD.top);
  const yTicks = ticks(yMost, 3).filter((value) => !wholeY || Number.isInteger(value));
  const parts = [
    yTicks.map((value) => [
      svg("line", { class: "grid", x1: left, x2: width - PAD.right, y1: y(value), y2: y(value) }),
      svg(
        "text",
        { class: "tick", x: left - 6, y: y(value) + 3.5, "text-anchor": "end" },
        figure(value),
      ),
    ]),
    ticks(xMost, 4).map((value) =>
      svg(
        "text",
        { class: "tick", x: x(value), y: bottom + 13, "text-anchor": "middle" },
        figure(value),
      ),
    ),
    svg("line", { class: "axis", x1: left, x2: width - PAD.right, y1: bottom, y2: bottom }),
    svg(
      "text",
      { class: "axis-name", x: width - PAD.right, y: height - 3, "text-anchor": "end" },
      xLabel,
    ),
    yLabel ? svg("text", { class: "axis-name", x: 2, y: 9 }, yLabel) : null,
  ];
  return { x, y, parts };
}

/**
 * Long curves are thinned: no screen has more than this many columns for them.
 * @param {number[]} values
 */
function thinned(values, most = 400) {
  const step = Math.max(1, Math.ceil(values.length / most));
  const last = values.length - 1;
  const points = [];
  for (let index = 0; index < last; index += step) points.push([index, values[index]]);
  if (last >= 0) points.push([last, values[last]]);
  return points;
}

/**
 * A curve over 0, 1, 2, … or over every so manieth of them; `look` is the number of its colour.
 * @typedef {object} Series
 * @property {string} name
 * @property {number[] | null} values
 * @property {number} [look]
 * @property {boolean} [quiet]
 * @property {boolean} [steps]
 * @property {number} [every]
 */

/**
 * @typedef {object} Frame
 * @property {string} xLabel
 * @property {string} [yLabel]
 * @property {string} sentence for those who cannot see it
 * @property {number} [width]
 * @property {number} [height]
 * @property {number} [yMost] what the axis reaches at least
 * @property {boolean} [wholeY]
 */

/**
 * Curves in one frame; a legend of words stands above.
 * @param {Series[]} series
 * @param {Frame} options
 */
export function curves(
  series,
  { xLabel, yLabel = "", sentence, width = WIDTH, height = 180, yMost = 0, wholeY = false },
) {
  const drawn = series
    .map((item) => ({ ...item, values: item.values ?? [] }))
    .filter((item) => item.values.length > 1);
  const xMost = Math.max(1, ...drawn.map((item) => (item.values.length - 1) * (item.every ?? 1)));
  const top = Math.max(yMost, 1e-9, ...drawn.map((item) => Math.max(...item.values)));
  const { x, y, parts } = frame(width, height, xMost, top, xLabel, yLabel, wholeY);
  const lines = drawn.map((item) => {
    const points = thinned(item.values).map(([index, value]) => [
      x(index * (item.every ?? 1)),
      y(value),
    ]);
    let path = `M${points[0][0].toFixed(1)} ${points[0][1].toFixed(1)}`;
    for (const [px, py] of points.slice(1))
      path += (item.steps ? `H${px.toFixed(1)}V` : `L${px.toFixed(1)} `) + py.toFixed(1);
    return svg("path", {
      class: item.quiet ? "curve quiet-curve" : "curve",
      "data-look": item.look ?? 0,
      d: path,
    });
  });
  return el(
    "figure",
    { class: "chart" },
    drawn.length
      ? el(
          "figcaption",
          { class: "legend" },
          drawn.map((item) =>
            el(
              "span",
              { data: { look: item.look ?? 0, quiet: item.quiet ? "yes" : null } },
              el("i", { "aria-hidden": "true" }),
              item.name,
            ),
          ),
        )
      : null,
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": sentence },
      parts,
      lines,
    ),
  );
}

/**
 * Bars of counts between two numbers.
 * @param {{counts: number[], low: number, high: number}} histogram
 * @param {{xLabel: string, sentence: string, height?: number, roots?: boolean}} options
 */
export function bars({ counts, low, high }, { xLabel, sentence, height = 130, roots = false }) {
  const heights = roots ? counts.map(Math.sqrt) : counts;
  const most = Math.max(1, ...heights);
  const bottom = height - 28;
  const width = (WIDTH - 16) / counts.length;
  return el(
    "figure",
    { class: "chart" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": sentence },
      heights.map((value, index) =>
        svg("rect", {
          class: "bar",
          x: 8 + index * width + 0.5,
          width: Math.max(0.5, width - 1),
          y: bottom - (value / most) * (bottom - 8),
          height: (value / most) * (bottom - 8),
        }),
      ),
      svg("line", { class: "axis", x1: 8, x2: WIDTH - 8, y1: bottom, y2: bottom }),
      svg("text", { class: "tick", x: 8, y: bottom + 13 }, figure(low)),
      svg(
        "text",
        { class: "tick", x: WIDTH - 8, y: bottom + 13, "text-anchor": "end" },
        figure(high),
      ),
      svg(
        "text",
        { class: "axis-name", x: WIDTH / 2, y: height - 4, "text-anchor": "middle" },
        xLabel,
      ),
    ),
  );
}

/**
 * The shape of a column behind a value: bars without any words, the value's own one marked.
 * @param {{counts: number[], bin: number}} histogram
 */
export function shape({ counts, bin }) {
  // Square roots: one tall bar must not hide the rest.
  const heights = counts.map(Math.sqrt);
  const most = Math.max(1e-9, ...heights);
  const width = 100 / counts.length;
  return svg(
    "svg",
    { class: "shape", viewBox: "0 0 100 24", preserveAspectRatio: "none", "aria-hidden": "true" },
    heights.map((height, index) => {
      const tall = Math.max(index === bin ? 3 : 0, (height / most) * 22);
      return svg("rect", {
        class: index === bin ? "own" : null,
        x: index * width + 0.4,
        width: width - 0.8,
        y: 24 - tall,
        height: tall,
      });
    }),
  );
}

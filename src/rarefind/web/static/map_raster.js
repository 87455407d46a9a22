// Painting points: the crowd as density into one image, labelled points as discs on top.

/** How dark a pixel with this many points is, from 0 to 1; one point must be seen as well. */
const depth = (count, least) => (count === 0 ? 0 : Math.min(1, least + (1 - least) * (Math.log2(count) / 7)));

/** From `points` (x, y, x, y, … in −1…1) to pixels by `view` = {scale, left, top}. */
export function countPoints(points, view, width, height, counts) {
  counts.fill(0);
  const { scale, left, top } = view;
  const n = points.length;
  for (let index = 0; index < n; index += 2) {
    const x = (points[index] * scale + left) | 0;
    const y = (top - points[index + 1] * scale) | 0;
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const at = y * width + x;
    if (counts[at] < 255) counts[at] += 1;
  }
}

/** The highest value per pixel (NaN counts as nothing), as 1…255; 0 where no point is. */
export function bestPoints(points, values, low, high, view, width, height, best) {
  best.fill(0);
  const { scale, left, top } = view;
  const step = 254 / (high - low || 1);
  for (let index = 0; index < points.length; index += 2) {
    const x = (points[index] * scale + left) | 0;
    const y = (top - points[index + 1] * scale) | 0;
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const level = 1 + Math.max(0, Math.min(254, (values[index >> 1] - low) * step)) || 1;
    const at = y * width + x;
    if (level > best[at]) best[at] = level;
  }
}

/** Widen every point to a dot of so many pixels: counts add up, of values the highest stays. */
export function widen(levels, width, height, dot, add, wide) {
  wide.fill(0);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const level = levels[y * width + x];
      if (level === 0) continue;
      const right = Math.min(width, x + dot);
      for (let line = y; line < y + dot && line < height; line += 1) {
        for (let at = line * width + x; at < line * width + right; at += 1) {
          wide[at] = add ? Math.min(255, wide[at] + level) : Math.max(wide[at], level);
        }
      }
    }
  }
}

/** Turn levels into colours through a table of 256 packed colours. */
export function paint(levels, table, pixels) {
  for (let at = 0; at < levels.length; at += 1) pixels[at] = table[levels[at]];
}

const packed = ([red, green, blue]) => ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
const mixed = (from, to, share) => from.map((part, index) => part + (to[index] - part) * share);

/** From paper to the colour of the crowd; `least` is how dark a single point is. */
export const densityTable = (paper, crowd, least) => Uint32Array.from({ length: 256 }, (_, count) => packed(mixed(paper, crowd, depth(count, least))));

/** From the crowd's grey to the accent: a low score is quiet, a high one stands out. */
export const scoreColour = ({ paper, crowd, accent }, share) => (share < 0.5 ? mixed(mixed(paper, crowd, 0.35), crowd, share) : mixed(crowd, accent, (share - 0.5) * 2));

/** The same for a whole image: level 0 is paper. */
export const scoreTable = (colours) => Uint32Array.from({ length: 256 }, (_, level) => packed(level === 0 ? colours.paper : scoreColour(colours, level / 255)));

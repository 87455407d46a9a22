// Which points lie inside a line drawn around them.

/**
 * The places of the points that lie inside, among `points` (x, y, x, y, …), by the even-odd rule.
 * @param {Float32Array} points
 * @param {Float32Array} line the corners, x, y, x, y, …
 */
export function inside(points, line) {
  const [left, right, low, high] = bounds(line);
  /** @type {number[]} */
  const found = [];
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at], points[at + 1]];
    if (x < left || x > right || y < low || y > high) continue;
    if (encloses(line, x, y)) found.push(at >> 1);
  }
  return Int32Array.from(found);
}

/** @param {Float32Array} line */
function bounds(line) {
  const box = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < line.length; at += 2) {
    box[0] = Math.min(box[0], line[at]);
    box[1] = Math.max(box[1], line[at]);
    box[2] = Math.min(box[2], line[at + 1]);
    box[3] = Math.max(box[3], line[at + 1]);
  }
  return box;
}

/**
 * @param {Float32Array} line
 * @param {number} x
 * @param {number} y
 */
function encloses(line, x, y) {
  let within = false;
  for (let at = 0, last = line.length - 2; at < line.length; last = at, at += 2) {
    const [ay, by] = [line[at + 1], line[last + 1]];
    if (ay > y === by > y) continue;
    if (x < ((line[last] - line[at]) * (y - ay)) / (by - ay) + line[at]) within = !within;
  }
  return within;
}

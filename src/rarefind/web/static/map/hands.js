// What a person does with the map: drag, click, turn the wheel, pinch, press keys.

/** @import { ScatterMap } from "./scatter.js" */

const STILL = 4; // CSS pixels a pointer may move and yet have clicked
const STEP = 48; // CSS pixels an arrow key moves the map by
/** @type {Record<string, [number, number]>} */
const MOVES = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

/**
 * @param {HTMLElement} element the topmost part of the map
 * @param {ScatterMap} map
 */
export function handle(element, map) {
  /** @type {{at: {x: number, y: number}, moved: number, lasso: boolean} | null} */
  let drag = null;
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  const spot = (/** @type {MouseEvent} */ event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  element.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, spot(event));
    if (fingers.size > 1) {
      if (drag?.lasso) map.line = [];
      drag = null; // a second finger: neither a drag nor a line
      return;
    }
    const lasso = map.onLasso !== null && (map.lassoing || event.shiftKey);
    drag = { at: spot(event), moved: 0, lasso };
    if (lasso) map.beginLine(drag.at.x, drag.at.y);
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    const { x, y } = spot(event);
    if (fingers.size === 2 && fingers.has(event.pointerId)) {
      const before = grip(fingers);
      fingers.set(event.pointerId, { x, y });
      const now = grip(fingers);
      map.panBy(now.x - before.x, now.y - before.y);
      map.zoomAt(now.apart / before.apart, now.x, now.y);
      return;
    }
    if (!drag) {
      map.hover(map.at(x, y), x, y);
      return;
    }
    const [dx, dy] = [x - drag.at.x, y - drag.at.y];
    drag = { ...drag, at: { x, y }, moved: drag.moved + Math.abs(dx) + Math.abs(dy) };
    if (drag.lasso) map.drawLine(x, y);
    else if (drag.moved > STILL) map.panBy(dx, dy);
  });
  element.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    const { x, y } = spot(event);
    const picked = drag && drag.moved <= STILL ? map.at(x, y) : null;
    if (drag?.lasso && drag.moved > STILL) map.endLine();
    drag = null;
    if (picked !== null) map.onPick(picked);
  });
  element.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    drag = null;
  });
  element.addEventListener("pointerleave", () => map.hover(null));
  element.addEventListener("keydown", (event) => press(event, map));
  element.addEventListener(
    "wheel",
    (event) => {
      // Where the page itself scrolls, a map in passing must not swallow the wheel.
      const page = document.documentElement.scrollHeight;
      const passing = !map.wheels && document.activeElement !== element;
      const scrolls = passing && page > window.innerHeight + 4;
      if (scrolls && !event.ctrlKey) return;
      event.preventDefault();
      const { x, y } = spot(event);
      map.zoomAt(Math.exp(-event.deltaY * 0.0015), x, y);
    },
    { passive: false },
  );
}

/**
 * The middle between two fingers, and how far they are apart.
 * @param {Map<number, {x: number, y: number}>} fingers
 */
function grip(fingers) {
  const [one, two] = fingers.values();
  const apart = Math.max(1, Math.hypot(one.x - two.x, one.y - two.y));
  return { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2, apart };
}

/**
 * @param {KeyboardEvent} event
 * @param {ScatterMap} map
 */
function press(event, map) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const move = MOVES[event.key];
  if (move) map.panBy(...move);
  else if (event.key === "+" || event.key === "=") map.zoomAt(1.5);
  else if (event.key === "-") map.zoomAt(1 / 1.5);
  else if (event.key === "Home") map.reset();
  else return;
  event.preventDefault();
}

// What a person does with the map: drag, click, turn the wheel, press keys.

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
  const spot = (/** @type {MouseEvent} */ event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  element.addEventListener("pointerdown", (event) => {
    const lasso = map.onLasso !== null && (map.lassoing || event.shiftKey);
    drag = { at: spot(event), moved: 0, lasso };
    if (lasso) map.beginLine(drag.at.x, drag.at.y);
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    const { x, y } = spot(event);
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
    const { x, y } = spot(event);
    const picked = drag && drag.moved <= STILL ? map.at(x, y) : null;
    if (drag?.lasso && drag.moved > STILL) map.endLine();
    drag = null;
    if (picked !== null) map.onPick(picked);
  });
  element.addEventListener("pointercancel", () => (drag = null));
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

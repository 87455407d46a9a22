// Making elements. Whatever a person or a file brought in becomes a text node, never markup.

/**
 * What can stand inside an element; nothing is made of null, undefined and booleans.
 * @typedef {Node | string | number | boolean | null | undefined | any[]} Child
 */

/**
 * Attributes, and beside them `on` (handlers by event) and `data` (what CSS and tests look at).
 * @typedef {Record<string, any>} Properties
 */

const SVG = "http://www.w3.org/2000/svg";
const OWN = ["value", "checked", "disabled", "selected"]; // these change without their attributes

/**
 * An element: `el("p", {class: "quiet", on: {click: f}}, "text", child)`; null children vanish.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties = {}, ...children) {
  return dress(document.createElement(tag), properties, children);
}

/**
 * The same for a drawing.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, properties = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), properties, children);
}

/**
 * @template {HTMLElement | SVGElement} Dressed
 * @param {Dressed} element
 * @param {Properties} properties
 * @param {Child[]} children
 */
function dress(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const event of Object.keys(value)) element.addEventListener(event, value[event]);
    } else if (name === "data") {
      for (const [key, item] of Object.entries(value)) {
        if (item !== null && item !== undefined) element.dataset[key] = String(item);
      }
    } else if (OWN.includes(name)) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || typeof child === "boolean") continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Replace everything inside an element.
 * @template {Element} Filled
 * @param {Filled} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

/**
 * A button that is not a form's.
 * @param {Child} text
 * @param {(event: MouseEvent) => void} onClick
 * @param {Properties} properties
 */
export function button(text, onClick, properties = {}) {
  return el("button", { type: "button", on: { click: onClick }, ...properties }, text);
}

/**
 * A choice from a list of names, or of names with titles.
 * @param {string} label
 * @param {(string | {name: string, title: string})[]} options
 * @param {string} chosen
 * @param {(name: string) => void} onChange
 * @param {Properties} properties
 */
export function choice(label, options, chosen, onChange, properties = {}) {
  const select = el(
    "select",
    { on: { change: () => onChange(select.value) }, ...properties },
    options.map((option) => {
      const { name, title } = typeof option === "string" ? { name: option, title: option } : option;
      return el("option", { value: name, selected: name === chosen }, title);
    }),
  );
  return el("label", { class: "field" }, el("span", {}, label), select);
}

/**
 * A name that may be broken after its underscores, points and slashes, rather than cut.
 * @param {string} name
 * @returns {Child[]}
 */
export const broken = (name, after = /(?<=[_./])/) =>
  name.split(after).flatMap((piece, place) => (place ? [el("wbr"), piece] : [piece]));

/**
 * A key as it is printed on the keyboard.
 * @param {string} name
 */
export function key(name) {
  return el("kbd", {}, name);
}

/**
 * What draws on a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
export function pen(canvas, settings) {
  const context = canvas.getContext("2d", settings);
  if (!context) throw new Error("This browser does not draw on a canvas.");
  return context;
}

/**
 * A part of the page that index.html brings along.
 * @param {"main" | "top" | "notes" | "spoken" | "skip"} id
 */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no part named ${id}.`);
  return found;
}

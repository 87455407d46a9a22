// Making elements. Whatever a person or a file brought in becomes a text node, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element: `el("p", {class: "quiet", on: {click: f}}, "text", child)`; null children vanish. */
export function el(tag, properties = {}, ...children) {
  return dress(document.createElement(tag), properties, children);
}

/** The same for a drawing. */
export function svg(tag, properties = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), properties, children);
}

function dress(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    } else if (name === "data") {
      for (const [key, item] of Object.entries(value)) {
        if (item !== null && item !== undefined) element.dataset[key] = item;
      }
    } else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Replace everything inside an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

/** A button that is not a form's. */
export function button(text, onClick, properties = {}) {
  return el("button", { type: "button", on: { click: onClick }, ...properties }, text);
}

/** A choice from a list of names, or of {name, title}. */
export function choice(label, options, chosen, onChange, properties = {}) {
  const select = el(
    "select",
    { on: { change: () => onChange(select.value) }, ...properties },
    options.map((option) => {
      const { name, title } = typeof option === "string" ? { name: option, title: option } : option;
      return el("option", { value: name, selected: name === chosen }, title ?? name);
    }),
  );
  return el("label", { class: "field" }, el("span", {}, label), select);
}

/** A key as it is printed on the keyboard. */
export function key(name) {
  return el("kbd", {}, name);
}

let notes = 0;

/** A short message at the edge of the page; `kind` is "good" or "bad". Bad ones stay. */
export function note(message, kind = "good", action = null) {
  const box = el("div", { class: "note", data: { kind, number: ++notes } }, el("span", {}, message));
  if (action) box.append(button(action.title, () => (action.run(), box.remove()), { class: "link" }));
  box.append(button("×", () => box.remove(), { class: "close", "aria-label": "Close this message" }));
  const holder = document.getElementById("notes");
  while (holder.children.length > 3) holder.firstElementChild.remove();
  holder.append(box);
  if (kind !== "bad") setTimeout(() => box.remove(), 6000);
}

/** Tell a screen reader, and nobody else. */
export function say(message) {
  document.getElementById("spoken").textContent = message;
}

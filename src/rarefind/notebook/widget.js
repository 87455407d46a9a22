// The question of a hunt inside a notebook, answered by keys or clicks.

/**
 * @typedef {{ row: number, fields: [string, string, boolean][], text: string | null,
 *   picture: string | null, label?: string }} Shown
 * @typedef {Shown & { why: string, numbers: string[], neighbours: Shown[] }} Question
 * @typedef {{ name: string, key: string | null, count: number, ordinary: boolean }} ClassView
 * @typedef {{ question: Question | null, classes: ClassView[], labels: Record<string, string>,
 *   records: number, curve: number[], outlook: string, undo: boolean, problem: string,
 *   said: number }} State
 * @typedef {{ rows?: number[], places: [number, number][], note: string }} Plane
 * @typedef {{ get(name: "state"): State, get(name: "plane"): Plane, get(name: "said"): number,
 *   set(name: "said", value: number): void, save_changes(): void,
 *   on(name: string, call: () => void): void, off(name: string, call: () => void): void,
 *   send(content: object): void }} Model
 */

const COLOURS = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31"];
const SHORT = 3; // fields of a neighbour that are named

/**
 * @param {string} name
 * @param {Record<string, unknown>} given
 * @param {(Node | string | null)[]} children
 */
function el(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "function")
      made.addEventListener(key, /** @type {EventListener} */ (value));
    else made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * @param {string} name
 * @param {Record<string, unknown>} given
 */
function drawn(name, given) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, String(value));
  return made;
}

/** @param {Question} question */
function record(question) {
  const rows = question.fields.map(([name, value, unusual]) =>
    el(
      "tr",
      unusual ? { class: "unusual" } : {},
      el("th", { scope: "row" }, name),
      el("td", {}, value),
    ),
  );
  return el(
    "div",
    { class: "record" },
    question.picture &&
      el("img", {
        class: "main",
        src: question.picture,
        alt: `The picture of row ${question.row}`,
      }),
    question.text === null ? null : el("pre", {}, question.text),
    rows.length
      ? el("div", { class: "fields", tabindex: 0 }, el("table", {}, el("tbody", {}, ...rows)))
      : null,
  );
}

let explained = false; // whoever wants the numbers wants them with the next question, too

/** @param {Question} question */
function numbers(question) {
  const folded = /** @type {HTMLDetailsElement} */ (
    el(
      "details",
      { class: "quiet", toggle: () => (explained = folded.open) },
      el("summary", {}, "In numbers"),
      el("ul", {}, ...question.numbers.map((line) => el("li", {}, line))),
    )
  );
  folded.open = explained;
  return question.numbers.length ? [folded] : [];
}

/** @param {Question} question */
function neighbours(question) {
  const shown = question.neighbours.map((near) => {
    const fields = near.fields.slice(0, SHORT).map(([name, value]) => `${name} ${value}`);
    const words = near.picture ? "" : `: ${near.text ?? fields.join(", ")}`;
    return el(
      "figure",
      {},
      near.picture && el("img", { src: near.picture, alt: "" }),
      el("figcaption", {}, `row ${near.row}${near.label ? ` (${near.label})` : ""}${words}`),
    );
  });
  return el(
    "div",
    {},
    el("span", { class: "quiet" }, "Most like it:"),
    el("div", { class: "near" }, ...shown),
  );
}

/** @param {State} state */
function curve(state) {
  const [width, height] = [260, 90];
  const most = Math.max(1, state.curve.length - 1);
  const high = Math.max(1, ...state.curve);
  const path = state.curve.map((seen, labels) => {
    const x = 5 + ((width - 10) * labels) / most;
    const y = height - 5 - ((height - 15) * seen) / high;
    return labels === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  const words = `Rare classes seen: ${state.curve.at(-1)}, labels given: ${state.curve.length - 1}`;
  const svg = drawn("svg", { width, height, role: "img", "aria-label": words });
  svg.append(
    drawn("path", { d: path.join(""), fill: "none", stroke: "currentColor", "stroke-width": 2 }),
  );
  return el("div", {}, svg, el("span", { class: "quiet" }, words));
}

/**
 * @param {State} state
 * @param {Plane} plane
 */
function map(state, plane) {
  const side = 360;
  const place = (/** @type {number} */ at) => side / 2 + (at / 1000) * (side / 2 - 8);
  const svg = drawn("svg", { width: side, height: side, role: "img", "aria-label": plane.note });
  const colour = new Map(
    state.classes
      .filter((each) => !each.ordinary)
      .map((each, number) => [each.name, COLOURS[number % COLOURS.length]]),
  );
  const dots = (plane.rows ?? []).map((row, number) => {
    const label = state.labels[row];
    const asked = row === state.question?.row;
    const [x, y] = plane.places[number];
    const fill = label === undefined ? "#9aa7b2" : (colour.get(label) ?? "currentColor");
    const dot = drawn("circle", {
      cx: place(x),
      cy: place(-y),
      r: asked || label !== undefined ? 5 : 1.5,
      fill: asked ? "none" : fill,
      stroke: asked ? "currentColor" : "none",
      "stroke-width": 2,
    });
    const tip = drawn("title", {});
    tip.textContent = `row ${row}${label === undefined ? "" : `: ${label}`}`;
    dot.append(tip);
    return { dot, above: asked ? 2 : label === undefined ? 0 : 1 };
  });
  svg.append(...dots.sort((a, b) => a.above - b.above).map(({ dot }) => dot));
  return el("div", {}, svg, el("span", { class: "quiet" }, plane.note));
}

/**
 * Whether the notebook around it is dark: light ink is written on dark paper. What the system
 * prefers says nothing of that, and each notebook has a name of its own for it.
 * @param {HTMLElement} place
 */
function isDark(place) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1, 1];
  const brush = canvas.getContext("2d");
  if (brush === null) return false;
  brush.fillStyle = getComputedStyle(place).color; // however the colour is written
  brush.fillRect(0, 0, 1, 1);
  const [red, green, blue] = brush.getImageData(0, 0, 1, 1).data;
  return red + green + blue > 1.5 * 255;
}

/** @param {{ model: Model, el: HTMLElement }} given */
function render({ model, el: place }) {
  // JupyterLab's own keys would act on the cell: they are kept out.
  const root = el("section", {
    class: "rarefind-hunt",
    tabindex: 0,
    "aria-label": "A hunt of rarefind",
    "data-lm-suppress-shortcuts": "true",
  });
  place.append(root);

  const send = (/** @type {object} */ what) => {
    model.send({ row: model.get("state").question?.row, ...what });
    root.focus();
  };

  const shade = () => root.toggleAttribute("data-dark", isDark(place));
  const themes = new MutationObserver(shade);
  for (const each of [document.documentElement, document.body])
    themes.observe(each, { attributes: true });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", shade);

  const update = () => {
    shade();
    const state = model.get("state");
    // Notebooks that run cells again when something changes hear of it from the page alone.
    if (model.get("said") !== state.said) {
      model.set("said", state.said);
      model.save_changes();
    }
    const plane = model.get("plane");
    const { question } = state;
    const name = /** @type {HTMLInputElement} */ (
      el("input", { placeholder: "new class", "aria-label": "The name of a class", size: 12 })
    );
    const told = el(
      "form",
      {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (name.value.trim()) send({ do: "tell", label: name.value });
        },
      },
      name,
    );
    const answers = state.classes.map((each) =>
      el(
        "button",
        { type: "button", click: () => send({ do: "tell", label: each.name }) },
        el("kbd", {}, each.key ?? ""),
        `${each.name} (${each.count})`,
      ),
    );
    const skip = el(
      "button",
      { type: "button", click: () => send({ do: "skip" }) },
      el("kbd", {}, "s"),
      "skip",
    );
    const undo = el(
      "button",
      { type: "button", click: () => send({ do: "undo" }) },
      el("kbd", {}, "u"),
      "undo",
    );
    const show = el(
      "button",
      { type: "button", click: () => send({ do: "map" }) },
      el("kbd", {}, "m"),
      "map",
    );
    const title = question
      ? `What is row ${question.row}?`
      : `All ${state.records} records have an answer.`;
    root.replaceChildren(
      el("h3", { "aria-live": "polite" }, title),
      ...(state.problem ? [el("p", { class: "problem", role: "alert" }, state.problem)] : []),
      ...(question ? [el("p", {}, question.why), ...numbers(question), record(question)] : []),
      el(
        "div",
        { class: "answers" },
        ...(question ? [...answers, told, skip] : []),
        state.undo ? undo : null,
        show,
      ),
      ...(question ? [neighbours(question)] : []),
      el("div", { class: "pictures" }, curve(state), plane.rows ? map(state, plane) : null),
      el("p", { class: "quiet" }, state.outlook),
    );
  };

  root.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.target instanceof HTMLInputElement) {
      if (event.key === "Escape") root.focus();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const state = model.get("state");
    const chosen = state.classes.find((each) => each.key === event.key);
    if (event.key === "n") root.querySelector("input")?.focus();
    else if (event.key === "s") send({ do: "skip" });
    else if (event.key === "u") send({ do: "undo" });
    else if (event.key === "m") send({ do: "map" });
    else if (chosen) send({ do: "tell", label: chosen.name });
    else return;
    event.preventDefault();
  });

  model.on("change:state", update);
  model.on("change:plane", update);
  update();
  return () => {
    themes.disconnect();
    system.removeEventListener("change", shade);
    model.off("change:state", update);
    model.off("change:plane", update);
  };
}

export default { render };

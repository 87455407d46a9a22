// Opening a hunt: the page waits, shows how far set-up is, and lets a person stop it.

import { ApiError, get, hunt, post, sentence } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { lasting } from "../lib/words.js";
import { HuntState } from "./state.js";
import { listen } from "./live.js";

/** @import { HuntAnswer, Step } from "../lib/http.js" */
/** @import { Header } from "../frame/header.js" */

/**
 * Where a page is drawn, and until when: `signal` ends as somebody leaves it.
 * @typedef {object} Place
 * @property {HTMLElement} root
 * @property {string} id
 * @property {number | null} row
 * @property {AbortSignal} signal
 * @property {Header} header
 */

/**
 * The state of a hunt. Whoever wants to be asked waits until it is set up, seeing how far it is.
 * @param {Place} place
 * @param {{asked?: boolean}} wanted
 */
export async function opened({ root, id, signal, header }, { asked = false } = {}) {
  const state = new HuntState(id, signal);
  let view = await state.load();
  header.hunt(view);
  header.name = state.annotator; // another tab may have changed it
  if (asked && view.state !== "ready") view = await ready(root, view, signal);
  state.view = view;
  await state.follow();
  fill(root);
  return state;
}

/**
 * @param {HTMLElement} root
 * @param {HuntAnswer} view
 * @param {AbortSignal} signal
 * @returns {Promise<HuntAnswer>}
 */
function ready(root, view, signal) {
  const bar = el("progress", { "aria-label": "How far set-up is" });
  const task = el("p", { class: "quiet", role: "status" });
  const actions = el("div", { class: "row centre" });
  const title = el("h1", {});
  fill(root, el("section", { class: "card centred waiting" }, title, task, bar, actions));
  return new Promise((resolve, reject) => {
    const quiet = new AbortController();
    signal.addEventListener("abort", () => {
      quiet.abort();
      reject(signal.reason);
    });
    /** @param {Promise<HuntAnswer>} promise */
    const act = (promise) => promise.then(look, (error) => (task.textContent = sentence(error)));
    const start = button("Start", () => act(post(hunt(view.id, "/prepare"))), { class: "primary" });
    const stop = button("Cancel", () => act(post(hunt(view.id, "/cancel"))));
    let wanted = view.state === "closed";
    const grown = aging();
    let working = false; // whether it was being set up when the server was last heard
    /** @param {HuntAnswer} now */
    const draw = (now) => {
      if (now.state === "ready") {
        quiet.abort();
        resolve(now);
        return;
      }
      const running = (working = now.state === "preparing");
      title.textContent =
        running || wanted
          ? `Getting ${now.name} ready`
          : now.state === "failed"
            ? "This did not work"
            : "Set-up was stopped";
      task.textContent = running
        ? step(grown(now.step))
        : now.state === "failed"
          ? (now.problem ?? "")
          : wanted
            ? "Starting…"
            : "Nothing is lost. Start it again whenever you like.";
      bar.hidden = !running && !wanted;
      if (running && now.step?.total) [bar.max, bar.value] = [now.step.total, now.step.done];
      else bar.removeAttribute("value");
      // The same button stays where it is: one that was replaced under the pointer is not pressed.
      const action = running ? stop : wanted ? null : start;
      if (actions.firstChild !== action) fill(actions, action);
      if (wanted && !running) act(post(hunt(view.id, "/prepare")));
      wanted = false;
    };
    const look = async () => {
      if (quiet.signal.aborted) return;
      try {
        draw(await get(hunt(view.id), { signal }));
      } catch (error) {
        if (signal.aborted) return;
        const away = error instanceof ApiError && error.passing;
        task.textContent = away ? `${sentence(error)} Trying again…` : sentence(error);
        wanted ||= working; // a server that was started again is to go on with it
      }
    };
    const every = setInterval(look, 400);
    quiet.signal.addEventListener("abort", () => clearInterval(every));
    listen(view.id, quiet.signal, (event) => event.type === "ready" && look(), look);
    draw(view);
  });
}

/**
 * The seconds go on while nothing new is heard of a step; a time that is over is not told again.
 * @returns {(now: Step | null) => Step | null}
 */
function aging() {
  let heard = "";
  let since = 0;
  return (now) => {
    const told = JSON.stringify(now);
    if (told !== heard) [heard, since] = [told, Date.now()];
    if (!now) return now;
    const age = (Date.now() - since) / 1000;
    const left = typeof now.left === "number" && now.left > age ? now.left - age : null;
    return { ...now, elapsed: (now.elapsed ?? 0) + age, left };
  };
}

/**
 * "Counting neighbours, 40 %, about 2 minutes left"
 * @param {Step | null} now
 */
export function step(now) {
  if (!now) return "Starting…";
  const share = now.total > 0 ? `, ${Math.floor((100 * now.done) / now.total)} %` : "";
  const task = now.task ? now.task[0].toUpperCase() + now.task.slice(1) : "Working";
  if (!now.whole) return `${task}${share}`;
  const left = typeof now.left === "number" ? `, about ${lasting(now.left)} left` : "";
  return `${task}${share}${left || `, for ${lasting(now.elapsed ?? 0)}`}`;
}

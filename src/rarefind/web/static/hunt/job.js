// Work that lasts: begun on the server, followed with a bar, stopped by whoever began it.

import { ApiError, finished, hunt, post } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { step } from "./opening.js";

/** @import { Started, Step } from "../lib/http.js" */

/** @typedef {"/rankings" | "/comparisons" | "/comparisons/report" | "/harvest" | "/map"} What */

/**
 * Where a job is noted while it runs, so that whoever comes back to the page finds it again.
 * @param {string} id of the hunt
 * @param {What} what
 */
const noted = (id, what) => `rarefind.job.${id}${what}`;

/**
 * Jobs that were sent to the server, which has not said yet what it calls them.
 * @type {Map<string, {settings: any, started: Promise<Started>}>}
 */
const sent = new Map();

/**
 * The job that this tab began and has not seen the end of; without a name while it is being sent.
 * @param {string} id of the hunt
 * @param {What} what
 * @returns {{job: string, settings: any} | null}
 */
export function unfinished(id, what) {
  const place = noted(id, what);
  const sending = sent.get(place);
  if (sending) return { job: "", settings: sending.settings };
  return JSON.parse(sessionStorage.getItem(place) ?? "null");
}

/**
 * Have a job begun, once, however often its page is left and found again meanwhile.
 * @param {string} id of the hunt
 * @param {What} what
 * @param {any} settings
 * @returns {Promise<Started>}
 */
function begin(id, what, settings) {
  const place = noted(id, what);
  const sending = sent.get(place);
  if (sending && JSON.stringify(sending.settings) === JSON.stringify(settings)) {
    return sending.started;
  }
  const started = post(hunt(id, what), settings).finally(() => {
    if (sent.get(place)?.started === started) sent.delete(place);
  });
  sent.set(place, { settings, started });
  return started;
}

/**
 * Begin a job, or go on with one, show in `holder` how far it is, and return its result.
 *
 * It goes on when its page is left, unless it is `deserted` then: nobody else waits for a map.
 * @param {string} id of the hunt
 * @param {What} what
 * @param {object} settings
 * @param {{holder: HTMLElement, name: string, signal: AbortSignal, begun?: string,
 *   deserted?: boolean}} shown
 */
export async function run(id, what, settings, { holder, name, signal, begun, deserted = false }) {
  const words = el("p", { class: "quiet", role: "status" }, "Starting…");
  const bar = el("progress", { "aria-label": `How far the ${name} is` });
  let job = begun ?? "";
  const cancel = () => job && post(hunt(id, `/jobs/${job}/cancel`), {}, { keepalive: true });
  if (deserted) signal.addEventListener("abort", cancel);
  fill(holder, words, bar, button("Cancel", cancel, { class: "ghost" }));
  const onStep = (/** @type {Step | null} */ now) => {
    words.textContent = step(now);
    if (now?.total) [bar.max, bar.value] = [now.total, now.done];
  };
  for (;;) {
    if (!job) {
      ({ job } = await begin(id, what, settings));
      if (deserted && signal.aborted) cancel();
    }
    if (!deserted) sessionStorage.setItem(noted(id, what), JSON.stringify({ job, settings }));
    try {
      return await finished(id, job, { signal, onStep });
    } catch (error) {
      // A server that was started again knows nothing of it: it is begun once more.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      job = "";
    } finally {
      if (!signal.aborted) sessionStorage.removeItem(noted(id, what));
      signal.removeEventListener("abort", cancel);
    }
  }
}

// Work that lasts: begun on the server, followed with a bar, stopped by whoever began it.

import { ApiError, finished, hunt, post } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { step } from "./opening.js";

/** @import { Started, Step } from "../lib/http.js" */

/**
 * Begin a job, show in `holder` how far it is, and return its result.
 * @param {string} id of the hunt
 * @param {"/rankings" | "/comparisons" | "/comparisons/report" | "/harvest" | "/map"} what
 * @param {object} settings
 * @param {{holder: HTMLElement, name: string, signal: AbortSignal}} shown
 */
export async function run(id, what, settings, { holder, name, signal }) {
  const words = el("p", { class: "quiet", role: "status" }, "Starting…");
  const bar = el("progress", { "aria-label": `How far the ${name} is` });
  let job = "";
  const cancel = () => job && post(hunt(id, `/jobs/${job}/cancel`));
  fill(holder, words, bar, button("Cancel", cancel, { class: "ghost" }));
  const onStep = (/** @type {Step | null} */ now) => {
    words.textContent = step(now);
    if (now?.total) [bar.max, bar.value] = [now.total, now.done];
  };
  for (;;) {
    /** @type {Started} */
    const started = await post(hunt(id, what), settings, { signal });
    job = started.job;
    try {
      return await finished(id, job, { signal, onStep });
    } catch (error) {
      // A server that was started again knows nothing of it: it is begun once more.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
}

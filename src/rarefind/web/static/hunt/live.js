// What others do on the same hunt, as it happens (server-sent events).

import { hunt } from "../lib/api.js";
import { line } from "../lib/line.js";

/**
 * What happened on a hunt: an answer, a lease, a ranking, "missed" when too much happened, …
 * @typedef {object} News
 * @property {string} type
 * @property {number | null} [row]
 * @property {string | null} [value]
 * @property {string} [annotator]
 */

/**
 * Call `hear(event)` for each event until `signal` ends. `onOpen` is called whenever the line is up
 * again, since something may have been missed. A hidden page hangs up: browsers allow only six
 * lines to one server, and a few forgotten tabs would block all others.
 * @param {string} id
 * @param {AbortSignal} signal
 * @param {(news: News) => void} hear
 * @param {() => void} onOpen
 */
export function listen(id, signal, hear, onOpen) {
  /** @type {EventSource | null} */
  let source = null;
  const hangUp = () => {
    source?.close();
    source = null;
  };
  const connect = () => {
    if (source || document.hidden || signal.aborted) return;
    source = new EventSource(hunt(id, "/events"));
    source.addEventListener("open", onOpen);
    source.addEventListener("message", (message) => {
      try {
        hear(JSON.parse(message.data));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    });
    source.addEventListener("error", () => {
      line.look();
      // The browser tries again by itself, unless the server said no.
      if (source?.readyState === EventSource.CLOSED) {
        hangUp();
        setTimeout(connect, 2000);
      }
    });
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? hangUp() : connect()), {
    signal,
  });
  signal.addEventListener("abort", hangUp);
  connect();
}

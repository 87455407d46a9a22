// What others do on the same hunt, as it happens (server-sent events).

import { hunt } from "./api.js";

/**
 * Call `hear(event)` for each event until `signal` ends. `onOpen` is called whenever the line is up
 * again, since something may have been missed. A hidden page hangs up: browsers allow only six
 * lines to one server, and a few forgotten tabs would block all others.
 */
export function listen(id, signal, hear, onOpen) {
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
      // The browser tries again by itself, unless the server said no.
      if (source?.readyState === EventSource.CLOSED) {
        hangUp();
        setTimeout(connect, 2000);
      }
    });
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? hangUp() : connect()), { signal });
  signal.addEventListener("abort", hangUp);
  connect();
}

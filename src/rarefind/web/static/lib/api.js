// Talking to the server: JSON there and back, errors as one sentence.

import { line } from "./line.js";

/** @import { JobAnswer, Step } from "./http.js" */

const NOBODY = [502, 504]; // what a proxy says when the server behind it is gone

/**
 * How a request is sent: a body in `type` goes as it is, any other as JSON.
 * @typedef {object} Options
 * @property {any} [body]
 * @property {string} [type]
 * @property {AbortSignal} [signal]
 * @property {number} [timeout] milliseconds
 * @property {boolean} [keepalive]
 */

/**
 * Where a file is sent (to the files at hand if not said), and what hears how far it is.
 * @typedef {object} Sending
 * @property {(sent: number, total: number) => void} onProgress
 * @property {AbortSignal} signal
 * @property {string} [address]
 */

/** What went wrong, in the server's own sentence. Status 0: the server could not be reached. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }

  /** Whether the same request may well succeed later. */
  get passing() {
    return [0, 401, 403, 408, 429].includes(this.status) || this.status >= 500;
  }
}

/**
 * Whatever was thrown, as a sentence.
 * @param {unknown} error
 */
export const sentence = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {string} method
 * @param {string} path
 * @param {Options} options
 */
async function request(method, path, { body, signal, timeout, keepalive = false, type } = {}) {
  const signals = [signal, timeout ? AbortSignal.timeout(timeout) : undefined];
  const given = signals.filter((each) => each !== undefined);
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": type ?? "application/json" },
      body: body === undefined || type ? body : JSON.stringify(body),
      keepalive,
      cache: "no-store",
      credentials: "same-origin",
      signal: given.length ? AbortSignal.any(given) : undefined,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    // Whoever is slow is not gone.
    if (!(error instanceof DOMException && error.name === "TimeoutError")) line.lost();
    throw new ApiError("The server cannot be reached.", 0);
  }
  if (NOBODY.includes(answer.status)) line.lost();
  else line.heard();
  if (answer.ok) return answer;
  if (answer.status === 401 || answer.status === 403) {
    document.dispatchEvent(new CustomEvent("rarefind:locked", { detail: answer.status }));
  }
  throw refused(await answer.json().catch(() => null), answer.status);
}

/**
 * @param {any} body
 * @param {number} status
 */
function refused(body, status) {
  const said = typeof body?.error === "string" ? body.error : null;
  return new ApiError(said ?? `The server refused this (${status}).`, status);
}

/**
 * @template Answer
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 */
export async function get(path, options) {
  return (await request("GET", path, options)).json();
}

/**
 * @template Answer
 * @param {string} path
 * @param {object} body
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 */
export async function post(path, body = {}, options) {
  return (await request("POST", path, { body, ...options })).json();
}

/**
 * @template Answer
 * @param {string} path
 * @param {object} body
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 */
export async function put(path, body, options) {
  return (await request("PUT", path, { body, ...options })).json();
}

/**
 * @template Answer
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 */
export async function remove(path, options) {
  return (await request("DELETE", path, options)).json();
}

/**
 * Binary data, with what the server noted about it.
 * @param {string} path
 * @param {Options} [options]
 */
export async function bytes(path, options) {
  const answer = await request("GET", path, options);
  return { buffer: await answer.arrayBuffer(), note: decoded(answer.headers.get("X-Note") ?? "") };
}

/**
 * What an address says; a plain per cent sign means itself.
 * @param {string} text
 */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Send a file as it is, telling how far it is.
 * @template Answer
 * @param {File} file
 * @param {Sending} options
 * @returns {Promise<Answer>}
 */
export function upload(file, { onProgress, signal, address }) {
  return new Promise((resolve, reject) => {
    const sender = new XMLHttpRequest();
    sender.open("PUT", address ?? `/api/datasets/${encodeURIComponent(file.name)}`);
    sender.responseType = "json";
    sender.setRequestHeader("Content-Type", "application/octet-stream");
    sender.upload.addEventListener("progress", (event) => onProgress(event.loaded, event.total));
    sender.addEventListener("load", () => {
      if (sender.status < 300) resolve(sender.response);
      else reject(refused(sender.response, sender.status));
    });
    const fail = (/** @type {string} */ words) => () => reject(new ApiError(words, 0));
    sender.addEventListener("error", fail("The server cannot be reached."));
    sender.addEventListener("abort", fail("The upload was stopped."));
    signal.addEventListener("abort", () => sender.abort());
    sender.send(file);
  });
}

/**
 * An address below one hunt.
 * @param {string} id
 */
export const hunt = (id, rest = "") => `/api/hunts/${encodeURIComponent(id)}${rest}`;

/**
 * Ask a running job for its state until it is over; its result is a ranking or a comparison.
 * @param {string} id
 * @param {string} job
 * @param {{signal: AbortSignal, onStep: (step: Step | null) => void}} options
 * @returns {Promise<any>}
 */
export async function finished(id, job, { signal, onStep }) {
  const address = hunt(id, `/jobs/${encodeURIComponent(job)}`);
  for (let pause = 60; ; pause = Math.min(pause * 1.5, 1000)) {
    const state = await looked(address, signal);
    if (state?.state === "done") return state.result;
    if (state?.state === "failed") throw new ApiError(state.error ?? "This did not work.", 422);
    if (state?.state === "cancelled") throw new ApiError("This was cancelled.", 499);
    if (state) onStep(state.step);
    await new Promise((resolve) => setTimeout(resolve, pause));
    signal.throwIfAborted();
  }
}

/**
 * The state of a job; null while the server is out of reach, which ends nothing.
 * @param {string} address
 * @param {AbortSignal} signal
 * @returns {Promise<JobAnswer | null>}
 */
async function looked(address, signal) {
  try {
    return await get(address, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.passing) return null;
    throw error;
  }
}

// Talking to the server: JSON there and back, errors as one sentence.

/** What went wrong, in the server's own sentence. Status 0: the server could not be reached. */
export class ApiError extends Error {
  constructor(message, status, body = null) {
    super(message);
    this.status = status;
    this.body = body;
  }

  /** Whether the same request may well succeed later. */
  get passing() {
    return this.status === 0 || this.status === 401 || this.status === 403 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

async function request(method, path, { body, signal, timeout, keepalive = false, type } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = type ?? "application/json";
  const signals = [signal, timeout && AbortSignal.timeout(timeout)].filter(Boolean);
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers,
      body: body === undefined || type ? body : JSON.stringify(body),
      keepalive,
      cache: "no-store",
      credentials: "same-origin",
      signal: signals.length ? AbortSignal.any(signals) : undefined,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("The server cannot be reached.", 0);
  }
  if (answer.ok) return answer;
  const text = await answer.json().catch(() => null);
  if (answer.status === 401 || answer.status === 403) {
    document.dispatchEvent(new CustomEvent("rarefind:locked", { detail: answer.status }));
  }
  throw new ApiError(sentence(text, answer.status), answer.status, text);
}

function sentence(body, status) {
  if (typeof body?.error === "string") return body.error;
  return `The server refused this (${status}).`;
}

const json = async (promise) => (await promise).json();

export const get = (path, options) => json(request("GET", path, options));
export const post = (path, body = {}, options) => json(request("POST", path, { body, ...options }));
export const put = (path, body, options) => json(request("PUT", path, { body, ...options }));

/** Binary data, with what the server noted about it. */
export async function bytes(path, options) {
  const answer = await request("GET", path, options);
  return { buffer: await answer.arrayBuffer(), note: decoded(answer.headers.get("X-Note") ?? "") };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a plain per cent sign
  }
}

/** Send a file as it is, telling how far it is. */
export function upload(file, { onProgress, signal }) {
  return new Promise((resolve, reject) => {
    const sender = new XMLHttpRequest();
    sender.open("PUT", `/api/datasets/${encodeURIComponent(file.name)}`);
    sender.responseType = "json";
    sender.setRequestHeader("Content-Type", "application/octet-stream");
    sender.upload.addEventListener("progress", (event) => onProgress(event.loaded, event.total));
    sender.addEventListener("load", () => {
      if (sender.status < 300) resolve(sender.response);
      else reject(new ApiError(sentence(sender.response, sender.status), sender.status));
    });
    sender.addEventListener("error", () => reject(new ApiError("The server cannot be reached.", 0)));
    sender.addEventListener("abort", () => reject(new ApiError("The upload was stopped.", 0)));
    signal.addEventListener("abort", () => sender.abort());
    sender.send(file);
  });
}

/** An address below one hunt. */
export const hunt = (id, rest = "") => `/api/hunts/${encodeURIComponent(id)}${rest}`;

/** Ask a running job for its state until it is over. */
export async function finished(id, job, { signal, onStep }) {
  for (let pause = 60; ; pause = Math.min(pause * 1.5, 1000)) {
    const state = await get(hunt(id, `/jobs/${encodeURIComponent(job)}`), { signal });
    if (state.state === "done") return state.result;
    if (state.state === "failed") throw new ApiError(state.error ?? "This did not work.", 422);
    if (state.state === "cancelled") throw new ApiError("This was cancelled.", 499);
    onStep(state.step);
    await new Promise((resolve) => setTimeout(resolve, pause));
    signal.throwIfAborted();
  }
}

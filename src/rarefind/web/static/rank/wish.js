// A ranking wished for on another page: with this model, for this class.

/** @param {string} id */
const place = (id) => `rarefind.rank-with.${id}`;

/**
 * Go to the rank page of a hunt and rank there.
 * @param {string} id
 * @param {string} target
 * @param {string} model
 */
export function rankWith(id, target, model) {
  sessionStorage.setItem(place(id), JSON.stringify({ target, model }));
  location.hash = `#/hunt/${encodeURIComponent(id)}/rank`;
}

/**
 * What was wished for, once.
 * @param {string} id
 * @returns {{target: string, model: string} | null}
 */
export function takeWish(id) {
  const wish = sessionStorage.getItem(place(id));
  sessionStorage.removeItem(place(id));
  return wish ? JSON.parse(wish) : null;
}

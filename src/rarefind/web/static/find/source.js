// Lists of records: those a query means, or those that were chosen.

import { bytes, get, hunt, post } from "../lib/api.js";

/** @import { FoundView } from "../lib/http.js" */
/** @import { Source } from "./list.js" */

/**
 * The records that a query means; a query that cannot be read throws the server's sentence.
 * @param {string} id
 * @param {string} query
 * @param {AbortSignal} signal
 * @param {string} ranking whose best come first, or none
 * @returns {Promise<Source>}
 */
export async function queried(id, query, signal, ranking = "") {
  const about = new URLSearchParams({ query });
  if (ranking) about.set("ranking", ranking);
  const page = async (/** @type {number} */ offset, /** @type {number} */ limit) => {
    const address = hunt(id, `/find?${about}&offset=${offset}&limit=${limit}`);
    /** @type {FoundView} */
    const found = await get(address, { signal });
    return found;
  };
  const { total } = await page(0, 1);
  return {
    total,
    page: async (offset, limit) => (await page(offset, limit)).records,
    rows: () => rowsOf(id, query, signal),
  };
}

/**
 * The rows of all records that a query means.
 * @param {string} id
 * @param {string} query
 * @param {AbortSignal} signal
 */
export async function rowsOf(id, query, signal) {
  const address = hunt(id, `/find/rows?${new URLSearchParams({ query })}`);
  const { buffer } = await bytes(address, { signal });
  return new Int32Array(buffer);
}

/**
 * Records known by their rows.
 * @param {string} id
 * @param {Int32Array} rows
 * @param {AbortSignal} signal
 * @returns {Source}
 */
export const these = (id, rows, signal) => ({
  total: rows.length,
  page: (offset, limit) =>
    post(
      hunt(id, "/find/previews"),
      { rows: [...rows.subarray(offset, offset + limit)] },
      { signal },
    ),
  rows: async () => rows,
});

// Labels made elsewhere, brought into a hunt.

import { hunt, sentence, upload } from "../lib/api.js";
import { el, fill } from "../lib/dom.js";
import { field } from "../lib/layout.js";
import { counted } from "../lib/words.js";

/** @import { Imported } from "../lib/http.js" */
/** @import { HuntState } from "../hunt/state.js" */

const ABOUT =
  "A table with a column “label” and a column “row” that counts records from 0, or one line for " +
  "every record in order; or Label Studio's JSON. They are kept under your name, unless the file " +
  "names others.";
const BY = "A column both files share, an id say. Otherwise by “row”, or by order.";

/** @param {HuntState} state */
export function drawImport(state) {
  const file = el("input", { type: "file", id: "import-file", required: true });
  const column = el("input", { id: "import-column", maxlength: 200, placeholder: "label" });
  const by = el("input", { id: "import-by", maxlength: 200 });
  const replace = el("input", { type: "checkbox", id: "import-replace" });
  const said = el("p", { role: "status", id: "import-said" });
  const go = el("button", { class: "primary", id: "import" }, "Import");
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const chosen = file.files?.[0];
    if (!chosen) return;
    go.disabled = true;
    fill(said, `Reading ${chosen.name}…`);
    const wishes = { column: column.value.trim(), by: by.value.trim(), replace: replace.checked };
    const given = Object.entries(wishes).filter(([, value]) => value);
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const address = hunt(state.id, `/import/${encodeURIComponent(chosen.name)}?${query}`);
    try {
      const options = { onProgress: () => {}, signal: state.signal, address };
      /** @type {Imported} */
      const { new: fresh, changed } = await upload(chosen, options);
      const more = changed ? `, ${counted(changed, "earlier answer")} changed` : "";
      fill(said, `${counted(fresh, "new label")}${more}.`);
      said.className = "good";
      state.soon(0, true);
    } catch (error) {
      if (state.signal.aborted) return;
      fill(said, sentence(error));
      said.className = "bad";
    } finally {
      go.disabled = false;
    }
  };
  return el(
    "form",
    { class: "card", id: "import-form", on: { submit } },
    el("h2", {}, "Bring labels along"),
    el("p", { class: "quiet" }, ABOUT),
    field("File", file),
    el(
      "details",
      {},
      el("summary", {}, "How its lines are read"),
      field("Column of the labels", column),
      field("Find records by", by, BY),
      el("label", { class: "check" }, replace, "Change what the same person said before"),
    ),
    said,
    el("div", { class: "row end" }, go),
  );
}

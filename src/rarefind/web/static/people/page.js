// Who may come in: invite, see who came, change what somebody may do, shut somebody out.

import { get, post, sentence } from "../lib/api.js";
import { button, el, fill } from "../lib/dom.js";
import { pageHead } from "../lib/layout.js";
import { note } from "../lib/notes.js";
import { when } from "../lib/words.js";

/** @import { Invitation, PersonView } from "../lib/http.js" */
/** @import { Place } from "../hunt/opening.js" */

/** @type {[PersonView["role"], string][]} */
const ROLES = [
  ["labels", "labels"],
  ["leads", "leads"],
];
const LEAD =
  "Everybody on this list labels under a name of their own. Who labels may take back what they " +
  "said themselves; who leads may take back anybody's labels, rename classes, and invite.";
const NOBODY =
  "Nobody has been invited yet. Alone you need nobody here; invite whoever shall label with you " +
  "and send them the link.";

const HERE_ALONE = ["localhost", "127.0.0.1", "[::1]"];
const ALONE =
  "It opens on this computer only. For people elsewhere, start the workbench with --public-url " +
  "and the address at which they reach it.";

/** @param {Place} place */
export async function show({ root, signal }) {
  const body = el("tbody");
  const link = el("div", { id: "invitation", "aria-live": "polite" });

  /** @param {() => Promise<unknown>} change */
  const changing = async (change) => {
    try {
      await change();
      fill(body, rows(await everybody(signal)));
    } catch (error) {
      if (!signal.aborted) note(sentence(error), "bad");
    }
  };

  /**
   * @param {string} name
   * @param {string} role
   */
  const invite = (name, role) =>
    changing(async () => {
      /** @type {Invitation} */
      const made = await post("/api/people", { name, role }, { signal });
      fill(link, invitation(made));
      link.querySelector("input")?.select();
    });

  /** @param {PersonView} person */
  const choices = (person) => {
    const select = el(
      "select",
      { "aria-label": `What ${person.name} may do`, disabled: person.state === "revoked" },
      ROLES.map(([value, words]) =>
        el("option", { value, selected: value === person.role }, words),
      ),
    );
    select.addEventListener("change", () =>
      changing(() => post(`/api/people/${person.id}/role`, { role: select.value }, { signal })),
    );
    return select;
  };

  /** @param {PersonView[]} people */
  const rows = (people) =>
    people.map((person) =>
      el(
        "tr",
        { data: { state: person.state } },
        el("th", { scope: "row" }, person.name),
        el("td", {}, choices(person)),
        el("td", {}, told(person)),
        el(
          "td",
          { class: "row end" },
          button("New link", () => invite(person.name, person.role), {
            "aria-label": `A new link for ${person.name}`,
          }),
          person.state === "revoked"
            ? null
            : button(
                "Shut out",
                () => changing(() => post(`/api/people/${person.id}/revoke`, {}, { signal })),
                { "aria-label": `Shut ${person.name} out` },
              ),
        ),
      ),
    );

  fill(body, rows(await everybody(signal)));
  fill(
    root,
    pageHead("People", LEAD),
    el("section", { class: "card" }, form(invite), link),
    el("p", { class: "card quiet people-none" }, NOBODY),
    el(
      "div",
      { class: "card people-table" },
      el(
        "table",
        { id: "people" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ["Name", "May do", "", ""].map((title) => el("th", { scope: "col" }, title)),
          ),
        ),
        body,
      ),
    ),
  );
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<PersonView[]>}
 */
const everybody = (signal) => get("/api/people", { signal });

/** @param {(name: string, role: string) => Promise<void>} invite */
function form(invite) {
  const name = el("input", { id: "invited-name", required: true, maxlength: 80 });
  const role = el(
    "select",
    { id: "invited-role" },
    ROLES.map(([value, words]) => el("option", { value }, words)),
  );
  const send = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    await invite(name.value.trim(), role.value);
    name.value = "";
  };
  return el(
    "form",
    { class: "people-invite", on: { submit: send } },
    el("label", { class: "field" }, el("span", {}, "Name"), name),
    el("label", { class: "field" }, el("span", {}, "May do"), role),
    el("button", { class: "primary" }, "Invite"),
  );
}

/** @param {Invitation} made */
function invitation({ person, link }) {
  const field = el("input", {
    value: link,
    readonly: true,
    "aria-label": `The link for ${person.name}`,
  });
  const copy = button("Copy", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(link);
      note("Copied.");
    } catch {
      note("Copy it with Ctrl-C.");
    }
  });
  return [
    el(
      "p",
      {},
      `Send this link to ${person.name}. It works once, within a week, ` +
        "and is not shown again.",
    ),
    HERE_ALONE.includes(new URL(link).hostname) ? el("p", { class: "here-alone" }, ALONE) : null,
    el("div", { class: "people-link" }, field, copy),
  ];
}

/** @param {PersonView} person */
function told({ state, joined_at }) {
  if (state === "revoked") return "shut out";
  if (state === "joined") return `came ${when(joined_at ?? 0)}`;
  if (state === "expired") return "the invitation has expired";
  return "invited, has not come yet";
}

// An invitation is shown to the server only when somebody says so, and never as part of an address.

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const said = part("said");
const join = /** @type {HTMLButtonElement} */ (part("join"));
const field = /** @type {HTMLInputElement} */ (part("secret"));
const brought = location.hash.slice(1);

// Neither the history nor whoever looks over a shoulder needs it any longer.
history.replaceState(null, "", location.pathname);

/** @param {Event} event */
async function comeIn(event) {
  event.preventDefault();
  join.disabled = true;
  try {
    const answer = await fetch("/api/join", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ secret: field.value.trim() }),
      cache: "no-store",
      credentials: "same-origin",
    });
    if (answer.ok) {
      location.replace("/");
      return;
    }
    const body = await answer.json().catch(() => null);
    said.textContent = typeof body?.error === "string" ? body.error : "The server refused this.";
  } catch {
    said.textContent = "The server cannot be reached. Try again.";
  }
  join.disabled = false;
}

field.value = brought;
part("typed").hidden = brought !== "";
part("form").addEventListener("submit", comeIn);
if (brought) join.focus();
else {
  said.textContent = "Open the link that you were sent, or type what you were given.";
  field.focus();
}

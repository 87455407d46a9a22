// Keys without modifiers, wherever the focus is, except where a person types.

const TYPING =
  "input:not([type=checkbox]):not([type=radio]):not([type=file]), " +
  "textarea, select, [contenteditable]";

/**
 * Call `handle(key, event)` for every plain key until `signal` ends; true means it was ours.
 * @param {AbortSignal} signal
 * @param {(key: string, event: KeyboardEvent) => boolean} handle
 */
export function onKeys(signal, handle) {
  document.addEventListener(
    "keydown",
    (event) => {
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.isComposing
      )
        return;
      if (event.target instanceof Element && event.target.closest(TYPING)) return;
      if (document.querySelector("dialog[open]")) return;
      // Space and Enter belong to the control that has the focus, arrows to the map.
      const control =
        event.target instanceof Element &&
        event.target.closest("button, a, summary, [role=application]");
      if (control && (event.key === " " || event.key === "Enter")) return;
      if (handle(event.key, event)) event.preventDefault();
    },
    { signal },
  );
}

// Objects that tell others what happened to them, each event with what belongs to it.

/**
 * `Events` names what comes with each event: `teller.on("kept", ({ entry }) => …, signal)`.
 * @template {Record<string, any>} Events
 */
export class Teller {
  constructor() {
    this.target = new EventTarget();
  }

  /**
   * Call `hear` whenever it happens, until `signal` ends.
   * @template {keyof Events & string} Type
   * @param {Type} type
   * @param {(detail: Events[Type]) => void} hear
   * @param {AbortSignal} [signal]
   */
  on(type, hear, signal) {
    const listener = (/** @type {Event} */ event) => {
      if (event instanceof CustomEvent) hear(event.detail);
    };
    this.target.addEventListener(type, listener, { signal });
  }

  /**
   * @template {keyof Events & string} Type
   * @param {Type} type
   * @param {Events[Type]} detail
   */
  tell(type, detail) {
    this.target.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

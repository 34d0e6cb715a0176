import { once } from "node:events";
import type { Listener } from "../../social/social-connector.ts";
import { isId } from "./parse-sid.ts";

/** The accounts that are tracked, and a way to wait for others. Whoever makes one closes it. */
export class TrackedChanges {
  readonly close: () => void;
  readonly #listener: Listener;
  readonly #changes = new EventTarget();
  #count = 0;
  #seen = 0;

  constructor(listener: Listener) {
    this.#listener = listener;
    this.close = listener.onTracked(() => {
      this.#count += 1;
      this.#changes.dispatchEvent(new Event("changed"));
    });
  }

  /** Accounts of X alone: sources of a network that was the driver before may be tracked still. */
  current(): string[] {
    this.#seen = this.#count;
    return this.#listener.tracked().filter(isId);
  }

  /** Resolves when there is a change that `current` has not told. */
  async next(signal: AbortSignal): Promise<void> {
    while (this.#seen === this.#count) await once(this.#changes, "changed", { signal });
  }
}

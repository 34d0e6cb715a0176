/** Wakes one waiter. A notification while nobody waits ends the next wait at once. */
export class WakeSignal {
  #isNotified = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  /** Waits for the next `notify`, at most `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isNotified)
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#wake = undefined;
    this.#isNotified = false;
  }
}

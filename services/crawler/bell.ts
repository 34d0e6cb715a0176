/** Wakes the one who waits for it; a ring that nobody waits for is heard by the next who does. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Until the next ring, or until `ms` have gone by. */
  async heard(ms: number): Promise<void> {
    if (!this.#isRung)
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#wake = undefined;
    this.#isRung = false;
  }
}

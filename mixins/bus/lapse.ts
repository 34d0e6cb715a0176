/** Others take a node for dead after 3 s without a sign of life. */
const lapseMs = 2500;
const tickMs = 250;

/**
 * Notices that this process stood still for so long that others took it for dead. What was sent to it before it went on
 * has been refused or done elsewhere since: doing it now would undo what came later.
 */
export class Lapse {
  readonly #catchUp: () => Promise<unknown>;
  readonly #timer = setInterval(() => this.#tick(), tickMs).unref();
  #tickedAt = performance.now();
  #isCatchingUp = false;

  /** `catchUp` resolves when all that was sent before it was called has arrived. */
  constructor(catchUp: () => Promise<unknown>) {
    this.#catchUp = catchUp;
  }

  /** Whether what arrives now may have been sent before the process went on. */
  isStale(): boolean {
    this.#tick();
    return this.#isCatchingUp;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    const stoodStill = now - this.#tickedAt > lapseMs;
    this.#tickedAt = now;
    if (!stoodStill || this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    const done = () => {
      this.#isCatchingUp = false;
    };
    // Without a link nothing of before can arrive.
    this.#catchUp().then(done, done);
  }
}

import { setTimeout as wait } from "node:timers/promises";
import type { Store } from "../../../mixins/store/store.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { StoredDelivery } from "../room.ts";

const listedTogether = 256;
const retryMs = [200, 500, 1_000, 2_000];

/**
 * Lists attempts beside the lanes that they belong to, many at a time: what is delivered does not hang on the list. An
 * attempt is missing there when the process dies at once, or the store refuses it for some seconds.
 */
export class AttemptList {
  readonly #deliveries: Store<StoredDelivery>;
  readonly #logger: { error(...args: unknown[]): void };
  readonly #pausesMs: number[];
  #waiting: StoredDelivery[] = [];
  #running: Promise<void> | undefined;

  constructor(
    deliveries: Store<StoredDelivery>,
    logger: { error(...args: unknown[]): void },
    pausesMs = retryMs,
  ) {
    this.#deliveries = deliveries;
    this.#logger = logger;
    this.#pausesMs = pausesMs;
  }

  add(attempts: StoredDelivery[]): void {
    this.#waiting.push(...attempts);
    if (this.#waiting.length > 0) this.#running ??= this.#run();
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Whatever is settled in the same turn is listed together.
    await null;
    while (this.#waiting.length > 0) await this.#list(this.#waiting.splice(0, listedTogether));
    this.#running = undefined;
  }

  async #list(attempts: StoredDelivery[]): Promise<void> {
    try {
      await this.#deliveries.insertMany(attempts).catch(() => this.#listOneByOne(attempts));
    } catch (error) {
      this.#logger.error("webhook.attempts.unlisted", { attempts: attempts.length, error });
    }
  }

  /** Some of them may be there: the answer to the first try may have been lost on its way. */
  async #listOneByOne(attempts: StoredDelivery[]): Promise<void> {
    for (const attempt of attempts) await this.#listAgain(attempt);
  }

  async #listAgain(attempt: StoredDelivery): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await this.#deliveries.insert(attempt);
        return;
      } catch (error) {
        if (codeOf(error) === "conflict") return;
        const pause = this.#pausesMs[tries];
        if (pause === undefined) throw error;
        await wait(pause);
      }
    }
  }
}

import type { UsageCount } from "../contracts/keys.contract.ts";

const flushEveryMs = 1000;
/** Counts in a batch: few enough that their writes end within the time that a call may take. */
const batchSize = 100;

/**
 * Counts requests per key and UTC day, and hands the counts on in batches. A process that is killed takes with it the
 * last second's, and whatever the keys room could not take before. A batch whose answer is lost is handed on again,
 * and then counts twice.
 */
export class UsageMeter {
  readonly #counts = new Map<string, UsageCount>();
  readonly #send: (counts: UsageCount[]) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  readonly #now: () => Date;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isHindered = false;

  constructor(
    send: (counts: UsageCount[]) => Promise<unknown>,
    onError: (error: unknown) => void,
    now: () => Date = () => new Date(),
  ) {
    this.#send = send;
    this.#onError = onError;
    this.#now = now;
  }

  count(keyId: string, requests = 1, day = this.#now().toISOString().slice(0, 10)): void {
    const name = `${day} ${keyId}`;
    const known = this.#counts.get(name);
    if (known) known.requests += requests;
    else this.#counts.set(name, { keyId, day, requests });
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), flushEveryMs);
  }

  /** Flushes twice: the first may join a batch that was already under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    await this.flush();
  }

  /** One batch after another; what could not be handed on is counted again, and waits for the next time. */
  flush(): Promise<void> {
    this.#sending ??= this.#handOn().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #handOn(): Promise<void> {
    for (let left = this.#take(); left.length > 0; left = left.slice(batchSize)) {
      try {
        await this.#send(left.slice(0, batchSize));
        this.#isHindered = false;
      } catch (error) {
        for (const { keyId, requests, day } of left) this.count(keyId, requests, day);
        // Once for all tries of an outage.
        if (!this.#isHindered) this.#onError(error);
        this.#isHindered = true;
        return;
      }
    }
  }

  #take(): UsageCount[] {
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    return counts;
  }
}

import type { UsageCount } from "../contracts/keys.contract.ts";

const flushEveryMs = 1000;

/** Counts requests per key and UTC day, and hands the counts on in batches. */
export class UsageMeter {
  readonly #counts = new Map<string, UsageCount>();
  readonly #send: (counts: UsageCount[]) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  readonly #now: () => Date;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;

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

  /** One batch at a time; what could not be handed on is counted again. */
  flush(): Promise<void> {
    this.#sending ??= this.#handOn().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #handOn(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    try {
      await this.#send(counts);
    } catch (error) {
      for (const { keyId, requests, day } of counts) this.count(keyId, requests, day);
      this.#onError(error);
    }
  }
}

import type { ParamsOf } from "../../contracts/action.ts";
import type { countUsage } from "../../contracts/keys.contract.ts";

type UsageCount = ParamsOf<typeof countUsage>["counts"][number] & { usedAt: string };

const flushEveryMs = 1000;
/** Counts in a batch, few enough to be stored within the timeout of a call. */
const batchSize = 100;
const minuteMs = 60_000;

/**
 * Counts requests per key and UTC day with the minute of the latest one, and sends the counts to the keys service in batches. A killed process loses those of
 * the last second, and those that the keys service could not take before. A batch whose answer is lost is sent again, and
 * then counts twice.
 */
export class UsageMeter {
  /** The counts of each day, then of each key. */
  readonly #counts = new Map<string, Map<string, UsageCount>>();
  readonly #send: (counts: UsageCount[]) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  readonly #now: () => number;
  #minute = { number: Number.NaN, name: "" };
  readonly #onCounted: () => void;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isFailing = false;

  constructor(
    send: (counts: UsageCount[]) => Promise<unknown>,
    onError: (error: unknown) => void,
    onCounted: () => void,
    now: () => number = Date.now,
  ) {
    this.#send = send;
    this.#onCounted = onCounted;
    this.#onError = onError;
    this.#now = now;
  }

  /** Counts one request of a key. */
  count(keyId: string): void {
    this.#onCounted();
    this.#add(keyId, 1, this.#thisMinute());
  }

  /** Written once a minute: that takes as long as all else that counts a request. */
  #thisMinute(): string {
    const number = Math.floor(this.#now() / minuteMs);
    if (number !== this.#minute.number)
      this.#minute = { number, name: new Date(number * minuteMs).toISOString() };
    return this.#minute.name;
  }

  #add(keyId: string, requests: number, usedAt: string): void {
    const day = usedAt.slice(0, 10);
    const ofDay = this.#counts.get(day) ?? new Map<string, UsageCount>();
    this.#counts.set(day, ofDay);
    const known = ofDay.get(keyId);
    if (!known) ofDay.set(keyId, { keyId, day, requests, usedAt });
    else {
      known.requests += requests;
      if (usedAt > known.usedAt) known.usedAt = usedAt;
    }
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), flushEveryMs);
  }

  /** Flushes twice: the first call may join a flush that was already running. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    await this.flush();
  }

  /** Sends one batch after another. What could not be sent is counted again, and waits for the next flush. */
  flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let left = this.#take(); left.length > 0; left = left.slice(batchSize)) {
      try {
        await this.#send(left.slice(0, batchSize));
        this.#isFailing = false;
      } catch (error) {
        for (const { keyId, requests, usedAt } of left) this.#add(keyId, requests, usedAt);
        // An outage is reported once.
        if (!this.#isFailing) this.#onError(error);
        this.#isFailing = true;
        return;
      }
    }
  }

  #take(): UsageCount[] {
    const counts = [...this.#counts.values()].flatMap(ofDay => [...ofDay.values()]);
    this.#counts.clear();
    return counts;
  }
}

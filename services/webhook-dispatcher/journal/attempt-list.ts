import { setTimeout as sleep, setImmediate as yieldToLoop } from "node:timers/promises";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { Query, Store } from "../../../mixins/store/store.ts";
import type { StoredDelivery } from "../webhooks.store.ts";

const listedTogether = 256;
const retryMs = [200, 500, 1_000, 2_000];

/**
 * Stores the list of attempts apart from their lanes, many at a time: deliveries do not depend on the list. An attempt
 * is missing there if the process dies at that moment or the store refuses it for some seconds.
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
    // Store the attempts of one tick together.
    await null;
    while (this.#waiting.length > 0) await this.#list(this.#waiting.splice(0, listedTogether));
    this.#running = undefined;
  }

  async #list(attempts: StoredDelivery[]): Promise<void> {
    try {
      await this.#insert(attempts);
    } catch (error) {
      logEvent(this.#logger, "attempt_list.failed", { attempts: attempts.length, error });
    }
  }

  /** After a failure some may be stored: the answer may have been lost. */
  async #insert(attempts: StoredDelivery[]): Promise<void> {
    for (let tries = 0; ; tries += 1)
      try {
        const rest = tries === 0 ? attempts : await this.#withoutStored(attempts);
        if (rest.length > 0) await this.#deliveries.insertMany(rest, "end of process");
        return;
      } catch (error) {
        const pause = this.#pausesMs[tries];
        if (pause === undefined) throw error;
        await sleep(pause);
      }
  }

  async #withoutStored(attempts: StoredDelivery[]): Promise<StoredDelivery[]> {
    const ids = attempts.map(({ _id }) => _id);
    const stored = new Set((await this.#deliveries.valuesOf(["_id"], { _id: { $in: ids } })).flat());
    return attempts.filter(({ _id }) => !stored.has(_id));
  }
}

/** How many deliveries are removed at once; this takes some milliseconds. */
const sliceSize = 500;

/**
 * Removes the deliveries that match a query, oldest first, in slices that let other work run; the signal stops it
 * between two slices.
 */
export async function removeDeliveries(
  deliveries: Pick<Store<StoredDelivery>, "find" | "removeMany">,
  query: Query<StoredDelivery>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const [last] = await deliveries.find({ query, sort: ["_id"], offset: sliceSize - 1, limit: 1 });
    await deliveries.removeMany(last ? { ...query, _id: { $lte: last._id } } : query);
    if (!last) return;
    await yieldToLoop();
  }
}

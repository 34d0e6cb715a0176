import { encodeTime } from "ulid";
import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import { pagesOf } from "../../../mixins/store/pages.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { keyOf, leadingShard } from "../../domain/delivery/lane.ts";
import { removeAttempts } from "../journal/attempt-list.ts";
import type { StoredAttempts, StoredLane } from "../webhooks.store.ts";

export interface MaintenanceOptions {
  lanes: Store<StoredLane>;
  deliveries: Store<StoredAttempts>;
  /** Milliseconds that attempts are kept. */
  keptMs: number;
  log: EventLog;
  /** The shards that this node works now. */
  shards(): number[];
  wake(keyIds: string[]): void;
  /** The position of a lane with the unwanted events after it that it has passed over. */
  passedTo(lane: StoredLane): number;
  /** Finishes the changes of endpoints that dead processes have left open. */
  finishOpen(): Promise<void>;
  /** Called once a minute: another node may have changed the lanes in memory. */
  reread(): void;
  onError(error: unknown): void;
}

const everyMs = 60_000;
const retryAfterErrorMs = 5_000;
const pageSize = 200;

/**
 * Wakes active lanes that are behind their logs: those of a shard when it is gained, and those of all shards once a
 * minute, since hints may be lost. Removes deliveries past the retention.
 */
export class LaneMaintenance {
  readonly #options: MaintenanceOptions;
  readonly #pending = new Set<number>();
  readonly #ending = new AbortController();
  readonly #timer = setInterval(() => this.#checkAll(), everyMs).unref();
  #running: Promise<void> | undefined;
  #removing: Promise<void> | undefined;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
  }

  /** Checks the lanes of a shard. */
  checkShard(shard: number): void {
    this.#pending.add(shard);
    if (!this.#ending.signal.aborted) this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#running;
    await this.#removing;
  }

  #checkAll(): void {
    this.#options.reread();
    for (const shard of this.#options.shards()) this.checkShard(shard);
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    // Wait one tick, so that shards gained together are checked in order.
    await null;
    for (let [shard] = this.#pending; shard !== undefined && !signal.aborted; [shard] = this.#pending) {
      this.#pending.delete(shard);
      try {
        if (this.#options.shards().includes(shard)) await this.#checkOne(shard);
      } catch (error) {
        this.#options.onError(error);
        this.#pending.add(shard);
        await this.#pause(retryAfterErrorMs);
      }
    }
    this.#running = undefined;
  }

  async #checkOne(shard: number): Promise<void> {
    if (shard === leadingShard) await this.#options.finishOpen();
    await this.#wakeLate(shard);
    // Not awaited: after a downtime it may take long, and lanes must not wait for it.
    if (shard === leadingShard) this.#removing ??= this.#removeOld(Date.now());
    // Let other work run between two shards.
    await this.#pause(1);
  }

  async #wakeLate(shard: number): Promise<void> {
    const { lanes, log, wake, passedTo } = this.#options;
    const { signal } = this.#ending;
    for await (const page of pagesOf(lanes, {
      query: { shard, status: "ACTIVE" },
      limit: pageSize,
      signal,
    })) {
      const late = await Promise.all(
        page.map(async lane => ((await isLate(lane, log, passedTo(lane))) ? keyOf(lane._id) : [])),
      );
      wake([...new Set(late.flat())]);
    }
  }

  /** Ids begin with the time. A failed removal is repeated a minute later. */
  async #removeOld(now: number): Promise<void> {
    const { deliveries, keptMs, onError } = this.#options;
    const old = { _id: { $lt: encodeTime(now - keptMs, 10) } };
    await removeAttempts(deliveries, old, this.#ending.signal).catch(onError);
    this.#removing = undefined;
  }

  /** Waits. Ends early on close. */
  async #pause(ms: number): Promise<void> {
    await sleepUntilAborted(ms, this.#ending.signal);
  }
}

async function isLate({ _id, retries }: StoredLane, log: EventLog, passedTo: number): Promise<boolean> {
  if (retries.length > 0) return true;
  const { oldest, latest } = await log.bounds(keyOf(_id));
  return latest > passedTo && oldest <= latest;
}

import { setTimeout as wait } from "node:timers/promises";
import { encodeTime } from "ulid";
import type { EventLog } from "../../../mixins/log/log.ts";
import { pagesOf } from "../../../mixins/store/pages-of.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { leadingShard } from "../../domain/delivery/shard.ts";
import { removeDeliveries } from "../remove-deliveries.ts";
import type { StoredDelivery, StoredLane } from "../room.ts";

export interface Sweeping {
  lanes: Store<StoredLane>;
  deliveries: Store<StoredDelivery>;
  log: EventLog;
  /** The shards whose lanes this node works, now. */
  shards(): number[];
  wake(keyIds: string[]): void;
  /** Once a minute, beside the late lanes: those in memory may have been changed by another node. */
  reread(): void;
  onError(error: unknown): void;
}

const everyMs = 60_000;
const troubleMs = 5_000;
const pageSize = 200;
const retentionMs = 72 * 3_600_000;

/**
 * Wakes the active lanes that are behind their logs: those of a shard when it is gained, and of all shards once a
 * minute, since hints may be lost. Forgets deliveries past the retention.
 */
export class Sweeper {
  readonly #sweeping: Sweeping;
  readonly #wanted = new Set<number>();
  readonly #ending = new AbortController();
  readonly #timer = setInterval(() => this.#all(), everyMs).unref();
  #running: Promise<void> | undefined;
  #forgetting: Promise<void> | undefined;

  constructor(sweeping: Sweeping) {
    this.#sweeping = sweeping;
  }

  /** The shard was gained. */
  look(shard: number): void {
    this.#wanted.add(shard);
    if (!this.#ending.signal.aborted) this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#running;
    await this.#forgetting;
  }

  #all(): void {
    this.#sweeping.reread();
    for (const shard of this.#sweeping.shards()) this.look(shard);
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    // Shards that are gained in the same turn are looked at in their order.
    await null;
    for (let [shard] = this.#wanted; shard !== undefined && !signal.aborted; [shard] = this.#wanted) {
      this.#wanted.delete(shard);
      try {
        if (this.#sweeping.shards().includes(shard)) await this.#sweep(shard);
      } catch (error) {
        this.#sweeping.onError(error);
        this.#wanted.add(shard);
        await this.#pause(troubleMs);
      }
    }
    this.#running = undefined;
  }

  async #sweep(shard: number): Promise<void> {
    await this.#wakeLate(shard);
    // No lane waits for what may be much after a downtime.
    if (shard === leadingShard) this.#forgetting ??= this.#forgetOld(Date.now());
    // Others have their turn between two shards.
    await this.#pause(1);
  }

  async #wakeLate(shard: number): Promise<void> {
    const { lanes, log, wake } = this.#sweeping;
    const { signal } = this.#ending;
    for await (const page of pagesOf(lanes, {
      query: { shard, status: "ACTIVE" },
      limit: pageSize,
      signal,
    })) {
      const late = await Promise.all(page.map(async lane => ((await isLate(lane, log)) ? lane._id : [])));
      wake(late.flat());
    }
  }

  /** Identities begin with the time. What fails is forgotten a minute later. */
  async #forgetOld(now: number): Promise<void> {
    const { deliveries, onError } = this.#sweeping;
    const old = { _id: { $lt: encodeTime(now - retentionMs, 10) } };
    await removeDeliveries(deliveries, old, this.#ending.signal).catch(onError);
    this.#forgetting = undefined;
  }

  /** Ends early when the sweeper closes. */
  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }
}

async function isLate({ _id, position, retries }: StoredLane, log: EventLog): Promise<boolean> {
  if (retries.length > 0) return true;
  const { oldest, latest } = await log.bounds(_id);
  return latest > position && oldest <= latest;
}

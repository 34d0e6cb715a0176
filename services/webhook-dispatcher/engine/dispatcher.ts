import type { Dispatcher as Agent } from "undici";
import type { EventLog } from "../../../mixins/log/log.ts";
import type { Event } from "../../contracts/events.ts";
import type { Schedule } from "../../domain/delivery/backoff.ts";
import { type Attempt, type Lane, settled, skipTo } from "../../domain/delivery/lane.ts";
import { next } from "../../domain/delivery/next.ts";
import type { StoredEndpoint } from "../room.ts";
import type { Vault } from "../vault.ts";
import { deliver } from "./deliver.ts";
import type { Journal } from "./journal.ts";
import { type Running, refill } from "./running.ts";
import { WakeQueue } from "./wake-queue.ts";

export interface DispatcherOptions {
  journal: Journal;
  log: EventLog;
  agent: Agent;
  vault: Vault;
  schedule: Schedule;
  logger: {
    info(...args: unknown[]): void;
    error(...args: unknown[]): void;
    debug(...args: unknown[]): void;
  };
}

const troubleMs = 1_000;
/** Few, so that many that begin at once do not hold up the others. */
const loadedTogether = 64;

/**
 * Works the lanes: at any time those that have something to do are in memory, and no others. An event in the log or an
 * outcome makes its lane look again; what must wait is in the wake queue.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #running = new Map<string, Running>();
  readonly #wakes = new WakeQueue(keyId => this.wake([keyId]));
  readonly #attempts = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #toLoad = new Set<string>();
  #loading: Promise<void> | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** There may be something to deliver for these keys. */
  wake(keyIds: readonly string[]): void {
    if (this.#stop.signal.aborted) return;
    for (const keyId of keyIds) {
      const running = this.#running.get(keyId);
      if (!running) this.#toLoad.add(keyId);
      else {
        running.hints += 1;
        running.caughtUp = false;
        void this.#pump(running);
      }
    }
    if (this.#toLoad.size > 0) this.#loading ??= this.#load();
  }

  /** The endpoint or its lane was changed by a request. */
  changed(endpoint: StoredEndpoint): void {
    const running = this.#running.get(endpoint._id);
    if (running) this.#equip(running, endpoint);
    this.wake([endpoint._id]);
  }

  /** The endpoint is gone; attempts under way end without consequence. */
  removed(keyId: string): void {
    this.#running.delete(keyId);
    this.#wakes.set(keyId, undefined);
  }

  /** Begins nothing more, and resolves when what was under way is settled. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wakes.close();
    await this.#loading;
    await Promise.all(this.#attempts);
    await this.#options.journal.idle();
  }

  async #load(): Promise<void> {
    while (this.#toLoad.size > 0 && !this.#stop.signal.aborted) {
      const keyIds = [...this.#toLoad].slice(0, loadedTogether);
      for (const keyId of keyIds) this.#toLoad.delete(keyId);
      try {
        const endpoints = await this.#options.journal.loadActive(keyIds);
        for (const endpoint of endpoints) this.#begin(endpoint);
      } catch (error) {
        this.#trouble(keyIds, error);
      }
    }
    this.#loading = undefined;
  }

  #begin(endpoint: StoredEndpoint): void {
    const lane = this.#options.journal.lane(endpoint._id);
    if (!lane || this.#running.has(endpoint._id) || this.#stop.signal.aborted) return;
    const running: Running = {
      keyId: endpoint._id,
      endpoint,
      url: new URL(endpoint.url),
      signingKeys: [],
      keysUntil: 0,
      buffer: [],
      readTo: lane.position,
      epoch: lane.epoch,
      caughtUp: false,
      hints: 0,
      underWay: new Map(),
      pumping: false,
      pumpAgain: false,
    };
    this.#running.set(endpoint._id, running);
    void this.#pump(running);
  }

  #equip(running: Running, endpoint: StoredEndpoint): void {
    running.endpoint = endpoint;
    running.url = new URL(endpoint.url);
    running.keysUntil = 0;
  }

  /** Lets a lane do what it can now; one pump at a time for each lane. */
  async #pump(running: Running): Promise<void> {
    running.pumpAgain = true;
    if (running.pumping) return;
    running.pumping = true;
    try {
      while (running.pumpAgain && !this.#stop.signal.aborted) {
        running.pumpAgain = false;
        await this.#step(running);
      }
    } catch (error) {
      this.#trouble([running.keyId], error);
    } finally {
      running.pumping = false;
    }
    this.#unloadIdle(running);
  }

  async #step(running: Running): Promise<void> {
    const { journal, log } = this.#options;
    const before = journal.lane(running.keyId);
    if (before?.status !== "ACTIVE") return;
    const expired = await refill(running, before, log);
    if (expired) await this.#change(running, lane => skipTo(lane, expired.oldest));
    const lane = journal.lane(running.keyId);
    if (!lane || !this.#isCurrent(running) || this.#stop.signal.aborted) return;
    const { send, wakeAt } = next(lane, running.buffer, running.underWay, Date.now());
    this.#wakes.set(running.keyId, wakeAt);
    for (const { seq, source } of send) {
      const attempt = { seq, source, turn: lane.turn, epoch: lane.epoch };
      running.underWay.set(seq, attempt);
      this.#track(this.#attempt(running, attempt));
    }
  }

  async #attempt(running: Running, attempt: Attempt): Promise<void> {
    try {
      const event = await this.#eventAt(running, attempt.seq);
      if (event) await this.#deliver(running, attempt, event);
      // Expired while it waited for another attempt.
      else await this.#change(running, lane => settled(lane, attempt.seq));
    } catch (error) {
      this.#trouble([running.keyId], error);
    } finally {
      running.underWay.delete(attempt.seq);
    }
    void this.#pump(running);
  }

  async #eventAt(running: Running, seq: number): Promise<Event | undefined> {
    const buffered = running.buffer.find(each => each.seq === seq);
    if (buffered) return buffered.event;
    const [event] = await this.#options.log.read(running.keyId, seq - 1, 1);
    return event?.seq === seq ? event : undefined;
  }

  async #deliver(running: Running, attempt: Attempt, event: Event): Promise<void> {
    const { agent, journal, logger, schedule, vault } = this.#options;
    const now = Date.now();
    if (now >= running.keysUntil) {
      running.signingKeys = vault.signingKeys(running.endpoint, now);
      const { previousUntil } = running.endpoint;
      running.keysUntil = now < previousUntil ? previousUntil : Number.POSITIVE_INFINITY;
    }
    const stillThere = () => this.#isCurrent(running);
    const target = { keyId: running.keyId, url: running.url, signingKeys: running.signingKeys };
    const settlement = await deliver({ agent, journal, schedule, target, attempt, event, stillThere });
    if (!settlement) return;
    const { failedNow, ...line } = settlement;
    logger.debug("delivery.attempted", line);
    if (failedNow) logger.info("webhook.failed", line);
  }

  async #change(running: Running, change: (lane: Lane) => Lane): Promise<void> {
    await this.#options.journal.write(batch => {
      const lane = batch.lane(running.keyId);
      if (lane && this.#isCurrent(running)) batch.setLane(running.keyId, change(lane));
    });
  }

  #track(attempt: Promise<void>): void {
    this.#attempts.add(attempt);
    void attempt.then(() => this.#attempts.delete(attempt));
  }

  #isCurrent(running: Running): boolean {
    return this.#running.get(running.keyId) === running;
  }

  #unloadIdle(running: Running): void {
    if (running.pumping || running.underWay.size > 0 || !this.#isCurrent(running)) return;
    const lane = this.#options.journal.lane(running.keyId);
    const waits = lane && (lane.retries.length > 0 || running.buffer.length > 0 || !running.caughtUp);
    if (waits && lane.status === "ACTIVE") return;
    this.removed(running.keyId);
    this.#options.journal.letGo(running.keyId);
  }

  /** The store failed, not the endpoint: the lanes look again in a while. */
  #trouble(keyIds: string[], error: unknown): void {
    this.#options.logger.error("webhook.trouble", { keyIds: keyIds.slice(0, 10), error });
    if (this.#stop.signal.aborted) return;
    for (const keyId of keyIds) this.#wakes.set(keyId, Date.now() + troubleMs);
  }
}

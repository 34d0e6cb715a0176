import type { Store, Survives, TransactionCollection } from "../../../mixins/store/store.ts";
import { codeOf } from "../../contracts/errors.ts";
import { type Lane, shardOf, upgraded } from "../../domain/delivery/lane.ts";
import {
  deliveriesCollection,
  endpointsCollection,
  endpointsOf,
  lanesCollection,
  type StoredDelivery,
  type StoredEndpoint,
  type StoredLane,
} from "../webhooks.store.ts";
import { AttemptList } from "./attempt-list.ts";
import { LoadedLanes } from "./loaded-lanes.ts";
import { groupMs, LaneGroups, WriteGroups } from "./write-groups.ts";

/** What the steps of one group of writes may do. They see one another's changes. */
export interface Batch {
  lane(laneId: string): Lane | null;
  /** Null removes it. */
  setLane(laneId: string, lane: Lane | null): void;
  record(delivery: StoredDelivery): void;
  readonly endpoints: TransactionCollection<StoredEndpoint>;
}

/** Changes one endpoint and its lane. In a shared store it may run several times; the last run counts. */
type Step<Result> = (batch: Batch) => Result;

/** Milliseconds; a client waits for the answer. */
const soonMs = 2;

interface Entry {
  laneId: string;
  step: Step<unknown>;
  survives: Survives;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/** The result of a group's steps. */
interface Draft {
  /** The lanes that were read from the store, as they are there. */
  found: Map<string, Lane | null>;
  changed: Map<string, Lane | null>;
  attempts: StoredDelivery[];
}

/**
 * The only writer of lanes in this process. Steps that arrive during a write are written together next; a step is
 * stored when its promise resolves. Requested lanes stay in memory until they are unloaded. If only this process uses
 * the store, it writes the steps of all lanes in one transaction, based on the lanes in memory. In a shared store each
 * lane has a transaction of its own, based on what the store holds, because requests to other nodes change lanes too;
 * the lanes in memory may be stale and only decide what to attempt.
 */
export class Journal {
  readonly #store: Store<StoredEndpoint>;
  readonly #known = new LoadedLanes();
  readonly #attempts: AttemptList;
  readonly #byLane = new LaneGroups<Entry>(entries => this.#writeTogether(entries));
  readonly #groups: WriteGroups<Entry>;
  #writeError: unknown;

  constructor(store: Store<StoredEndpoint>, logger: ConstructorParameters<typeof AttemptList>[1]) {
    this.#store = store;
    this.#attempts = new AttemptList(store.collection(deliveriesCollection), logger);
    this.#groups = new WriteGroups(async entries =>
      store.isShared ? this.#byLane.add(entries) : await this.#writeTogether(entries),
    );
  }

  write<Result>(laneId: string, step: Step<Result>): Promise<Result> {
    return this.#add(laneId, step, "loss of power", soonMs);
  }

  /**
   * Writes the outcome of an attempt. A loss of power may undo it; then the event is delivered again. `waitMs` is how
   * long the step may wait to be written with others.
   */
  writeOutcome<Result>(laneId: string, step: Step<Result>, waitMs = groupMs): Promise<Result> {
    return this.#add(laneId, step, "end of process", waitMs);
  }

  /**
   * The error of the last write, or undefined. The next successful write clears it; if there is nothing to write, this
   * call tries one.
   */
  async writeError(): Promise<unknown> {
    if (this.#writeError === undefined) return undefined;
    const trying = tryWriting(this.#store.collection(deliveriesCollection));
    this.#writeError = await trying.then(
      () => undefined,
      error => error,
    );
    return this.#writeError;
  }

  /** The lane as it was last read or written here, if it is in memory. */
  lane(laneId: string): Lane | undefined {
    return this.#known.get(laneId);
  }

  /**
   * Loads the lanes of these keys into memory, and again those of `inMemory`, and returns the endpoints of the active
   * ones. Other lanes that were not in memory are not kept there.
   */
  async loadActive(keyIds: string[], inMemory: readonly string[] = []): Promise<StoredEndpoint[]> {
    const lanes = this.#store.collection<StoredLane>(lanesCollection);
    const endpoints = await endpointsOf(this.#store, keyIds);
    const laneIds = [...new Set([...inMemory, ...endpoints.map(({ _id }) => _id)])];
    if (laneIds.length === 0) return [];
    await this.#known.load(laneIds, async () => {
      const found = await lanes.find({ query: { _id: { $in: laneIds } } });
      return new Map(found.map(lane => [lane._id, laneOf(lane)]));
    });
    const isActive = (laneId: string) => this.#known.get(laneId)?.status === "ACTIVE";
    for (const laneId of laneIds) if (!isActive(laneId) && !inMemory.includes(laneId)) this.unload(laneId);
    return endpoints.filter(({ _id }) => isActive(_id));
  }

  unload(laneId: string): void {
    this.#known.unload(laneId);
  }

  /** Writes waiting steps at once. */
  flush(): void {
    this.#groups.flush();
  }

  /** From now on no step waits for others: the process stops. */
  stopBatching(): void {
    this.#groups.stopBatching();
  }

  /** Resolves when all steps are written. */
  async idle(): Promise<void> {
    await this.#groups.idle();
    await this.#byLane.idle();
    await this.#attempts.idle();
  }

  #add<Result>(laneId: string, step: Step<Result>, survives: Survives, waitMs: number): Promise<Result> {
    return new Promise<Result>((resolve, reject) =>
      this.#groups.add({ laneId, step, survives, resolve, reject }, waitMs),
    );
  }

  async #writeTogether(entries: Entry[]): Promise<void> {
    try {
      const results = await this.#commit(entries);
      for (const [index, { resolve }] of entries.entries()) resolve(results[index] as never);
    } catch (error) {
      const [only, ...others] = entries;
      // A step that cannot be written must not stop the others.
      if (others.length > 0) for (const entry of entries) await this.#writeTogether([entry]);
      else {
        if (isOfTheStore(error)) this.#writeError = error;
        only?.reject(error);
      }
    }
  }

  async #commit(entries: Entry[]): Promise<unknown[]> {
    const mustLast = entries.some(({ survives }) => survives === "loss of power");
    const { results, draft } = await this.#store.transaction(
      transaction => {
        const lanes = transaction.collection<StoredLane>(lanesCollection);
        const deliveries = transaction.collection<StoredDelivery>(deliveriesCollection);
        const draft: Draft = { found: new Map(), changed: new Map(), attempts: [] };
        const batch = this.#batch(draft, lanes, transaction.collection(endpointsCollection));
        const results = entries.map(({ step }) => step(batch));
        for (const [laneId, lane] of draft.changed)
          if (lane) lanes.put({ _id: laneId, shard: shardOf(laneId), ...lane });
          else lanes.removeById(laneId);
        if (!this.#store.isShared) for (const attempt of draft.attempts) deliveries.insert(attempt);
        return { results, draft };
      },
      mustLast ? "loss of power" : "end of process",
    );
    this.#keep(draft);
    return results;
  }

  #batch(
    { found, changed, attempts }: Draft,
    lanes: TransactionCollection<StoredLane>,
    endpoints: TransactionCollection<StoredEndpoint>,
  ): Batch {
    const lookUp = (laneId: string) => {
      const seen = found.get(laneId);
      if (seen !== undefined) return seen;
      const lane = laneOf(lanes.findById(laneId));
      found.set(laneId, lane);
      return lane;
    };
    return {
      endpoints,
      lane: laneId => {
        const draft = changed.get(laneId);
        if (draft !== undefined) return draft;
        const known = this.#store.isShared ? undefined : this.#known.get(laneId);
        return known ?? lookUp(laneId);
      },
      setLane: (laneId, lane) => changed.set(laneId, lane),
      record: delivery => attempts.push(delivery),
    };
  }

  #keep({ found, changed, attempts }: Draft): void {
    if (changed.size > 0) this.#writeError = undefined;
    for (const [laneId, lane] of found) if (!changed.has(laneId)) this.#known.note(laneId, lane);
    for (const [laneId, lane] of changed) this.#known.note(laneId, lane);
    if (this.#store.isShared) this.#attempts.add(attempts);
  }
}

/** Any other code refuses the step itself. */
function isOfTheStore(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || code === "overloaded";
}

function laneOf(found: StoredLane): Lane;
function laneOf(found: StoredLane | null): Lane | null;
function laneOf(found: StoredLane | null): Lane | null {
  if (!found) return null;
  const { _id, shard, ...lane } = found;
  return upgraded(lane);
}

/** Older than any delivery and of no key: if it stays behind, the retention removes it. */
const _id = "0".repeat(26);

/** Rejects if the store cannot be written; leaves nothing behind. */
async function tryWriting(deliveries: Store<StoredDelivery>): Promise<void> {
  await deliveries.upsert(_id, { $set: { keyId: "" } });
  await deliveries.remove(_id);
}

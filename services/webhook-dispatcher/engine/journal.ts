import type { Store, Survives, TransactionCollection } from "../../../mixins/store/store.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import { shardOf } from "../../domain/delivery/shard.ts";
import {
  deliveriesCollection,
  endpointsCollection,
  lanesCollection,
  type StoredDelivery,
  type StoredEndpoint,
  type StoredLane,
} from "../room.ts";
import { AttemptList } from "./attempt-list.ts";
import { KnownLanes } from "./known-lanes.ts";
import { LaneGroups } from "./lane-groups.ts";
import { tryWriting } from "./try-writing.ts";
import { groupMs, WriteGroups } from "./write-groups.ts";

/** One group of writes: what the steps of it may do. They see one another's changes. */
export interface Batch {
  lane(keyId: string): Lane | null;
  /** Null removes it. */
  setLane(keyId: string, lane: Lane | null): void;
  record(delivery: StoredDelivery): void;
  readonly endpoints: TransactionCollection<StoredEndpoint>;
}

/** Concerns the lane and the endpoint of one key. In a shared store it may be run several times; the last run counts. */
type Step<Result> = (batch: Batch) => Result;

/** Somebody waits for the answer. */
const soonMs = 2;

interface Entry {
  keyId: string;
  step: Step<unknown>;
  survives: Survives;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/** What the steps of a group have come to. */
interface Draft {
  /** The lanes as they are in the store, as far as they were looked up there. */
  found: Map<string, Lane | null>;
  changed: Map<string, Lane | null>;
  attempts: StoredDelivery[];
}

/**
 * The only writer of lanes in this process. Steps that arrive while others are written are written together, and a step
 * is kept once its promise resolves. Lanes that were asked for stay in memory until they are let go.
 *
 * A store of this process alone writes the steps of all lanes in one transaction, on lanes as they are in memory. In a
 * shared one each lane has its own, side by side, on what the store holds by then, since requests to other nodes
 * change lanes too; what is in memory may be behind, and decides nothing but what to attempt.
 */
export class Journal {
  readonly #store: Store<StoredEndpoint>;
  readonly #known = new KnownLanes();
  readonly #attempts: AttemptList;
  readonly #byLane = new LaneGroups<Entry>(entries => this.#writeTogether(entries));
  readonly #groups: WriteGroups<Entry>;
  #problem: unknown;

  constructor(store: Store<StoredEndpoint>, logger: ConstructorParameters<typeof AttemptList>[1]) {
    this.#store = store;
    this.#attempts = new AttemptList(store.collection(deliveriesCollection), logger);
    this.#groups = new WriteGroups(async entries =>
      store.isShared ? this.#byLane.add(entries) : await this.#writeTogether(entries),
    );
  }

  write<Result>(keyId: string, step: Step<Result>): Promise<Result> {
    return this.#add(keyId, step, "loss of power", soonMs);
  }

  /**
   * Writes what became of an attempt. A loss of power may undo it: then the event is delivered again. `waitMs` is how
   * long the step may wait for others to be written with.
   */
  settle<Result>(keyId: string, step: Step<Result>, waitMs = groupMs): Promise<Result> {
    return this.#add(keyId, step, "end of process", waitMs);
  }

  /**
   * Why the last write was not possible; undefined when all is well. Each write that succeeds mends it: where there is
   * nothing to write, whoever asks finds out.
   */
  async problem(): Promise<unknown> {
    if (this.#problem === undefined) return undefined;
    const trying = tryWriting(this.#store.collection(deliveriesCollection));
    this.#problem = await trying.then(
      () => undefined,
      error => error,
    );
    return this.#problem;
  }

  /** The lane as it was last read or written here, when it is in memory. */
  lane(keyId: string): Lane | undefined {
    return this.#known.get(keyId);
  }

  /** Takes the lanes of these keys into memory, as they are stored now, and answers the endpoints of the active ones. */
  async loadActive(keyIds: string[]): Promise<StoredEndpoint[]> {
    const lanes = this.#store.collection<StoredLane>(lanesCollection);
    await this.#known.load(keyIds, async () => {
      const found = await lanes.find({ query: { _id: { $in: keyIds } } });
      return new Map(found.map(lane => [lane._id, stored(lane)]));
    });
    const active = keyIds.filter(keyId => this.#known.get(keyId)?.status === "ACTIVE");
    return active.length > 0 ? await this.#store.find({ query: { _id: { $in: active } } }) : [];
  }

  letGo(keyId: string): void {
    this.#known.letGo(keyId);
  }

  /** What waits for others waits no more. */
  hurry(): void {
    this.#groups.hurry();
  }

  /** From now on no step waits for others: the end is near. */
  hasten(): void {
    this.#groups.hasten();
  }

  /** Resolves when all that was asked for is written. */
  async idle(): Promise<void> {
    await this.#groups.idle();
    await this.#byLane.idle();
    await this.#attempts.idle();
  }

  #add<Result>(keyId: string, step: Step<Result>, survives: Survives, waitMs: number): Promise<Result> {
    return new Promise<Result>((resolve, reject) =>
      this.#groups.add({ keyId, step, survives, resolve, reject }, waitMs),
    );
  }

  async #writeTogether(entries: Entry[]): Promise<void> {
    try {
      const results = await this.#commit(entries);
      for (const [index, { resolve }] of entries.entries()) resolve(results[index] as never);
    } catch (error) {
      const [only, ...others] = entries;
      // One step that cannot be written must not stop the others.
      if (others.length > 0) for (const entry of entries) await this.#writeTogether([entry]);
      else {
        if (isOfTheStore(error)) this.#problem = error;
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
        for (const [keyId, lane] of draft.changed)
          if (lane) lanes.put({ _id: keyId, shard: shardOf(keyId), ...lane });
          else lanes.removeById(keyId);
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
    const lookUp = (keyId: string) => {
      const seen = found.get(keyId);
      if (seen !== undefined) return seen;
      const lane = stored(lanes.findById(keyId));
      found.set(keyId, lane);
      return lane;
    };
    return {
      endpoints,
      lane: keyId => {
        const draft = changed.get(keyId);
        if (draft !== undefined) return draft;
        const known = this.#store.isShared ? undefined : this.#known.get(keyId);
        return known ?? lookUp(keyId);
      },
      setLane: (keyId, lane) => changed.set(keyId, lane),
      record: delivery => attempts.push(delivery),
    };
  }

  #keep({ found, changed, attempts }: Draft): void {
    if (changed.size > 0) this.#problem = undefined;
    for (const [keyId, lane] of found) if (!changed.has(keyId)) this.#known.note(keyId, lane);
    for (const [keyId, lane] of changed) this.#known.note(keyId, lane);
    if (this.#store.isShared) this.#attempts.add(attempts);
  }
}

/** What has another code was refused for its own sake. */
function isOfTheStore(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || code === "overloaded";
}

function stored(found: StoredLane): Lane;
function stored(found: StoredLane | null): Lane | null;
function stored(found: StoredLane | null): Lane | null {
  if (!found) return null;
  const { _id, shard, ...lane } = found;
  return lane;
}

import type { Store, Survives, TransactionCollection } from "../../../mixins/store/store.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import {
  deliveriesCollection,
  endpointsCollection,
  lanesCollection,
  type StoredDelivery,
  type StoredEndpoint,
  type StoredLane,
} from "../room.ts";
import { groupMs, WriteGroups } from "./write-groups.ts";

/** One group of writes: what the steps of it may do. They see one another's changes. */
export interface Batch {
  lane(keyId: string): Lane | null;
  /** Null removes it. */
  setLane(keyId: string, lane: Lane | null): void;
  record(delivery: StoredDelivery): void;
  readonly endpoints: TransactionCollection<StoredEndpoint>;
}

type Step<Result> = (batch: Batch) => Result;

/** Somebody waits for the answer. */
const soonMs = 2;

interface Entry {
  step: Step<unknown>;
  survives: Survives;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * The only writer of lanes. Steps that arrive while others are written are written together, in one transaction, and a
 * step is kept once its promise resolves. Lanes that were asked for stay in memory until they are let go.
 */
export class Journal {
  readonly #store: Store<StoredEndpoint>;
  readonly #lanes = new Map<string, Lane>();
  #problem: unknown;
  readonly #groups = new WriteGroups<Entry>(entries => this.#writeTogether(entries));

  constructor(store: Store<StoredEndpoint>) {
    this.#store = store;
  }

  write<Result>(step: Step<Result>): Promise<Result> {
    return this.#add(step, "loss of power", soonMs);
  }

  /**
   * Writes what became of an attempt. A loss of power may undo it: then the event is delivered again. `waitMs` is how
   * long the step may wait for others to be written with.
   */
  settle<Result>(step: Step<Result>, waitMs = groupMs): Promise<Result> {
    return this.#add(step, "end of process", waitMs);
  }

  /** Why the last write was not possible; undefined when all is well. Each write that succeeds mends it. */
  get problem(): unknown {
    return this.#problem;
  }

  /** The lane as it was last written, when it is in memory. */
  lane(keyId: string): Lane | undefined {
    return this.#lanes.get(keyId);
  }

  /** Takes the active lanes of these keys into memory and answers their endpoints. */
  loadActive(keyIds: string[]): Promise<StoredEndpoint[]> {
    // In one step, so that nothing is written between reading a lane and keeping it.
    return this.#store.transaction(transaction => {
      const query = { _id: { $in: keyIds }, status: "ACTIVE" } as const;
      const found = transaction.collection<StoredLane>(lanesCollection).find({ query });
      for (const { _id, ...lane } of found) if (!this.#lanes.has(_id)) this.#lanes.set(_id, lane);
      const ids = found.map(({ _id }) => _id);
      if (ids.length === 0) return [];
      const endpoints = transaction.collection<StoredEndpoint>(endpointsCollection);
      return endpoints.find({ query: { _id: { $in: ids } } });
    });
  }

  letGo(keyId: string): void {
    this.#lanes.delete(keyId);
  }

  /** From now on no step waits for others: the end is near. */
  hasten(): void {
    this.#groups.hasten();
  }

  /** Resolves when all that was asked for is written. */
  idle(): Promise<void> {
    return this.#groups.idle();
  }

  #add<Result>(step: Step<Result>, survives: Survives, waitMs: number): Promise<Result> {
    return new Promise<Result>((resolve, reject) =>
      this.#groups.add({ step, survives, resolve, reject }, waitMs),
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
        // What has a code was refused for its own sake.
        if (codeOf(error) === undefined) this.#problem = error;
        only?.reject(error);
      }
    }
  }

  async #commit(entries: Entry[]): Promise<unknown[]> {
    const mustLast = entries.some(({ survives }) => survives === "loss of power");
    const changed = new Map<string, Lane | null>();
    const results = await this.#store.transaction(
      transaction => {
        const lanes = transaction.collection<StoredLane>(lanesCollection);
        const deliveries = transaction.collection<StoredDelivery>(deliveriesCollection);
        const batch: Batch = {
          endpoints: transaction.collection<StoredEndpoint>(endpointsCollection),
          lane: keyId => {
            const draft = changed.get(keyId);
            return draft === undefined ? (this.#lanes.get(keyId) ?? stored(lanes.findById(keyId))) : draft;
          },
          setLane: (keyId, lane) => changed.set(keyId, lane),
          record: delivery => deliveries.insert(delivery),
        };
        const answers = entries.map(({ step }) => step(batch));
        for (const [keyId, lane] of changed)
          if (lane) lanes.upsertById(keyId, { $set: { ...lane } });
          else lanes.removeById(keyId);
        return answers;
      },
      mustLast ? "loss of power" : "end of process",
    );
    if (changed.size > 0) this.#problem = undefined;
    for (const [keyId, lane] of changed)
      if (lane === null) this.#lanes.delete(keyId);
      else if (this.#lanes.has(keyId)) this.#lanes.set(keyId, lane);
    return results;
  }
}

function stored(found: StoredLane | null): Lane | null {
  if (!found) return null;
  const { _id, ...lane } = found;
  return lane;
}

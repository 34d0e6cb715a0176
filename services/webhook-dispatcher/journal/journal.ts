import type { Store, Survives } from "../../../mixins/store/store.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import {
  deliveriesCollection,
  endpointsOf,
  lanesCollection,
  type StoredAttempts,
  type StoredEndpoint,
  type StoredLane,
} from "../webhooks.store.ts";
import { AttemptList } from "./attempt-list.ts";
import { type Batch, LaneWrites, laneOf } from "./lane-writes.ts";
import { LaneGroups, lanesAtOnce, promptGroupMs, StepGroups } from "./step-groups.ts";

/** Changes one lane, and its endpoint. It may run several times; the last run counts. */
type Step<Result> = (batch: Batch) => Result;

/** In milliseconds. It is short, since a client waits for the answer. */
const soonMs = 2;

interface Entry {
  laneId: string;
  step: Step<unknown>;
  survives: Survives;
  /** Whether the step may change the endpoint as well as the lane. */
  isOfBoth: boolean;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * The only writer of lanes in this process. Steps on a lane that arrive during a write of it are written together next; a
 * step is stored when its promise resolves. It is based on what the store holds, because requests to other nodes change
 * lanes, too. Requested lanes stay in memory until they are unloaded: they may be stale, and only decide what to attempt.
 */
export class Journal {
  readonly #store: Store<StoredEndpoint>;
  readonly #known = new LoadedLanes();
  readonly #attempts: AttemptList;
  readonly #writes: LaneWrites;
  readonly #byLane: LaneGroups<Entry>;
  readonly #groups: StepGroups<Entry>;
  #writeError: unknown;

  constructor(store: Store<StoredEndpoint>, logger: ConstructorParameters<typeof AttemptList>[1]) {
    this.#store = store;
    this.#attempts = new AttemptList(store.collection(deliveriesCollection), logger);
    this.#writes = new LaneWrites(store);
    // The changes of one moment are one write of a file.
    const atOnce = store.isShared ? lanesAtOnce : Number.POSITIVE_INFINITY;
    this.#byLane = new LaneGroups(entries => this.#writeTogether(entries), atOnce);
    this.#groups = new StepGroups(async entries => this.#byLane.add(entries));
  }

  write<Result>(laneId: string, step: Step<Result>): Promise<Result> {
    return this.#add({ laneId, step, survives: "loss of power", isOfBoth: true }, soonMs);
  }

  /**
   * Writes the outcome of an attempt, which leaves the endpoint. A loss of power may undo it; then the event is delivered again. `waitMs` is how
   * long the step may wait to be written with others.
   */
  writeOutcome<Result>(laneId: string, step: Step<Result>, waitMs = promptGroupMs): Promise<Result> {
    return this.#add({ laneId, step, survives: "end of process", isOfBoth: false }, waitMs);
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

  /** An endpoint of a key by its id, as it is stored. */
  async endpointOf(keyId: string, webhookId: string): Promise<StoredEndpoint | undefined> {
    return (await endpointsOf(this.#store, [keyId])).find(endpoint => endpoint.webhookId === webhookId);
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

  #add<Result>(
    { step, ...entry }: Omit<Entry, "step" | "resolve" | "reject"> & { step: Step<Result> },
    waitMs: number,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) =>
      this.#groups.add({ ...entry, step, resolve, reject }, waitMs),
    );
  }

  /** Finishes the changes of endpoints that a dead process has left open. */
  finishOpen(): Promise<void> {
    return this.#writes.finishOpen();
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

  /** Writes the entries of one lane. */
  async #commit(entries: Entry[]): Promise<unknown[]> {
    const laneId = entries[0]?.laneId ?? "";
    const mustLast = entries.some(({ survives }) => survives === "loss of power");
    const steps = (batch: Batch) => entries.map(({ step }) => step(batch));
    const write = entries.some(({ isOfBoth }) => isOfBoth) ? "writeBoth" : "writeLane";
    const written = await this.#writes[write](laneId, steps, mustLast ? "loss of power" : "end of process");
    const { results, lane, found, attempts } = written;
    if (lane !== undefined) this.#writeError = undefined;
    this.#known.note(laneId, lane === undefined ? found : lane);
    this.#attempts.add(attempts);
    return results;
  }
}

/** The lanes in memory. */
export class LoadedLanes {
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that are being read and were not written here since the read began. */
  readonly #loading = new Set<string>();

  get(laneId: string): Lane | undefined {
    return this.#lanes.get(laneId);
  }

  /** Takes the lane as it was just read or written; null if it is gone. A lane that was not requested is not kept. */
  note(laneId: string, lane: Lane | null): void {
    const isWanted = this.#loading.delete(laneId) || this.#lanes.has(laneId);
    if (lane === null) this.#lanes.delete(laneId);
    else if (isWanted) this.#lanes.set(laneId, lane);
  }

  /** Loads or replaces lanes. What was noted during the read is newer than what `read` found. */
  async load(laneIds: string[], read: () => Promise<Map<string, Lane>>): Promise<void> {
    for (const laneId of laneIds) this.#loading.add(laneId);
    try {
      const found = await read();
      for (const laneId of laneIds)
        if (this.#loading.has(laneId)) this.note(laneId, found.get(laneId) ?? null);
    } finally {
      for (const laneId of laneIds) this.#loading.delete(laneId);
    }
  }

  unload(laneId: string): void {
    this.#lanes.delete(laneId);
  }
}

/** Whether the store failed. An error with any other code is a refusal of the step itself. */
function isOfTheStore(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || code === "overloaded";
}

/** A row without attempts, older than any and of no key: if it stays behind, the retention removes it. */
const { _id, ...empty }: StoredAttempts = {
  _id: "0".repeat(26),
  ...{ keyId: "", url: "", outcome: "succeeded", events: "", at: 0, each: [] },
  ...{ type: "webhook.test", attempt: 0, http_status: null, error: null, answer: "" },
};

/** Rejects if the store cannot be written; leaves nothing behind. */
async function tryWriting(deliveries: Store<StoredAttempts>): Promise<void> {
  await deliveries.upsert(_id, { $set: empty });
  await deliveries.remove(_id);
}

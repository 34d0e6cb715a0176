import { randomUUID } from "node:crypto";
import type { Store, Survives } from "../../../mixins/store/store.ts";
import { disabled, type Lane, newLane, shardOf } from "../../domain/delivery/lane.ts";
import { type Attempted, lanesCollection, type StoredEndpoint, type StoredLane } from "../webhooks.store.ts";

/** What the steps of one lane may do. They see one another's changes. */
export interface Batch {
  lane(laneId: string): Lane | null;
  /** Writes a lane; null removes it. */
  setLane(laneId: string, lane: Lane | null): void;
  record(attempt: Attempted): void;
  /** The lane's endpoint. Steps with outcomes must not use it. */
  readonly endpoints: EndpointSteps;
}

/** The steps on the endpoint of the lane. */
export interface EndpointSteps {
  insert(endpoint: StoredEndpoint): StoredEndpoint;
  findById(laneId: string): StoredEndpoint | null;
  updateById(laneId: string, update: { $set: Partial<StoredEndpoint> }): StoredEndpoint | null;
  removeById(laneId: string): StoredEndpoint | null;
}

/** What the steps of a lane have come to. */
export interface Written<Results> {
  results: Results;
  /** Null when there is none any more; undefined when they have left it as it is. */
  lane: Lane | null | undefined;
  found: Lane | null;
  attempts: Attempted[];
}

/**
 * Writes lanes and their endpoints. The lane's document decides: it is changed in one write, with what its endpoint becomes
 * (`next`), which is then written to the endpoint and taken off the lane. Every process that finds a lane with it does the
 * same, so that a crash between any two of these writes leaves all of a change or nothing.
 */
export class LaneWrites {
  readonly #endpoints: Store<StoredEndpoint>;
  readonly #lanes: Store<StoredLane>;

  constructor(endpoints: Store<StoredEndpoint>) {
    this.#endpoints = endpoints;
    this.#lanes = endpoints.collection(lanesCollection);
  }

  /** Runs steps that read and change the lane alone. They may run several times. */
  async writeLane<Results>(
    laneId: string,
    steps: (batch: Batch) => Results,
    survives: Survives,
  ): Promise<Written<Results>> {
    let written: Written<Results> | undefined;
    await this.#lanes.change(
      laneId,
      stored => {
        const draft = new Draft(laneId, stored, undefined);
        written = draft.run(steps);
        return draft.storedLane();
      },
      survives,
    );
    return written as Written<Results>;
  }

  /** Runs steps that may also change the endpoint. */
  async writeBoth<Results>(
    laneId: string,
    steps: (batch: Batch) => Results,
    survives: Survives,
  ): Promise<Written<Results>> {
    for (;;) {
      const before = await this.#lanes.findById(laneId);
      if (before?.next) {
        await this.finish(before);
        continue;
      }
      const endpoint = await this.#endpoints.findById(laneId);
      let written: Written<Results> | undefined;
      const after = await this.#lanes.change(
        laneId,
        stored => {
          written = undefined;
          // Only a change of the endpoint changes one of these: then the endpoint may be another one by now.
          if (stampOf(stored) !== stampOf(before)) return undefined;
          const draft = new Draft(laneId, stored, endpoint);
          written = draft.run(steps);
          return draft.storedLane();
        },
        survives,
      );
      if (!written) continue;
      if (after?.next) await this.finish(after);
      return written;
    }
  }

  /** Finishes the changes of endpoints that a dead process has left open. */
  async finishOpen(): Promise<void> {
    for (const lane of await this.#lanes.find({ query: { isOpen: true } })) await this.finish(lane);
  }

  /** Writes what the endpoint becomes; repeating it does nothing. */
  async finish({ _id, next }: StoredLane): Promise<void> {
    if (!next) return;
    const { id, number, of, endpoint } = next;
    await this.#endpoints.change(_id, known => {
      const isDone = (known?.webhookId ?? null) !== of || (known?.changes ?? 0) >= number;
      return isDone ? undefined : endpoint && { ...endpoint, changes: number };
    });
    let isOurs = false;
    await this.#lanes.change(_id, stored => {
      isOurs = stored?.next?.id === id;
      if (!stored || !isOurs) return undefined;
      const { next: _, isOpen: _isOpen, ...lane } = stored;
      return endpoint ? lane : null;
    });
    // Another process has finished it before, and a later one may have removed the endpoint meanwhile.
    if (!isOurs && endpoint && !(await this.#lanes.findById(_id)))
      await this.#endpoints.change(_id, known => (known?.changes === number ? null : undefined));
  }
}

function stampOf(stored: StoredLane | null): string {
  return stored ? [stored.revision, stored.epoch, stored.next?.id].join() : "";
}

/** The lane, and its endpoint, while steps change them. */
class Draft {
  readonly #laneId: string;
  readonly #stored: StoredLane | null;
  readonly #before: StoredEndpoint | null | undefined;
  #lane: Lane | null | undefined;
  #endpoint: StoredEndpoint | null | undefined;
  readonly #attempts: Attempted[] = [];

  constructor(laneId: string, stored: StoredLane | null, endpoint: StoredEndpoint | null | undefined) {
    this.#laneId = laneId;
    this.#stored = stored;
    this.#before = endpoint;
    this.#endpoint = endpoint;
  }

  run<Results>(steps: (batch: Batch) => Results): Written<Results> {
    const found = laneOf(this.#stored);
    const results = steps({
      lane: laneId => (this.#is(laneId) && this.#lane !== undefined ? this.#lane : found),
      setLane: (laneId, lane) => {
        if (this.#is(laneId)) this.#lane = lane;
      },
      record: attempt => void this.#attempts.push(attempt),
      endpoints: {
        findById: laneId => (this.#is(laneId) ? this.#known() : null),
        insert: endpoint => this.#set(endpoint),
        updateById: (laneId, { $set }) => {
          const known = this.#is(laneId) ? this.#known() : null;
          const given = Object.entries($set).filter(([, value]) => value !== undefined);
          return known && this.#set({ ...known, ...Object.fromEntries(given) });
        },
        removeById: laneId => {
          const known = this.#is(laneId) ? this.#known() : null;
          this.#endpoint = null;
          return known;
        },
      },
    });
    return { results, lane: this.#lane, found, attempts: this.#attempts };
  }

  /** What the lane's document becomes; undefined when it stays. */
  storedLane(): StoredLane | null | undefined {
    const isChanged = this.#endpoint !== this.#before;
    if (!isChanged && !this.#lane) return this.#lane;
    // A lane that goes with its endpoint stays until the endpoint is gone.
    const lane = this.#lane ?? disabled(laneOf(this.#stored) ?? newLane(0));
    const { next, isOpen } = this.#stored ?? {};
    const open = isChanged ? { next: this.#next(), isOpen: true as const } : next && { next, isOpen };
    const untold = lane.untold && { hasUntold: true as const };
    return { ...lane, _id: this.#laneId, shard: shardOf(this.#laneId), ...open, ...untold };
  }

  #next(): NonNullable<StoredLane["next"]> {
    const number = (this.#before?.changes ?? 0) + 1;
    return {
      id: randomUUID(),
      number,
      of: this.#before?.webhookId ?? null,
      endpoint: this.#endpoint ?? null,
    };
  }

  #known(): StoredEndpoint | null {
    if (this.#endpoint === undefined) throw new TypeError("An outcome reads no endpoint");
    return this.#endpoint;
  }

  #set(endpoint: StoredEndpoint): StoredEndpoint {
    this.#endpoint = endpoint;
    return endpoint;
  }

  #is(laneId: string): boolean {
    if (laneId !== this.#laneId) throw new TypeError("A step changes one lane");
    return true;
  }
}

export function laneOf(found: StoredLane): Lane;
export function laneOf(found: StoredLane | null): Lane | null;
export function laneOf(found: StoredLane | null): Lane | null {
  if (!found) return null;
  const { _id, shard, next, isOpen, hasUntold, ...lane } = found;
  return lane;
}

import { createHash } from "node:crypto";
import type { Collection } from "mongodb";
import type { Mongo } from "../mongo/mongo.ts";
import { reaching } from "../mongo/reaching.ts";
import { BodyCache } from "./body-cache.ts";
import type { StoredBody } from "./event-of.ts";
import type { NewEvent } from "./log.ts";

/** `_id` is the reference that stands in the logs of keys. */
export interface Body extends StoredBody {
  _id: string;
  /** Of the last append, in milliseconds. */
  at: number;
}

const timeoutMS = 5000;
const duplicateKey = 11_000;
const cachedLength = 16 * 1024 * 1024;

/** 96 bits of the identity: it stands in the log of every key, where a whole one would take three times as much. */
export function referenceOf(bodyId: string): string {
  return createHash("sha256").update(bodyId).digest("base64url").slice(0, 16);
}

/** The bodies of events, in MongoDB. */
export class Bodies {
  readonly #collection: Collection<Body>;
  readonly #cache = new BodyCache<Body>(cachedLength, ({ data }) => data.length);
  /** Reads under way: those who are woken together want the same bodies. */
  readonly #coming = new Map<string, Promise<Body | undefined>>();

  private constructor(collection: Collection<Body>) {
    this.#collection = collection;
  }

  static async open({ db, name }: Mongo): Promise<Bodies> {
    const collection = db.collection<Body>(name("log_bodies"), { timeoutMS });
    await reaching(collection.createIndex({ at: 1 }));
    return new Bodies(collection);
  }

  /** Stores those that are new, and keeps the others, whose first timestamp stands, from being pruned. */
  async store(events: NewEvent[], at: number): Promise<void> {
    const updates = events.map(event => ({
      updateOne: {
        filter: { _id: referenceOf(event.bodyId) },
        update: { $setOnInsert: bodyOf(event), $max: { at } },
        upsert: true,
      },
    }));
    const write = () => reaching(this.#collection.bulkWrite(updates, { ordered: false }));
    // When another inserts one of them at the same time, it is there the next time.
    await write().catch(error => (Object(error).code === duplicateKey ? write() : Promise.reject(error)));
  }

  /** In the order of the references; undefined for those that are no more. */
  async read(references: string[]): Promise<(Body | undefined)[]> {
    const bodies = references.map(reference => this.#cache.get(reference));
    const isNew = (reference: string, at: number) => !bodies[at] && !this.#coming.has(reference);
    const missing = references.filter(isNew);
    if (missing.length > 0) this.#request(missing);
    return Promise.all(references.map((reference, at) => bodies[at] ?? this.#coming.get(reference)));
  }

  /** Removes at most `limit` of those that were appended last before a time (ms); tells how many went. */
  async pruneSlice(before: number, limit: number): Promise<number> {
    const old = this.#collection.find({ at: { $lt: before } }, { projection: { _id: 1 }, limit });
    const ids = (await reaching(old.toArray())).map(({ _id }) => _id);
    if (ids.length > 0)
      await reaching(this.#collection.deleteMany({ _id: { $in: ids }, at: { $lt: before } }));
    return ids.length;
  }

  #request(references: string[]): void {
    const found = this.#find(references);
    const forget = () => {
      for (const reference of references) this.#coming.delete(reference);
    };
    for (const reference of references)
      this.#coming.set(
        reference,
        found.then(bodies => bodies.get(reference)),
      );
    found.then(forget, forget);
  }

  async #find(references: string[]): Promise<Map<string, Body>> {
    const found = await reaching(this.#collection.find({ _id: { $in: references } }).toArray());
    for (const body of found) this.#cache.keep(body._id, body);
    return new Map(found.map(body => [body._id, body]));
  }
}

function bodyOf({ bodyId, type, timestamp, data }: NewEvent): StoredBody {
  return { bodyId, type, timestamp, source: data.source?.id ?? null, data: JSON.stringify(data) };
}

import { createHash } from "node:crypto";
import type { Collection } from "mongodb";
import { printableJson } from "../../services/domain/text/printable-json.ts";
import { type Mongo, mapMongoErrors, withDeadline } from "../cluster/mongo.ts";
import { BodyCache } from "./body-cache.ts";
import type { EventsToErase, NewEvent } from "./event-log.ts";
import { erasedContent, isToErase, type StoredBody, subjectOf } from "./stored-event.ts";

/** `_id` is the reference that the logs of keys hold. */
interface Body extends StoredBody {
  _id: string;
  /** Time of the last append, in milliseconds. */
  at: number;
}

const deadlineMs = 5000;
const duplicateKey = 11_000;
const cachedLength = 16 * 1024 * 1024;

/** 96 bits of a hash of the identity: the log of every key holds it, where the identity would take three times as much. */
export function referenceOf(bodyId: string): string {
  return createHash("sha256").update(bodyId).digest("base64url").slice(0, 16);
}

/** The bodies of events, in MongoDB. */
export class EventBodies {
  readonly #collection: Collection<Body>;
  readonly #cache = new BodyCache<Body>(cachedLength, ({ data }) => data.length);
  /** Reads under way: readers that wake together want the same bodies. */
  readonly #reading = new Map<string, Promise<Body | undefined>>();
  /** How often bodies were forgotten: a read that began before keeps nothing. */
  #forgotten = 0;

  private constructor(collection: Collection<Body>) {
    this.#collection = collection;
  }

  static async open({ db, name }: Mongo): Promise<EventBodies> {
    const collection = withDeadline(db.collection<Body>(name("log_bodies")), deadlineMs);
    await mapMongoErrors(collection.createIndex({ at: 1 }));
    return new EventBodies(collection);
  }

  /** Stores new bodies. Of known ones it keeps the first timestamp, and renews the time from which they are pruned. */
  async store(events: NewEvent[], at: number): Promise<void> {
    const updates = events.map(event => ({
      updateOne: {
        filter: { _id: referenceOf(event.bodyId) },
        update: { $setOnInsert: bodyOf(event), $max: { at } },
        upsert: true,
      },
    }));
    const write = () => mapMongoErrors(this.#collection.bulkWrite(updates, { ordered: false }));
    // Another node inserted one of them at the same time; the second try finds it.
    await write().catch(error => (Object(error).code === duplicateKey ? write() : Promise.reject(error)));
  }

  /** The bodies in the order of the references; undefined for those that are gone. */
  async read(references: string[]): Promise<(Body | undefined)[]> {
    const bodies = references.map(reference => this.#cache.get(reference));
    const isNew = (reference: string, at: number) => !bodies[at] && !this.#reading.has(reference);
    const missing = references.filter(isNew);
    if (missing.length > 0) this.#request(missing);
    return Promise.all(references.map((reference, at) => bodies[at] ?? this.#reading.get(reference)));
  }

  /** Removes at most `limit` bodies whose last append is before a time (ms). Returns how many were removed. */
  async pruneSlice(before: number, limit: number): Promise<number> {
    const old = this.#collection.find({ at: { $lt: before } }, { projection: { _id: 1 }, limit });
    const ids = (await mapMongoErrors(old.toArray())).map(({ _id }) => _id);
    if (ids.length > 0)
      await mapMongoErrors(this.#collection.deleteMany({ _id: { $in: ids }, at: { $lt: before } }));
    return ids.length;
  }

  /** Erases, or counts, among `limit` bodies after a reference. Returns how many, and the last reference; null at the end. */
  async eraseSlice(wanted: EventsToErase, after: string, limit: number, dry: boolean) {
    const bound = { projection: { _id: 1 }, sort: { _id: 1 }, skip: limit - 1, limit: 1 } as const;
    const [last] = await mapMongoErrors(this.#collection.find({ _id: { $gt: after } }, bound).toArray());
    const $regex = wanted.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    const some = this.#collection.find({
      _id: { $gt: after, ...(last && { $lte: last._id }) },
      $or: [{ source: { $in: [...wanted.sourceIds] } }, { data: { $regex } }],
    });
    const found = (await mapMongoErrors(some.toArray())).filter(({ source, data }) =>
      isToErase(wanted, source ?? "", data),
    );
    const ids = found.map(({ _id }) => _id);
    if (!dry && ids.length > 0)
      await mapMongoErrors(this.#collection.updateMany({ _id: { $in: ids } }, { $set: erasedContent }));
    return { found: ids.length, last: last?._id ?? null };
  }

  /** Forgets what is kept in memory. */
  forget(): void {
    this.#forgotten += 1;
    this.#cache.clear();
    this.#reading.clear();
  }

  #request(references: string[]): void {
    const found = this.#find(references);
    const reading = new Map(
      references.map(reference => [reference, found.then(bodies => bodies.get(reference))]),
    );
    const forget = () => {
      for (const [reference, body] of reading)
        if (this.#reading.get(reference) === body) this.#reading.delete(reference);
    };
    for (const [reference, body] of reading) this.#reading.set(reference, body);
    found.then(forget, forget);
  }

  async #find(references: string[]): Promise<Map<string, Body>> {
    const before = this.#forgotten;
    const found = await mapMongoErrors(this.#collection.find({ _id: { $in: references } }).toArray());
    if (before === this.#forgotten) for (const body of found) this.#cache.set(body._id, body);
    return new Map(found.map(body => [body._id, body]));
  }
}

function bodyOf({ bodyId, type, timestamp, data }: NewEvent): StoredBody {
  return { bodyId, type, timestamp, source: subjectOf(data), data: printableJson(data) };
}

import type { CursorOptions, DbAdapter } from "moleculer-db";
import MongoDbAdapter from "moleculer-db-adapter-mongo";
import type { Collection, FindCursor } from "mongodb";
import { type Mongo, mapMongoErrors, withDeadline } from "../../cluster/mongo.ts";
import type { Doc, FindOptions, Index, Query, Scalar, Update } from "../store.ts";
import type { Adapter } from "../store-of.ts";
import { ensureIndexes } from "./indexes.ts";
import { toMongoFilter, valueAt } from "./query.ts";
import { type StoredCollection, type StoredDoc, withoutVersion } from "./stored-documents.ts";
import {
  changeOne,
  insertMany,
  insertOne,
  removeMany,
  removeOne,
  updateMany,
  updateOne,
  upsertOne,
} from "./writes.ts";

/** The part of moleculer-db-adapter-mongo 0.5, written for a driver of 2020, that works with today's driver. */
interface BaseAdapter extends Pick<DbAdapter, "beforeSaveTransformID" | "afterRetrieveTransformID"> {
  collection: Collection<StoredDoc>;
  createCursor(params: object, isCounting?: boolean): unknown;
  entityToObject(entity: object): object;
}
/** The time for a read with all retries of the driver; without it, a server that falls silent blocks a read twice. */
const readTimeoutMs = 5000;

const BaseAdapter = MongoDbAdapter as unknown as new (uri: string) => BaseAdapter;

/** moleculer-db's adapter for one collection of a cluster's database, on the connection of its service. */
export class MongoAdapter extends BaseAdapter implements Adapter {
  readonly #mongo: Mongo;
  readonly #name: string;
  readonly #indexes: Index[];
  readonly #stored: Collection<StoredDoc>;

  constructor(mongo: Mongo, name: string, indexes: Index[]) {
    super("");
    this.#mongo = mongo;
    this.#name = name;
    this.#indexes = indexes;
    const collection = mongo.db.collection<StoredDoc>(mongo.name(name));
    this.#stored = withDeadline(collection);
    this.collection = withDeadline(collection, readTimeoutMs);
  }

  connect(): Promise<void> {
    return mapMongoErrors(ensureIndexes(this.#mongo.db, this.#stored, this.#indexes));
  }

  /** The connection belongs to the service. */
  async disconnect(): Promise<void> {
    await Promise.resolve();
  }

  async find(options: FindOptions<Doc>): Promise<Doc[]> {
    if (options.limit === 0) return [];
    return (await mapMongoErrors(this.createCursor(options).toArray())).map(withoutVersion);
  }

  async findOne(query: Query<Doc>): Promise<Doc | null> {
    const [doc] = await this.find({ query, limit: 1 });
    return doc ?? null;
  }

  async findById(id: string): Promise<Doc> {
    const stored = await mapMongoErrors(this.collection.findOne({ _id: id }));
    return (stored && withoutVersion(stored)) as Doc;
  }

  findByIds(ids: string[]): Promise<Doc[]> {
    return this.find({ query: { _id: { $in: ids } } });
  }

  count({ query = {} }: { query?: Query<Doc> } = {}): Promise<number> {
    return mapMongoErrors(this.collection.countDocuments(toMongoFilter(query)));
  }

  /** Not part of moleculer-db's interface. */
  async valuesOf(fields: readonly string[], query: Query<Doc>): Promise<Scalar[][]> {
    const projection = Object.fromEntries([["_id", 0], ...fields.map(field => [field, 1])]);
    const found = this.collection.find(toMongoFilter(query), { projection }).toArray();
    return (await mapMongoErrors(found)).map(doc =>
      fields.map(field => (valueAt(doc, field) ?? null) as Scalar),
    );
  }

  async countEach(field: string, values: readonly string[]): Promise<Map<string, number>> {
    const $match = toMongoFilter({ [field]: { $in: values } } as Query<Doc>);
    const $group = { _id: `$${field}`, n: { $sum: 1 } };
    const found = this.collection.aggregate<{ _id: string; n: number }>([{ $match }, { $group }]).toArray();
    return new Map((await mapMongoErrors(found)).map(({ _id, n }) => [_id, n]));
  }

  async insert(doc: Doc): Promise<Doc> {
    await mapMongoErrors(insertOne(this.place, doc));
    return doc;
  }

  async insertMany(given: object): Promise<Doc[]> {
    const docs = given as Doc[];
    await mapMongoErrors(insertMany(this.place, docs));
    return docs;
  }

  updateMany(query: Query<Doc>, update: Update<Doc>): Promise<number> {
    return mapMongoErrors(updateMany(this.place, query, update));
  }

  updateById(id: string, update: Update<Doc>): Promise<Doc> {
    return mapMongoErrors(updateOne(this.place, id, update)) as Promise<Doc>;
  }

  /** Not part of moleculer-db's interface. */
  upsertById(id: string, update: Update<Doc>): Promise<Doc> {
    return mapMongoErrors(upsertOne(this.place, id, update));
  }

  /** Not part of moleculer-db's interface. */
  changeById(id: string, work: (doc: Doc | null) => Doc | null | undefined): Promise<Doc | null> {
    return mapMongoErrors(changeOne(this.place, id, work));
  }

  removeMany(query: Query<Doc>): Promise<number> {
    return mapMongoErrors(removeMany(this.place, query));
  }

  removeById(id: string): Promise<Doc | null> {
    return mapMongoErrors(removeOne(this.place, id));
  }

  override createCursor({ query = {}, ...options }: CursorOptions | FindOptions<Doc>) {
    const filter = toMongoFilter(query as Query<Doc>);
    return super.createCursor({ ...options, query: filter }) as FindCursor<StoredDoc>;
  }

  /** Identities stay strings, also those that look like an ObjectId. */
  stringToObjectID(id: string): string {
    return id;
  }

  /** The collection on the server. */
  get place(): StoredCollection {
    const uniques = this.#indexes.filter(({ unique }) => unique);
    return { name: this.#name, stored: this.#stored, uniques };
  }
}

import type { CursorOptions, DbAdapter } from "moleculer-db";
import MongoDbAdapter from "moleculer-db-adapter-mongo";
import type { Collection, FindCursor } from "mongodb";
import type { Mongo } from "../../mongo/mongo.ts";
import { reaching } from "../../mongo/reaching.ts";
import type { Doc, FindOptions, Index, Query, Update } from "../store.ts";
import { ensureIndexes } from "./ensure-indexes.ts";
import { filterOf } from "./filter.ts";
import type { Locks } from "./locks.ts";
import { bare, type Place, type Stored, visible } from "./stored.ts";
import { transact } from "./transact.ts";
import { insertMany, removeMany, updateMany } from "./write-many.ts";
import { insertOne, removeOne, updateOne, upsertOne } from "./write-one.ts";

/** What holds of moleculer-db-adapter-mongo 0.5, which calls a driver of 2020, with the driver of today. */
interface Lasting extends Pick<DbAdapter, "beforeSaveTransformID" | "afterRetrieveTransformID"> {
  collection: Collection<Stored>;
  createCursor(params: object, isCounting?: boolean): unknown;
  entityToObject(entity: object): object;
}
/** For a read with all that the driver tries anew; otherwise a server that falls silent holds it up twice. */
const readTimeoutMs = 5000;

const Lasting = MongoDbAdapter as unknown as new (uri: string) => Lasting;

/** moleculer-db's adapter for one collection of a cluster's database, on the connection of its room. */
export class MongoAdapter extends Lasting implements DbAdapter {
  readonly #mongo: Mongo;
  readonly #locks: Locks;
  readonly #name: string;
  readonly #indexes: Index[];
  readonly #stored: Collection<Stored>;

  constructor(mongo: Mongo, locks: Locks, name: string, indexes: Index[]) {
    super("");
    this.#mongo = mongo;
    this.#locks = locks;
    this.#name = name;
    this.#indexes = indexes;
    this.#stored = mongo.db.collection(mongo.name(name));
    this.collection = this.#forReads();
  }

  /** Part of moleculer-db's interface; this adapter needs neither broker nor service. */
  init(): void {
    this.collection = this.#forReads();
  }

  connect(): Promise<void> {
    return reaching(ensureIndexes(this.#mongo.db, this.#stored, this.#indexes));
  }

  /** The connection is its room's. */
  async disconnect(): Promise<void> {
    await Promise.resolve();
  }

  async find(options: FindOptions<Doc>): Promise<Doc[]> {
    if (options.limit === 0) return [];
    return (await reaching(this.createCursor(options).toArray())).map(bare);
  }

  async findOne(query: Query<Doc>): Promise<Doc> {
    const [doc] = await this.find({ query, limit: 1 });
    return (doc ?? null) as Doc;
  }

  async findById(id: string): Promise<Doc> {
    const stored = await reaching(this.collection.findOne({ _id: id }));
    return (stored && !stored._new ? bare(stored) : null) as Doc;
  }

  findByIds(ids: string[]): Promise<Doc[]> {
    return this.find({ query: { _id: { $in: ids } } });
  }

  count({ query = {} }: { query?: Query<Doc> } = {}): Promise<number> {
    return reaching(this.collection.countDocuments({ ...filterOf(query), ...visible }));
  }

  async insert(doc: Doc): Promise<Doc> {
    await reaching(insertOne(this.place, this.#locks, doc));
    return doc;
  }

  async insertMany(given: object): Promise<Doc[]> {
    const docs = given as Doc[];
    if (await reaching(insertMany(this.place, docs))) return docs;
    // Whether for good or for now only a transaction finds out.
    const scope = { places: new Map([[this.#name, this.place]]), locks: this.#locks };
    return reaching(
      transact(scope, transaction => docs.map(doc => transaction.collection(this.#name).insert(doc))),
    );
  }

  updateMany(query: Query<Doc>, update: Update<Doc>): Promise<number> {
    return reaching(updateMany(this.place, this.#locks, query, update));
  }

  updateById(id: string, update: Update<Doc>): Promise<Doc> {
    return reaching(updateOne(this.place, this.#locks, id, update)) as Promise<Doc>;
  }

  /** Beyond moleculer-db's interface. */
  upsertById(id: string, update: Update<Doc>): Promise<Doc> {
    return reaching(upsertOne(this.place, this.#locks, id, update));
  }

  removeMany(query: Query<Doc>): Promise<number> {
    return reaching(removeMany(this.place, this.#locks, query));
  }

  removeById(id: string): Promise<Doc | null> {
    return reaching(removeOne(this.place, this.#locks, id));
  }

  async clear(): Promise<void> {
    await this.removeMany({});
  }

  override createCursor({ query = {}, ...options }: CursorOptions | FindOptions<Doc>) {
    const filter = { ...filterOf(query as Query<Doc>), ...visible };
    return super.createCursor({ ...options, query: filter }) as FindCursor<Stored>;
  }

  /** Identities are strings, whatever they look like. */
  stringToObjectID(id: string): string {
    return id;
  }

  /** Where its transactions find it. */
  get place(): Place {
    const uniques = this.#indexes.filter(({ unique }) => unique);
    return { name: this.#name, stored: this.#stored, uniques };
  }

  #forReads(): Collection<Stored> {
    return this.#mongo.db.collection(this.#mongo.name(this.#name), { timeoutMS: readTimeoutMs });
  }
}

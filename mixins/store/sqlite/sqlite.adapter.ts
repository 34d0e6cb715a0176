import type { Doc, FindOptions, Index, Query, Scalar, Survives, Update } from "../store.ts";
import type { Adapter } from "../store-of.ts";
import { SqliteCollection } from "./collection.ts";
import { closeDatabase, type Database, openDatabase } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";

interface Opened {
  database: Database;
  collection: SqliteCollection<Doc>;
  /** The changes of one moment share a transaction. */
  changes: Record<Survives, GroupCommit>;
}

/** moleculer-db's adapter for one collection in an embedded database file. */
export class SqliteAdapter implements Adapter {
  readonly #path: string;
  readonly #name: string;
  readonly #indexes: Index[];
  #open: Opened | undefined;

  constructor(path: string, name: string, indexes: Index[]) {
    this.#path = path;
    this.#name = name;
    this.#indexes = indexes;
  }

  async connect(): Promise<void> {
    const database = openDatabase(this.#path);
    try {
      const collection = new SqliteCollection<Doc>(database, this.#name, this.#indexes);
      const changes = {
        "loss of power": new GroupCommit(database),
        "end of process": new GroupCommit(database, "end of process"),
      };
      this.#open = { database, collection, changes };
    } catch (error) {
      closeDatabase(this.#path);
      throw error;
    }
  }

  async disconnect(): Promise<void> {
    if (!this.#open) return;
    for (const group of Object.values(this.#open.changes)) group.flush();
    this.#open = undefined;
    closeDatabase(this.#path);
  }

  async find(options: FindOptions<Doc>): Promise<Doc[]> {
    return this.#collection.find(options);
  }

  async findOne(query: Query<Doc>): Promise<Doc | null> {
    const [doc] = this.#collection.find({ query, limit: 1 });
    return doc ?? null;
  }

  async findById(id: string): Promise<Doc> {
    return this.#collection.findById(id) as Doc;
  }

  async findByIds(ids: string[]): Promise<Doc[]> {
    return this.#collection.find({ query: { _id: { $in: ids } } });
  }

  async count({ query }: { query?: Query<Doc> } = {}): Promise<number> {
    return this.#collection.count(query);
  }

  /** Not part of moleculer-db's interface. */
  async valuesOf(fields: readonly string[], query: Query<Doc>): Promise<Scalar[][]> {
    return this.#collection.valuesOf(fields, query);
  }

  async countEach(field: string, values: readonly string[]): Promise<Map<string, number>> {
    return this.#collection.countEach(field, values);
  }

  async insert(doc: Doc): Promise<Doc> {
    return this.#kept(this.#collection.insert(doc));
  }

  async insertMany(docs: object, survives?: Survives): Promise<Doc[]> {
    const inserted = this.#collection.insertMany(docs as Doc[]);
    return survives === "end of process" ? inserted : this.#kept(inserted);
  }

  async updateMany(query: Query<Doc>, update: Update<Doc>): Promise<number> {
    return this.#kept(this.#collection.updateMany(query, update));
  }

  async updateById(id: string, update: Update<Doc>): Promise<Doc> {
    return this.#kept(this.#collection.updateById(id, update) as Doc);
  }

  /** Not part of moleculer-db's interface. */
  async upsertById(id: string, update: Update<Doc>): Promise<Doc> {
    return this.#kept(this.#collection.upsertById(id, update));
  }

  /** Not part of moleculer-db's interface. */
  async changeById(
    id: string,
    work: (doc: Doc | null) => Doc | null | undefined,
    survives: Survives = "loss of power",
  ): Promise<Doc | null> {
    const { changes, collection } = this.#connected;
    return changes[survives].join(() => collection.changeById(id, work));
  }

  async removeMany(query: Query<Doc>): Promise<number> {
    return this.#kept(this.#collection.removeMany(query));
  }

  async removeById(id: string): Promise<Doc | null> {
    return this.#kept(this.#collection.removeById(id));
  }

  entityToObject(entity: object): object {
    return entity;
  }

  beforeSaveTransformID(entity: object, idField: string): object {
    const { [idField]: id, ...rest } = entity as Record<string, unknown>;
    return id === undefined ? entity : { ...rest, _id: id };
  }

  afterRetrieveTransformID(entity: object, idField: string): object {
    const { _id, ...rest } = entity as Doc;
    return { ...rest, [idField]: _id };
  }

  /** The result of a write, once the write survives a loss of power. */
  async #kept<Answer>(answer: Answer): Promise<Answer> {
    await this.#connected.database.kept();
    return answer;
  }

  get #collection(): SqliteCollection<Doc> {
    return this.#connected.collection;
  }

  get #connected(): Opened {
    if (!this.#open) throw new Error(`The collection ${this.#name} is not connected`);
    return this.#open;
  }
}

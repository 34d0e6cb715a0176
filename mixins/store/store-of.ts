import type { DbAdapter } from "moleculer-db";
import type { Doc, FindOptions, Query, Scalar, Store, Survives, Update } from "./store.ts";

/** What moleculer-db's methods call of an adapter, besides `insertMany`, whose types want a list of arguments. */
export type Adapter = Pick<
  DbAdapter,
  | "afterRetrieveTransformID"
  | "beforeSaveTransformID"
  | "connect"
  | "count"
  | "disconnect"
  | "entityToObject"
  | "find"
  | "findById"
  | "findByIds"
  | "insert"
  | "removeById"
  | "updateById"
>;

/** The collections of a service, ready for use. */
export interface OpenStore {
  adapters: ReadonlyMap<string, Adapter>;
  /** The main collection; `collection(name)` gives the others. */
  store: Store<Doc>;
  close(): Promise<void>;
}

/** What the driver of one collection offers. */
interface StoreAdapter {
  insert(doc: Doc): Promise<Doc>;
  insertMany(docs: Doc[], survives?: Survives): Promise<Doc[]>;
  findById(id: string): Promise<Doc | null>;
  findOne(query: Query<Doc>): Promise<Doc | null>;
  find(options: FindOptions<Doc>): Promise<Doc[]>;
  count(options: { query?: Query<Doc> }): Promise<number>;
  countEach(field: string, values: readonly string[]): Promise<Map<string, number>>;
  valuesOf(fields: readonly string[], query: Query<Doc>): Promise<Scalar[][]>;
  updateById(id: string, update: Update<Doc>): Promise<Doc | null>;
  upsertById(id: string, update: Update<Doc>): Promise<Doc>;
  changeById(
    id: string,
    work: (doc: Doc | null) => Doc | null | undefined,
    survives?: Survives,
  ): Promise<Doc | null>;
  updateMany(query: Query<Doc>, update: Update<Doc>): Promise<number>;
  removeById(id: string): Promise<Doc | null>;
  removeMany(query: Query<Doc>): Promise<number>;
}

/** A typed store on the adapter of one collection. */
export function storeOf<D extends Doc>(
  adapters: ReadonlyMap<string, StoreAdapter>,
  name: string,
  isShared: boolean,
): Store<D> {
  const adapter = adapters.get(name);
  if (!adapter) throw new Error(`The collection ${name} is not declared by this service`);
  const store: Store<Doc> = {
    isShared,
    insert: doc => adapter.insert(doc),
    insertMany: (docs, survives) => adapter.insertMany(docs, survives),
    findById: id => adapter.findById(id),
    findOne: query => adapter.findOne(query),
    find: (options = {}) => adapter.find(options),
    count: query => adapter.count({ query }),
    countEach: (field: string, values) => adapter.countEach(field, values),
    valuesOf: (fields, query) => adapter.valuesOf(fields, query),
    update: (id, update) => adapter.updateById(id, update),
    upsert: (id, update) => adapter.upsertById(id, update),
    change: (id, work, survives) => adapter.changeById(id, work, survives),
    updateMany: (query, update) => adapter.updateMany(query, update),
    remove: id => adapter.removeById(id),
    removeMany: query => adapter.removeMany(query),
    collection: other => storeOf(adapters, other, isShared),
  };
  // The driver stores any document; the caller declares its type.
  return store as unknown as Store<D>;
}

import type { Mongo } from "../../mongo/mongo.ts";
import { reaching } from "../../mongo/reaching.ts";
import type { OpenStore } from "../open-store.ts";
import type { Doc, Index, Store } from "../store.ts";
import { storeOf } from "../store-of.ts";
import { Locks } from "./locks.ts";
import { MongoAdapter } from "./mongo.adapter.ts";
import { transact } from "./transact.ts";

/** The collections of a room on a connection, the main one first. */
export async function collectionsOn(
  mongo: Mongo,
  declared: [string, Index[]][],
  onError: (error: unknown) => void,
): Promise<OpenStore> {
  const locks = new Locks(mongo, onError);
  const adapters = new Map(
    declared.map(([name, indexes]) => [name, new MongoAdapter(mongo, locks, name, indexes)]),
  );
  try {
    for (const adapter of adapters.values()) await adapter.connect();
  } catch (error) {
    await locks.close();
    throw error;
  }
  const places = new Map([...adapters].map(([name, adapter]) => [name, adapter.place]));
  const transaction: Store<Doc>["transaction"] = (work, _survives, before) =>
    reaching(transact({ places, locks }, work, before));
  const store = storeOf(adapters, declared[0]?.[0] ?? "", { isShared: true, transaction });
  return { adapters, store, close: () => locks.close() };
}

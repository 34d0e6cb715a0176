import { codeOf } from "../../services/contracts/errors.ts";
import { applyUpdate } from "./apply-update.ts";
import type { Doc, Store, Survives, Update } from "./store.ts";

/** Updates a document if it is as expected. Null when it is not, or when there is none. */
export async function updateIf<D extends Doc>(
  store: Pick<Store<D>, "change">,
  id: string,
  isExpected: (doc: D) => boolean,
  update: Update<D> | ((doc: D) => Update<D>),
  survives?: Survives,
): Promise<D | null> {
  let isOurs = false;
  const after = await store.change(
    id,
    doc => {
      isOurs = doc !== null && isExpected(doc);
      if (doc === null || !isOurs) return undefined;
      return applyUpdate(doc, typeof update === "function" ? update(doc) : update);
    },
    survives,
  );
  return isOurs ? after : null;
}

/** Inserts a document; false when its identity or a unique value is taken. */
export async function isInserted<D extends Doc>(store: Pick<Store<D>, "insert">, doc: D): Promise<boolean> {
  try {
    await store.insert(doc);
    return true;
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
    return false;
  }
}

import { pagesOf } from "../store/pages-of.ts";
import type { Store } from "../store/store.ts";
import type { Existing } from "./existing-keys.ts";

const pageSize = 200;

/**
 * Forgets keys that were deleted unheard of, and tells of how many. `stores` hold records whose identity is a key's;
 * keys are asked for by pages. A key is there before anything is kept for it and its identity is never used again, so
 * one that is not there is gone.
 */
export async function forgetGoneKeys(
  stores: Pick<Store<{ _id: string }>, "find">[],
  existing: Existing,
  forget: (keyId: string) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  let forgotten = 0;
  for (const store of stores)
    for await (const page of pagesOf(store, { limit: pageSize, signal })) {
      const keyIds = page.map(({ _id }) => _id);
      const left = new Set(await existing(keyIds));
      for (const keyId of keyIds.filter(each => !left.has(each))) {
        if (signal.aborted) return forgotten;
        await forget(keyId);
        forgotten += 1;
      }
    }
  return forgotten;
}

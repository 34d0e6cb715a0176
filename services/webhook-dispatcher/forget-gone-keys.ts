import type { Store } from "../../mixins/store/store.ts";

const pageSize = 500;

/** Those of some keys that exist. */
export type Existing = (keyIds: string[]) => Promise<string[]>;

/**
 * Forgets keys that were deleted unheard of, and tells of how many. `stores` hold records whose identity is a key's;
 * keys are asked for by pages. A key is there before it registers anything and its identity is never used again, so one
 * that is not there is gone.
 */
export async function forgetGoneKeys(
  stores: Store<{ _id: string }>[],
  existing: Existing,
  forget: (keyId: string) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  let forgotten = 0;
  for (const store of stores)
    for await (const keyIds of pagesOf(store)) {
      const left = new Set(await existing(keyIds));
      for (const keyId of keyIds.filter(each => !left.has(each))) {
        if (signal.aborted) return forgotten;
        await forget(keyId);
        forgotten += 1;
      }
    }
  return forgotten;
}

async function* pagesOf(store: Store<{ _id: string }>): AsyncGenerator<string[]> {
  for (let after = ""; ; ) {
    const page = await store.find({ query: { _id: { $gt: after } }, sort: ["_id"], limit: pageSize });
    if (page.length > 0) yield page.map(({ _id }) => _id);
    if (page.length < pageSize) return;
    after = page.at(-1)?._id ?? "";
  }
}

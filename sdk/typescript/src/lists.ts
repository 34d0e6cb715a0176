import { type Answer, dataOf } from "./errors.ts";

/** An answer with a part of a list. */
export interface ListPage<Item> {
  data: Item[];
  /** Where the next part begins; null after the last one. */
  next_cursor: string | null;
}

/**
 * Reads the items of a list that `raw` answers in parts. `ask` is called for each part, with its cursor:
 *
 *   itemsOf(cursor => magpie.raw.GET("/track", { params: { query: { cursor, limit: 200 } } }))
 */
export async function* itemsOf<Item>(
  ask: (cursor: string | undefined) => Promise<Answer<ListPage<Item>>>,
): AsyncGenerator<Item, void, void> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = dataOf(await ask(cursor));
    yield* page.data;
    cursor = page.next_cursor;
  }
}

import { findPage, type PageOptions } from "./find-page.ts";
import type { Doc, Store } from "./store.ts";

export interface PagesOptions<D extends Doc> extends Pick<PageOptions<D>, "query"> {
  /** How many a page holds. */
  limit: number;
  /** Ends it between two pages. */
  signal: AbortSignal;
}

/** All that a query finds, a page at a time, in the order of identities; what comes about meanwhile may be among it. */
export async function* pagesOf<D extends Doc>(
  store: Pick<Store<D>, "find">,
  { query, limit, signal }: PagesOptions<D>,
): AsyncGenerator<D[]> {
  for (let cursor: string | undefined; !signal.aborted; ) {
    const { page, next_cursor } = await findPage(store, { query, limit, cursor });
    if (page.length > 0) yield page;
    if (next_cursor === null) return;
    cursor = next_cursor;
  }
}

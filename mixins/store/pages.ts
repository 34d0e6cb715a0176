import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Doc, Query, Store } from "./store.ts";

interface PageOptions<D extends Doc> {
  query?: Query<D>;
  /** `next_cursor` of the previous page: the identity of its last document. */
  cursor?: string;
  limit: number;
  /** From the greatest identity down; for ULIDs that is newest first. */
  descending?: boolean;
}

/** Documents in the order of their identities, so new ones do not shift a page. `next_cursor` is null at the end. */
export async function findPage<D extends Doc>(
  store: Pick<Store<D>, "find">,
  { query, cursor, limit, descending = false }: PageOptions<D>,
): Promise<{ page: D[]; next_cursor: string | null }> {
  const beyond = cursor === undefined ? {} : { _id: { [descending ? "$lt" : "$gt"]: cursor } };
  const found = await store.find({
    query: { ...query, ...beyond } as Query<D>,
    sort: [descending ? "-_id" : "_id"],
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  return { page, next_cursor: found.length > limit ? (page.at(-1)?._id ?? null) : null };
}

interface PickOptions<D extends Doc, Row> extends PageOptions<D> {
  /** Documents that are read at a time. */
  chunk: number;
  /** The rows of these documents; undefined for a document that is left out. */
  pick(docs: D[]): Promise<(Row | undefined)[]>;
}

/** Documents that one page of picked rows reads, at most. */
const mostRead = 10_000;

/**
 * A page of what a query finds and `pick` leaves. It reads a bounded number of documents: a page may be short, even empty,
 * before the end. `next_cursor` is null at the end.
 */
export async function findPicked<D extends Doc, Row>(
  store: Pick<Store<D>, "find">,
  { pick, chunk, limit, ...wanted }: PickOptions<D, Row>,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const found: { id: string; row: Row }[] = [];
  let next = wanted.cursor;
  for (let read = 0; read < mostRead; read += chunk) {
    const { page, next_cursor } = await findPage(store, { ...wanted, cursor: next, limit: chunk });
    const picked = await pick(page);
    for (const [at, { _id: id }] of page.entries()) {
      const row = picked[at];
      if (row !== undefined) found.push({ id, row });
    }
    const rows = found.slice(0, limit).map(({ row }) => row);
    if (found.length > limit) return { rows, next_cursor: found[limit - 1]?.id ?? null };
    if (next_cursor === null) return { rows, next_cursor };
    next = next_cursor;
    await yieldToLoop();
  }
  return { rows: found.map(({ row }) => row), next_cursor: next ?? null };
}

interface PagesOptions<D extends Doc> extends Pick<PageOptions<D>, "query"> {
  /** Documents in a page. */
  limit: number;
  /** Stops between two pages. */
  signal: AbortSignal;
}

/**
 * All that a query finds, a page at a time, in the order of identities; it may include documents that appear meanwhile. Other
 * work runs between two pages: an embedded store answers at once, so that awaiting it lets nothing else run.
 */
export async function* pagesOf<D extends Doc>(
  store: Pick<Store<D>, "find">,
  { query, limit, signal }: PagesOptions<D>,
): AsyncGenerator<D[]> {
  for (let cursor: string | undefined; !signal.aborted; ) {
    const { page, next_cursor } = await findPage(store, { query, limit, cursor });
    if (page.length > 0) yield page;
    if (next_cursor === null) return;
    cursor = next_cursor;
    await yieldToLoop();
  }
}

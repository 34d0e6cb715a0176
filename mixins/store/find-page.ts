import type { Doc, Query, Store } from "./store.ts";

export interface PageOptions<D extends Doc> {
  query?: Query<D>;
  /** `next_cursor` of the page before: the identity of its last document. */
  cursor?: string;
  limit: number;
  /** From the greatest identity down, which for ULIDs is newest first. */
  descending?: boolean;
}

/** Documents in the order of their identities, so that new ones shift no page. `next_cursor` is null at the end. */
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

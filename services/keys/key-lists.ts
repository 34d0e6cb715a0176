import { findPage } from "../../mixins/store/pages.ts";
import type { AdminKeyRecord } from "../contracts/keys.contract.ts";
import type { ListPage } from "../contracts/paging.ts";
import type { KeysContext, StoredKey } from "./context.ts";
import { maskedRecord } from "./key-records.ts";
import { beginsWith, cursorAt, findByName, folded, type NamePlace, placeOf } from "./name-pages.ts";

interface KeyListRequest {
  owner?: string;
  query?: string;
  ids?: string[];
  cursor?: string;
  limit: number;
}

/** A page of keys, with masked values. Without `query` newest first, in the order of their ids. */
export async function listKeys(
  context: KeysContext,
  { owner, query, ids, cursor, limit }: KeyListRequest,
): Promise<ListPage<AdminKeyRecord>> {
  if (ids !== undefined) {
    const found = await context.keys.find({
      query: { _id: { $in: ids } },
      sort: ["-_id"],
      limit: ids.length,
    });
    return shown(context, found, null);
  }
  if (query !== undefined && owner === undefined) return await searchKeys(context, { query, cursor, limit });
  const { page, next_cursor } = await findPage(context.keys, {
    query: {
      ...(owner === undefined ? {} : { owner }),
      ...(query === undefined ? {} : { nameFolded: beginsWith(query) }),
    },
    cursor,
    limit,
    descending: true,
  });
  return shown(context, page, next_cursor);
}

/**
 * Keys whose owner begins with the query, in the order of owners; after them those of other owners whose own name does, in
 * the order of names.
 */
async function searchKeys(
  context: KeysContext,
  { query, cursor, limit }: { query: string; cursor?: string; limit: number },
): Promise<ListPage<AdminKeyRecord>> {
  const prefix = folded(query);
  const from = cursor === undefined ? undefined : placeOf(cursor);
  const byOwner =
    from?.list === "name"
      ? []
      : await findByName({
          store: context.keys,
          field: "ownerFolded",
          prefix,
          after: from,
          limit: limit + 1,
        });
  const left = limit + 1 - byOwner.length;
  const byName =
    left > 0 ? await searchNames(context, prefix, from?.list === "name" ? from : undefined, left) : [];
  const page = [...byOwner, ...byName].slice(0, limit);
  const hasMore = byOwner.length + byName.length > limit;
  return shown(context, page, hasMore ? cursorAfter(page, byOwner.length) : null);
}

/** Reads on where keys are left out because the list has had them by their owner. */
async function searchNames(
  { keys }: KeysContext,
  prefix: string,
  from: NamePlace | undefined,
  wanted: number,
): Promise<StoredKey[]> {
  const found: StoredKey[] = [];
  for (let after = from; ; ) {
    const limit = Math.max(wanted, 100);
    const read = await findByName({ store: keys, field: "nameFolded", prefix, after, limit });
    found.push(...read.filter(key => !key.ownerFolded.startsWith(prefix)));
    const last = read.at(-1);
    if (found.length >= wanted || read.length < limit || !last) return found.slice(0, wanted);
    after = { name: last.nameFolded, id: last._id };
  }
}

function cursorAfter(page: StoredKey[], byOwner: number): string | null {
  const last = page.at(-1);
  if (!last) return null;
  const { _id: id, ownerFolded, nameFolded } = last;
  return page.length <= byOwner
    ? cursorAt("owner", { name: ownerFolded, id })
    : cursorAt("name", { name: nameFolded, id });
}

function shown(
  context: KeysContext,
  page: StoredKey[],
  next_cursor: string | null,
): ListPage<AdminKeyRecord> {
  return { data: page.map(key => maskedRecord(context, key)), next_cursor, message: "API keys listed." };
}

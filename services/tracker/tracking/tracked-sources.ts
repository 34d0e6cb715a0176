import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { ResultOf } from "../../contracts/action.ts";
import type { Caller } from "../../contracts/caller.ts";
import { type DatedSource, isSearch, type SourceKind } from "../../contracts/source.ts";
import type { findSources as find } from "../../contracts/tracker.contract.ts";
import type { TrackerContext, TrackerStores } from "../context.ts";
import { kindsOf } from "../source-kinds.ts";
import { datedSource, type StoredSource, type StoredSubscription } from "../sources.store.ts";

interface Search {
  source: SourceKind;
  query: string;
  page: number;
  limit: number;
}

/**
 * The sources that a key tracks of a kind, or asked for as that kind, newest first, whose handle or name contains a text
 * (not a pattern).
 */
export async function findSources(
  context: TrackerContext,
  { keyId }: Caller,
  { source: kind, query, page, limit }: Search,
): Promise<ResultOf<typeof find>> {
  const data: DatedSource[] = [];
  const first = (page - 1) * limit;
  let total = 0;
  for await (const [source, subscription] of sourcesOfKey(context, keyId, kindsOf(kind))) {
    if (source.kind !== kind && subscription.askedAs !== kind) continue;
    if (!holds(source, query.toLowerCase())) continue;
    if (total >= first && data.length < limit) data.push(datedSource(source, subscription));
    total += 1;
  }
  const next_cursor = first + limit < total ? page + 1 : null;
  return {
    data,
    total,
    page,
    limit,
    next_cursor,
    message: total === 0 ? "No source found." : "Sources found.",
  };
}

function holds({ username, name }: StoredSource, text: string): boolean {
  return username.toLowerCase().includes(text) || name.toLowerCase().includes(text);
}

/** The microblog users that a key tracks, newest first. */
export async function trackedUsers(
  context: TrackerContext,
  { keyId }: Caller,
): Promise<{ tracked_users: (DatedSource & { followedAt: string })[] }> {
  const tracked: (DatedSource & { followedAt: string })[] = [];
  for await (const [source, subscription] of sourcesOfKey(context, keyId, ["microblog"]))
    if (!isSearch(source.externalId))
      tracked.push({ ...datedSource(source, subscription), followedAt: subscription.createdAt });
  return { tracked_users: tracked };
}

const chunk = 500;

/**
 * The sources of some kinds that a key tracks, newest first. They are read in chunks, so that a key with many does not
 * block others.
 */
export async function* sourcesOfKey(
  { subscriptions, sources }: TrackerStores,
  keyId: string,
  kinds: SourceKind[],
): AsyncGenerator<[StoredSource, StoredSubscription]> {
  const [kind, ...others] = kinds;
  let before = "~";
  for (;;) {
    const query = { keyId, kind: others.length > 0 ? { $in: kinds } : (kind ?? null), _id: { $lt: before } };
    const some = await subscriptions.find({ query, sort: ["-_id"], limit: chunk });
    const ids = some.map(({ sourceId }) => sourceId);
    const found = await sources.find({ query: { _id: { $in: ids } } });
    const byId = new Map(found.map(source => [source._id, source]));
    for (const subscription of some) {
      const source = byId.get(subscription.sourceId);
      if (source) yield [source, subscription];
    }
    if (some.length < chunk) return;
    before = some.at(-1)?._id ?? "";
    // An embedded store answers at once: awaiting it lets nothing else run.
    await yieldToLoop();
  }
}

/** A page of all tracked sources of a kind; `next` is the cursor of the next page. */
export async function trackedOfKind(
  { sources }: TrackerStores,
  { kind, after = "", limit }: { kind: SourceKind; after?: string; limit: number },
): Promise<{ data: { externalId: string; username: string }[]; next: string | null }> {
  const page = await sources.find({ query: { kind, _id: { $gt: after } }, sort: ["_id"], limit });
  const data = page.map(({ externalId, username }) => ({ externalId, username }));
  return { data, next: page.length < limit ? null : (page.at(-1)?._id ?? null) };
}

import { findPicked, pagesOf } from "../../../mixins/store/pages.ts";
import type { Query } from "../../../mixins/store/store.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { ListPage } from "../../contracts/paging.ts";
import type {
  SourceSummary,
  SourcesRequest,
  TrackedRequest,
  TrackedSource,
} from "../../contracts/source-lists.contract.ts";
import { problemOf } from "../../domain/polling/source-problem.ts";
import type { TrackerContext, TrackerStores } from "../context.ts";
import { monitorsOfTags } from "../monitors/monitors.ts";
import { leaseMs } from "../polling/due-sources.ts";
import { kindsOf } from "../source-kinds.ts";
import { addressOf, publicSource, type StoredSource, type StoredSubscription } from "../sources.store.ts";
import { shownAs } from "../watches/views.ts";

/** Documents that are read at a time where a filter leaves some out. */
const chunk = 500;

type Subscribed = [StoredSubscription, StoredSource];

/** The sources that a key tracks, the latest first, and how their polling goes. */
export async function listTracked(
  { subscriptions, sources }: Pick<TrackerStores, "subscriptions" | "sources">,
  { keyId }: Pick<Caller, "keyId">,
  { cursor, limit, source: kind, health, query: text, tag }: TrackedRequest,
): Promise<ListPage<TrackedSource>> {
  // A page may be tracked as its feed: then the kind that was asked for is not the one in the index.
  const isIndexed = kind !== undefined && kindsOf(kind).length === 1;
  const { rows, next_cursor } = await findPicked<StoredSubscription, Subscribed>(subscriptions, {
    query: { keyId, ...(isIndexed && { kind }) },
    ...(cursor !== undefined && { cursor }),
    limit,
    descending: true,
    chunk: (kind ?? health ?? text ?? tag) === undefined ? limit + 1 : chunk,
    pick: async some => {
      const wanted = some.filter(
        each =>
          (kind === undefined || each.kind === kind || each.askedAs === kind) &&
          (tag === undefined || each.tags?.includes(tag)),
      );
      const ids = wanted.map(({ sourceId }) => sourceId);
      const found = await sources.find({ query: { _id: { $in: ids }, ...(health && { health }) } });
      const byId = new Map(found.filter(source => holds(source, text)).map(source => [source._id, source]));
      return some.map(subscription => {
        const source = byId.get(subscription.sourceId);
        return source && ([subscription, source] satisfies Subscribed);
      });
    },
  });
  const data = rows.map(([subscription, source]) => shownTracked(source, subscription));
  return { data, next_cursor, message: "Sources listed." };
}

/** A source as the list of what a key tracks shows it. */
export function shownTracked(source: StoredSource, subscription: StoredSubscription): TrackedSource {
  const { createdAt, tags } = subscription;
  const muted = source.muted ?? [];
  return {
    ...pollingOf(source),
    ...shownAs(source, subscription),
    muted: muted.map(({ text, since, ignore }) => ({ text, since: isoTime(since), ignore })),
    tags: tags ?? [],
    tracked_at: createdAt,
  };
}

/** The sources that a key tracks and that have any of these tags, and the monitors whose tags they are. */
export async function sourcesOfTags(
  { subscriptions, monitors, closing }: Pick<TrackerContext, "subscriptions" | "monitors" | "closing">,
  { keyId, tags }: { keyId: string; tags: string[] },
): Promise<{ ids: string[] }> {
  const ids = await monitorsOfTags({ monitors }, keyId, tags);
  for await (const some of pagesOf(subscriptions, { query: { keyId }, limit: chunk, signal: closing }))
    for (const each of some) if (each.tags?.some(tag => tags.includes(tag))) ids.push(each.sourceId);
  closing.throwIfAborted();
  return { ids };
}

/** The sources of all keys, in the order of their ids, and how their polling goes. */
export async function listSources(
  { subscriptions, sources }: Pick<TrackerStores, "subscriptions" | "sources">,
  { cursor, limit, source: kind, health, query: text }: SourcesRequest,
): Promise<ListPage<SourceSummary>> {
  const isId = text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
  const query: Query<StoredSource> = {
    ...(kind && { kind }),
    ...(health && { health }),
    ...(isId && { _id: text }),
  };
  const { rows, next_cursor } = await findPicked<StoredSource, StoredSource>(sources, {
    query,
    ...(cursor !== undefined && { cursor }),
    limit,
    chunk: text === undefined ? limit + 1 : chunk,
    pick: async some => some.map(source => (holds(source, text) ? source : undefined)),
  });
  const keys = await subscriptions.countEach(
    "sourceId",
    rows.map(({ _id }) => _id),
  );
  const data = rows.map(source => ({ ...pollingOf(source), keys: keys.get(source._id) ?? 0 }));
  return { data, next_cursor, message: "Sources listed." };
}

function holds(source: StoredSource, text: string | undefined): boolean {
  if (text === undefined) return true;
  const { _id, username, name } = source;
  const address = addressOf(source).externalId;
  const sought = text.toLowerCase();
  return _id === sought || [username, name, address].some(each => each.toLowerCase().includes(sought));
}

function pollingOf(source: StoredSource): Omit<TrackedSource, "tracked_at" | "tags" | "options" | "muted"> {
  const { health, failures, polledAt, dueAt, lease, lastEventAt } = source;
  return {
    ...publicSource(source),
    health,
    failures,
    problem: problemOf(source),
    polled_at: isoTime(polledAt),
    // While it is leased, `dueAt` is the end of the lease.
    due_at: isoTime(lease === undefined ? dueAt : dueAt - leaseMs),
    last_event_at: lastEventAt === undefined ? null : isoTime(lastEventAt),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

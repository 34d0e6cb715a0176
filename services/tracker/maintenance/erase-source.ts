import type { EventLog, EventsToErase } from "../../../mixins/event-log/event-log.ts";
import { pagesOf } from "../../../mixins/store/pages.ts";
import { countsOf, type ErasureCounts, type ErasureOf } from "../../contracts/erasure.contract.ts";
import type { EventData } from "../../contracts/events.ts";
import { splitNetwork } from "../../contracts/source.ts";
import { searchAddress } from "../../domain/search/search-words.ts";
import type { TrackerContext } from "../context.ts";
import { leave } from "../monitors/forget.ts";
import type { StoredMember, StoredMonitor } from "../monitors/monitors.store.ts";
import { dueNow } from "../monitors/monitors.ts";
import { isSocial, kindsOf } from "../source-kinds.ts";
import { inAnyView, type StoredSource } from "../sources.store.ts";
import { unfollow } from "../tracking/pending-unfollows.ts";
import { unsubscribeAll } from "../tracking/untrack.ts";

type Named = NonNullable<ErasureOf["source"]>;

/** About how long a call erases history, and how long events, in milliseconds: together less than a step may take. */
const [historyMs, eventsMs] = [40_000, 20_000];
const sourcesAtOnce = 500;

/**
 * Ends, or counts, what is kept of a source for all keys. A first call is about the source, its past and monitors of it; those
 * with a cursor are about its events.
 */
export async function eraseSource(
  context: TrackerContext,
  log: Pick<EventLog, "erase">,
  source: Named,
  { sourceIds = [], cursor, dry }: ErasureOf,
): Promise<ErasureCounts> {
  if (cursor !== undefined) return await eraseEvents(log, eventsOf(source, sourceIds), cursor, dry);
  const found = await sourcesAt(context, source);
  const ids = [...new Set([...sourceIds, ...found.map(({ _id }) => _id)])];
  if (!dry) await endAll(context, source, ids);
  return { ...(await countAll(context, source, ids)), sourceIds: ids, next: "" };
}

async function eraseEvents(
  log: Pick<EventLog, "erase">,
  wanted: EventsToErase,
  cursor: string,
  dry: boolean,
): Promise<ErasureCounts> {
  const { found, next } = await log.erase(wanted, { cursor, dry, forMs: eventsMs });
  return { ...(await countsOf({ events: Promise.resolve(found) })), ...(next !== null && { next }) };
}

/** The address as sources have it. */
function addressOf({ kind, eid }: Named): string {
  if (kind === "search") return searchAddress(eid);
  return isSocial(kind) ? eid : (URL.parse(eid)?.href ?? eid);
}

/**
 * Accounts and channels are known by their handles, of the default network where none is named: elsewhere the same handle
 * may be another's. A chat server has none of its own.
 */
function hasHandle({ kind, eid }: Named, { username, externalId }: { username: string; externalId: string }) {
  const isNamed = kind === "microblog" || kind === "messenger";
  const isThere = splitNetwork(externalId).network === splitNetwork(eid).network;
  return isNamed && isThere && username.toLowerCase() === handleIn(eid).toLowerCase();
}

/** What an event has of the name, however it has it. */
function handleIn(eid: string): string {
  return splitNetwork(eid).rest.replace(/^@/, "");
}

/** All views of an address, and accounts with the handle. */
async function sourcesAt(context: TrackerContext, named: Named): Promise<StoredSource[]> {
  const found: StoredSource[] = [];
  for (const kind of kindsOf(named.kind))
    found.push(...(await context.sources.find({ query: inAnyView({ kind, externalId: addressOf(named) }) })));
  if (!isSocial(named.kind)) return found;
  const all = { query: { kind: named.kind }, limit: sourcesAtOnce, signal: context.closing };
  for await (const page of pagesOf(context.sources, all))
    found.push(...page.filter(source => hasHandle(named, source)));
  return found;
}

/** Which events are of the source: by the ids that it had, or by what they show of it, since it may be gone for long. */
function eventsOf(named: Named, sourceIds: string[]): EventsToErase {
  const kinds = kindsOf(named.kind).map(kind => kind.toUpperCase());
  const address = addressOf(named);
  const isOne = ({ source, page }: EventData) => {
    // The page of a monitor whose source is gone.
    if (!source) return Object(page).url === address;
    return kinds.includes(source.source) && (source.externalId === address || hasHandle(named, source));
  };
  const quoted = JSON.stringify(isSocial(named.kind) ? handleIn(address) : address);
  // An id may have the name of its network before it.
  const text = splitNetwork(address).network === undefined ? quoted : quoted.slice(1, -1);
  return { sourceIds, text, isOne };
}

async function endAll(context: TrackerContext, source: Named, ids: string[]): Promise<void> {
  const members = await context.members.find({ query: { sourceId: { $in: ids } } });
  for (const member of members) await leaveMonitor(context, member);
  const until = performance.now() + historyMs;
  for (const sourceId of ids) {
    await unsubscribeAll(context, { sourceId });
    while (performance.now() < until && !(await context.history.erase(sourceId)));
  }
  for (const { id, ...end } of await context.pendingUnfollows.find({ query: pendingOf(source) }))
    await unfollow(context, { ...end, ...(id !== undefined && { _id: id }) });
}

function pendingOf(source: Named) {
  return { kind: { $in: kindsOf(source.kind) }, externalId: addressOf(source) };
}

/** A monitor goes on without the source, and without any other one it goes. */
async function leaveMonitor(context: TrackerContext, member: StoredMember): Promise<void> {
  const { _id: memberId, monitorId, target, sid } = member;
  await context.monitors.change(
    monitorId,
    monitor => monitor && without(monitor, target, sid, context.now()),
  );
  await context.pages.removeMany({ monitorId, memberId });
  await leave(context, member);
  context.onMonitorDue();
}

function without(monitor: StoredMonitor, targetId: string, sid: string, now: number): StoredMonitor {
  const targets = monitor.targets
    .map(target =>
      target.id === targetId ? { ...target, sids: target.sids.filter(each => each !== sid) } : target,
    )
    .filter(({ sids }) => sids.length > 0);
  const left = { ...monitor, targets };
  return targets.length > 0 ? left : { ...left, isGone: true, ...dueNow(monitor, now) };
}

function countAll(context: TrackerContext, source: Named, ids: string[]): Promise<ErasureCounts> {
  const { sources, subscriptions, members, pendingUnfollows, history } = context;
  const ofSource = { sourceId: { $in: ids } };
  return countsOf({
    sources: sources.count({ _id: { $in: ids } }),
    subscriptions: subscriptions.count(ofSource),
    "members of monitors": members.count(ofSource),
    "pasts of sources": history.bytesOf(ids).then(bytes => bytes.size),
    "sources to unfollow": pendingUnfollows.count(pendingOf(source)),
  });
}

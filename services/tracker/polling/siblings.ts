import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Lease } from "../../../mixins/coordination/leases/lease.ts";
import { maxPolledViews } from "../../contracts/connectors.contract.ts";
import type { TrackerContext } from "../context.ts";
import { isSocial } from "../source-kinds.ts";
import { addressOf, inAnyView, type StoredSource, viewOf } from "../sources.store.ts";
import { isOutsideSchedule } from "../watches/next-poll.ts";
import { collectLeased, type LeasedSource, leaseSource } from "./due-sources.ts";

/** Puts sources that one poll of their address serves into one group. */
export function grouped(sources: LeasedSource[]): LeasedSource[][] {
  const byRequest = Map.groupBy(sources, requestOf);
  return [...byRequest.values()].flatMap(group => {
    const parts = Math.ceil(group.length / maxPolledViews);
    return Array.from({ length: parts }, (_, n) => group.slice(n * maxPolledViews, (n + 1) * maxPolledViews));
  });
}

/** Milliseconds until views are due again whose address another process polls. */
export const addressRetryMs = 1000;
/** Milliseconds to wait for views that another process has leased, while this one holds their address: it frees them at once. */
const handOverMs = 2000;
const recheckMs = 25;

/**
 * Leases the address of a group, so that one process polls it at a time. What others lease meanwhile they free again, for the
 * holder to take along. Null while another holds it; undefined where no lease is needed.
 */
export async function leaseAddress(
  { leases }: TrackerContext,
  group: readonly LeasedSource[],
): Promise<Lease | null | undefined> {
  const [first] = group;
  if (!first || !sharesItsRequest(first) || group.length >= maxPolledViews) return undefined;
  const name = createHash("sha256").update(requestOf(first)).digest("base64url");
  return await leases.take(`tracker/address/${name}`);
}

/**
 * Leases the other views of an address that one poll serves, too, and that are due within half of their interval. So a
 * page is fetched once however many views of it there are. They stay with their backoff while they fail. The caller has
 * the lease of the address.
 */
export async function leaseSiblings(
  context: TrackerContext,
  group: readonly LeasedSource[],
): Promise<LeasedSource[]> {
  const [first] = group;
  if (!first) return [];
  const request = requestOf(first);
  const ours = new Map(group.map(source => [source._id, source]));
  const siblings: LeasedSource[] = [];
  for (let waitedMs = 0; ; waitedMs += recheckMs) {
    const views = await context.sources.find({ query: inAnyView(addressOf(first)) });
    const others = views.filter(each => !ours.has(each._id) && requestOf(each) === request);
    const wanted = others.filter(each => isNearlyDue(each, context.now()));
    const some = wanted.slice(0, maxPolledViews - ours.size);
    for (const each of await collectLeased(some.map(({ _id }) => leaseSource(context, _id, isNearlyDue)))) {
      siblings.push(each);
      ours.set(each._id, each);
    }
    const awaited = others.some(each => !ours.has(each._id) && isTaken(each, some, context.now()));
    if (!awaited || ours.size >= maxPolledViews || waitedMs >= handOverMs) return siblings;
    await sleep(recheckMs);
  }
}

/** Leased by another process, before this one read the store or since. */
function isTaken({ _id, lease, dueAt }: StoredSource, wanted: readonly StoredSource[], now: number): boolean {
  return (lease !== undefined && dueAt > now) || wanted.some(each => each._id === _id);
}

function isNearlyDue(source: StoredSource, now: number): boolean {
  const { dueAt, polledAt, failures, lease } = source;
  if (dueAt <= now) return !isOutsideSchedule(source, now);
  if (lease !== undefined || failures > 0 || isOutsideSchedule(source, now)) return false;
  return dueAt - now <= (dueAt - polledAt) / 2;
}

function sharesItsRequest(source: StoredSource): boolean {
  return source.hasSiblings === true && requestOf(source) !== source._id;
}

/** Two sources with the same request get the same answer from their site: the same address, asked in the same way. */
function requestOf(source: StoredSource): string {
  if (isSocial(source.kind)) return source._id;
  const { extract, method, wait_for, actions, proxy, sealed, sessionOf, content, ...view } = viewOf(source);
  const render = extract || method ? "never" : (view.render ?? "auto");
  // A key's headers, cookies, body and session are for its own views alone.
  if (sealed || sessionOf) return source._id;
  // The pages of a feed's items take time, for which no other view of it waits.
  const full = content === "full";
  const { externalId } = addressOf(source);
  return JSON.stringify([source.kind, externalId, method, render, wait_for, actions, proxy, full]);
}

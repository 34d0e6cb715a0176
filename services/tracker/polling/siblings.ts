import { maxPolledViews } from "../../contracts/connectors.contract.ts";
import type { TrackerContext } from "../context.ts";
import { isSocial } from "../source-kinds.ts";
import { addressOf, inAnyView, type StoredSource, viewOf } from "../sources.store.ts";
import { isOutsideSchedule } from "../watches/next-poll.ts";
import { collectLeased, type LeasedSource, leaseSource } from "./due-sources.ts";

/** Puts sources that one look at their address serves into one group. */
export function grouped(sources: LeasedSource[]): LeasedSource[][] {
  const looks = Map.groupBy(sources, lookOf);
  return [...looks.values()].flatMap(group => {
    const parts = Math.ceil(group.length / maxPolledViews);
    return Array.from({ length: parts }, (_, n) => group.slice(n * maxPolledViews, (n + 1) * maxPolledViews));
  });
}

/**
 * Leases the other views of an address that one look serves, too, and that are due within half of their interval. So a
 * page is fetched once however many views of it there are. They stay with their backoff while they fail.
 */
export async function leaseSiblings(
  context: TrackerContext,
  group: readonly LeasedSource[],
): Promise<LeasedSource[]> {
  const [first] = group;
  if (!first?.hasSiblings || group.length >= maxPolledViews) return [];
  const look = lookOf(first);
  const isOurs = new Set(group.map(({ _id }) => _id));
  const views = await context.sources.find({ query: inAnyView(addressOf(first)) });
  const wanted = views.filter(
    each => !isOurs.has(each._id) && lookOf(each) === look && isNearlyDue(each, context.now()),
  );
  const some = wanted.slice(0, maxPolledViews - group.length);
  return collectLeased(some.map(({ _id }) => leaseSource(context, _id, isNearlyDue)));
}

function isNearlyDue(source: StoredSource, now: number): boolean {
  const { dueAt, polledAt, failures, lease } = source;
  if (dueAt <= now) return !isOutsideSchedule(source, now);
  if (lease !== undefined || failures > 0 || isOutsideSchedule(source, now)) return false;
  return dueAt - now <= (dueAt - polledAt) / 2;
}

/** Two sources with the same look get the same answer from their site: the same address, asked in the same way. */
function lookOf(source: StoredSource): string {
  if (isSocial(source.kind)) return source._id;
  const { render = "auto", sealed } = viewOf(source);
  // A key's headers and cookies are sent for its own views alone.
  if (sealed) return source._id;
  return JSON.stringify([source.kind, addressOf(source).externalId, render]);
}

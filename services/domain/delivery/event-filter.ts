import { isDismissed } from "../goal/dismissed.ts";

/** Which events of the key's log an endpoint wants; null for all. */
export interface EventFilter {
  event_types: readonly string[] | null;
  /** Ids of sources. */
  sources: readonly string[] | null;
  /** Tags of the key: the source has any of them. */
  tags: readonly string[] | null;
  /** Without those that a judge has dismissed. */
  meaningful?: boolean | null;
  /** A predicate in JSONata, which is evaluated elsewhere: what follows here does not heed it. */
  filter?: string | null;
}

/** A filter that an endpoint had, and the last position of the log while it had it. */
export interface FormerFilter extends EventFilter {
  until: number;
}

/** What a filter sees of an event. */
export interface FilteredEvent {
  seq: number;
  type: string;
  /** Null for an event without a source. */
  sourceId: string | null;
  /** The event as JSON. */
  json: string;
}

/** Whether a source has one of the tags of a filter now. */
export type HasTag = (sourceId: string, tags: readonly string[]) => boolean;

/** What is left of an erased event is news for nobody but those who name the type. */
export function isErased({ type }: { type: string }): boolean {
  return type === "event.erased";
}

export function isEverything({ event_types, sources, tags, meaningful, filter }: EventFilter): boolean {
  return event_types === null && sources === null && tags === null && !meaningful && !filter;
}

/** Whether two filters let the same events pass, whatever the order of what they name. */
export function isSameFilter(one: EventFilter, other: EventFilter): boolean {
  return sortedParts(one) === sortedParts(other);
}

function sortedParts({ event_types, sources, tags, meaningful, filter }: EventFilter): string {
  const parts = [event_types, sources, tags].map(part => part && [...new Set(part)].sort());
  return JSON.stringify([...parts, meaningful ?? false, filter ?? null]);
}

/** Whether each part of the filter lets an event pass. One without a source passes no filter by source or tag, and an erased one needs its type named. */
export function passes(
  filter: EventFilter,
  { type, sourceId, json }: FilteredEvent,
  hasTag: HasTag,
): boolean {
  const { event_types, sources, tags, meaningful } = filter;
  if (event_types ? !event_types.includes(type) : isErased({ type })) return false;
  if (sources && (sourceId === null || !sources.includes(sourceId))) return false;
  if (tags && (sourceId === null || !hasTag(sourceId, tags))) return false;
  return !meaningful || !isDismissed(json);
}

/**
 * Whether an endpoint wants an event: its filter lets it pass, and so did those that it had when the event was appended.
 * A wider filter brings back nothing of what a former one left out.
 */
export function isWanted(
  filter: EventFilter,
  former: readonly FormerFilter[],
  event: FilteredEvent,
  hasTag: HasTag,
): boolean {
  const then = former.filter(({ until }) => event.seq <= until);
  return [filter, ...then].every(each => passes(each, event, hasTag));
}

/** Former filters that are kept: of more changes within one backlog, the earliest are forgotten. */
const mostFormer = 8;

/** The former filters after a change at the position `latest` of a log that is read from `position`. */
export function formerAfterChange(
  filter: EventFilter,
  former: readonly FormerFilter[],
  { position, latest }: { position: number; latest: number },
): FormerFilter[] {
  const kept = former.filter(({ until }) => until > position);
  if (isEverything(filter) || latest <= position) return kept;
  return [...kept, { ...filter, until: latest }].slice(-mostFormer);
}

/*
 * The events that an open page keeps: at most 500, the newest, and as many that wait while the page is paused.
 */

/** An event as a stream carries it. Only the stream of all keys has `key_id`. */
export interface LiveEvent {
  id: string;
  type: string;
  timestamp: string;
  seq: number | null;
  data: {
    source: { id: string; source: string; name: string; username: string } | null;
    [name: string]: unknown;
  };
  key_id?: string;
}

export interface EventLog {
  /** Newest first. */
  events: readonly LiveEvent[];
  /** Events that came while the page was paused, newest first; undefined while it is not paused. */
  waiting: readonly LiveEvent[] | undefined;
  /** The number of events that came while the page was paused, including those that are no longer kept. */
  waitingCount: number;
  /** The number of events since the page was opened. */
  total: number;
}

export const mostKept = 500;

export const emptyLog: EventLog = { events: [], waiting: undefined, waitingCount: 0, total: 0 };

/** Adds events, which come oldest first; those that are there already come again after a break. */
export function withEvents(log: EventLog, came: readonly LiveEvent[]): EventLog {
  const known = new Set([...log.events, ...(log.waiting ?? [])].map(({ id }) => id));
  const arrived = came.filter(({ id }) => !known.has(id));
  const total = log.total + arrived.length;
  if (log.waiting === undefined) return { ...log, total, events: kept(arrived, log.events) };
  return {
    ...log,
    total,
    waiting: kept(arrived, log.waiting),
    waitingCount: log.waitingCount + arrived.length,
  };
}

function kept(arrived: readonly LiveEvent[], before: readonly LiveEvent[]): LiveEvent[] {
  return [...arrived.toReversed(), ...before].slice(0, mostKept);
}

export function pause(log: EventLog): EventLog {
  return { ...log, waiting: log.waiting ?? [] };
}

/** Shows the events that waited. */
export function proceed(log: EventLog): EventLog {
  const events = [...(log.waiting ?? []), ...log.events].slice(0, mostKept);
  return { ...log, events, waiting: undefined, waitingCount: 0 };
}

/** Whether an event has this type, and a source whose kind, name or id contains this text. */
export function fits(
  { type, data: { source } }: LiveEvent,
  wanted: { type: string; source: string },
): boolean {
  if (wanted.type !== "" && type !== wanted.type) return false;
  const text = wanted.source.toLowerCase();
  if (text === "") return true;
  const names = source ? [source.source, source.name, source.username, source.id] : [];
  return names.some(name => name.toLowerCase().includes(text));
}

/** Describes an event in a line: its title, or the beginning of its text. */
export function headline({ data }: LiveEvent): string {
  const texts = [
    at(data, "item", "title"),
    at(data, "item", "content_text"),
    at(data, "post", "legacy", "full_text"),
    at(data, "message", "content"),
    at(data, "message", "text"),
    at(data, "judgement", "summary"),
    at(data, "page", "title"),
    at(data, "page", "url"),
    at(data, "result", "title"),
    at(data, "result", "url"),
    at(data, "change", "title"),
    at(data, "change", "added", "0"),
    at(data, "change", "removed", "0"),
    roundOf(at(data, "check")),
    at(data, "reason"),
    at(data, "item", "url"),
  ];
  const text = texts.find(each => typeof each === "string" && each.trim() !== "");
  const line = typeof text === "string" ? text.trim().replace(/\s+/g, " ") : "";
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

/** What a round through a site has found, in words. */
function roundOf(check: unknown): string | undefined {
  const names = { added: "new", changed: "changed", removed: "gone", moved: "moved", failed: "failed" };
  const found = Object.entries(names).flatMap(([name, word]) => {
    const count = at(check, name);
    return typeof count === "number" && count > 0 ? [`${count} ${word}`] : [];
  });
  if (typeof at(check, "visited") !== "number") return undefined;
  return found.join(", ") || "Nothing has changed";
}

function at(value: unknown, ...names: string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

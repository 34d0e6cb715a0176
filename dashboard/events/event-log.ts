/*
 * The events of a page that is open: the newest, at most 500, and those that wait while it is paused.
 */

/** An event as a stream carries it. `key_id` is there on the stream of all keys. */
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
  /** What came while paused, newest first; undefined while the page shows what comes. */
  waiting: readonly LiveEvent[] | undefined;
  /** What came while paused, with those that are no longer kept. */
  waitingCount: number;
  /** All that came since the page was opened. */
  total: number;
}

export const mostKept = 500;

export const emptyLog: EventLog = { events: [], waiting: undefined, waitingCount: 0, total: 0 };

/** The log with what has come, oldest first. */
export function withEvents(log: EventLog, arrived: readonly LiveEvent[]): EventLog {
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

/** Shows what has waited. */
export function proceed(log: EventLog): EventLog {
  const events = [...(log.waiting ?? []), ...log.events].slice(0, mostKept);
  return { ...log, events, waiting: undefined, waitingCount: 0 };
}

/** Whether an event is of this type, and of a source whose kind, name or id has this text. */
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

/** What an event says, in a line: the title or the beginning of its text. */
export function headline({ data }: LiveEvent): string {
  const texts = [
    at(data, "item", "title"),
    at(data, "item", "content_text"),
    at(data, "post", "legacy", "full_text"),
    at(data, "message", "content"),
    at(data, "message", "text"),
    at(data, "change", "title"),
    at(data, "reason"),
    at(data, "item", "url"),
  ];
  const text = texts.find(each => typeof each === "string" && each.trim() !== "");
  const line = typeof text === "string" ? text.trim().replace(/\s+/g, " ") : "";
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function at(value: unknown, ...names: string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

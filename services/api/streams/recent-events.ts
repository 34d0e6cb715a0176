import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { EventLog, WrittenEvent } from "../../../mixins/event-log/event-log.ts";

/** The part of a log that finds what is recent. */
export type RecentLog = Pick<EventLog, "grownLast" | "bounds" | "readWithin">;

/** An event, and the key in whose log it is. */
export interface KeyEvent {
  keyId: string;
  event: WrittenEvent;
}

/** What is read of a log at a time. */
const portionBytes = 256 * 1024;

/**
 * The newest events of all keys, or of one, the oldest first: of each log the last `most`, those that pass, and `most` of all
 * these. An older event of a log is not looked at, so a filter may leave fewer.
 */
export async function recentEvents(
  log: RecentLog,
  most: number,
  passes: (event: WrittenEvent) => boolean,
  keyId?: string,
): Promise<KeyEvent[]> {
  let recent: KeyEvent[] = [];
  // No other log has an event that is among the newest.
  const keyIds = keyId === undefined ? await log.grownLast(most) : [keyId];
  for (const each of keyIds) {
    for await (const event of lastOf(log, each, most)) if (passes(event)) recent.push({ keyId: each, event });
    recent = recent.sort(byTime).slice(-most);
    await yieldToLoop();
  }
  return recent;
}

async function* lastOf(log: RecentLog, keyId: string, most: number): AsyncGenerator<WrittenEvent> {
  const { oldest, latest } = await log.bounds(keyId);
  let position = Math.max(latest - most, oldest - 1, 0);
  while (position < latest) {
    const budget = { events: latest - position, bytes: portionBytes };
    const { events } = await log.readWithin(keyId, position, budget);
    const last = events.at(-1);
    if (last === undefined) return;
    yield* events;
    position = last.seq;
  }
}

/** The order of a log stays where times are equal. */
function byTime({ event: one }: KeyEvent, { event: other }: KeyEvent): number {
  return one.timestamp < other.timestamp ? -1 : Number(one.timestamp > other.timestamp);
}

import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { EventLog, WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import { mostShown } from "../../domain/delivery/mail/content.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import { isNotice } from "./quota-hold.ts";
import type { WantedEvents } from "./wanted-events.ts";

/** What one digest holds. */
export interface DigestEvents {
  /** The events that the mail shows. */
  shown: WrittenEvent[];
  total: number;
  /** The last position that was read. */
  to: number;
}

const portion = { events: 256, bytes: 1_000_000 };

/**
 * Collects what waits for an endpoint: up to a position, or to the end of the log. However many events there are, it
 * keeps those that a mail shows and counts the others.
 */
export async function digestEvents(
  { log, wanted }: { log: EventLog; wanted: WantedEvents },
  endpoint: StoredEndpoint,
  keyId: string,
  lane: Lane,
  until = Number.POSITIVE_INFINITY,
): Promise<DigestEvents> {
  const waits = waitingIn(lane);
  const again = new Set(lane.retries.map(({ seq }) => seq));
  const isAgain = ({ seq }: { seq: number }) => again.has(seq);
  const digest: DigestEvents = { shown: [], total: 0, to: lane.position };
  let from = Math.min(lane.position, ...lane.retries.map(({ seq }) => seq - 1));
  for (let more = true; more && from < until; ) {
    const read = await log.readWithin(keyId, from, portion);
    const events = read.events.filter(({ seq }) => seq <= until);
    const mine = [
      // As of other retries, it is the filter of now that counts: a replay has asked for them.
      ...(await wanted.of({ ...endpoint, former: [] }, events.filter(isAgain))),
      ...(await wanted.of(
        endpoint,
        events.filter(event => waits(event) && !isAgain(event)),
      )),
    ].sort((a, b) => a.seq - b.seq);
    for (const event of mine) show(digest.shown, event);
    digest.total += mine.length;
    from = events.at(-1)?.seq ?? until;
    digest.to = Math.max(digest.to, events.at(-1)?.seq ?? 0);
    more = read.more && events.length > 0;
    if (more) await yieldToLoop();
  }
  return digest;
}

/** A notice of a quota is shown whatever waits before it: in front, since what is not shown follows the last one. */
function show(shown: WrittenEvent[], event: WrittenEvent): void {
  if (shown.length < mostShown) shown.push(event);
  else if (isNotice(event)) shown.splice(0, mostShown, event, ...shown.slice(0, -1));
}

/** Which events of the log are not done. */
export function waitingIn({ position, settled, retries }: Lane): (event: { seq: number }) => boolean {
  const again = new Set(retries.map(({ seq }) => seq));
  const done = new Set(settled);
  return ({ seq }) => again.has(seq) || (seq > position && !done.has(seq));
}

import { fail } from "../../services/contracts/errors.ts";
import type { Bodies } from "./bodies.ts";
import { writtenEventOf } from "./event-of.ts";
import type { Portion, WrittenEvent } from "./log.ts";
import type { LogServer, Reference } from "./log-server.ts";

export interface Sources {
  server: Pick<LogServer, "read">;
  bodies: Pick<Bodies, "read">;
  now(): number;
}

/** Bodies that are asked for together: few at first, as each may be large. */
const fewest = 16;
const mostTogether = 1000;
/** By then a server that has been replaced has noticed it, and does not answer without what was written to the other. */
const unsettledMs = 60_000;

/**
 * Events after a position, as far as a portion goes. One whose body is no more has expired. It may stand before a
 * portion, and never within one, since readers pass over what has expired at their position and nowhere else.
 */
export async function readPortion(
  sources: Sources,
  keyId: string,
  after: number,
  portion: Portion,
): Promise<{ events: WrittenEvent[]; more: boolean }> {
  const references = await sources.server.read(keyId, after, portion.events);
  const read = await readBodies(sources, keyId, references, portion.bytes);
  const isFull = references.length === portion.events;
  const last = references.at(-1);
  if (read.events.length === 0 && isFull && last) return readPortion(sources, keyId, last.seq, portion);
  return { events: read.events, more: read.isCut || isFull };
}

async function readBodies(
  { bodies, now }: Sources,
  keyId: string,
  references: Reference[],
  bytes: number,
): Promise<{ events: WrittenEvent[]; isCut: boolean }> {
  const events: WrittenEvent[] = [];
  let size = 0;
  for (let from = 0; from < references.length; ) {
    const some = references.slice(from, from + howMany(bytes - size, events.length && size / events.length));
    const found = await bodies.read(some.map(({ body }) => body));
    for (const [n, { seq, at }] of some.entries()) {
      const body = found[n];
      if (events.length > 0 && (!body || size + body.data.length > bytes)) return { events, isCut: true };
      if (body) events.push(writtenEventOf(keyId, seq, body));
      else if (now() - at < unsettledMs) throw notYet();
      size += body?.data.length ?? 0;
    }
    from += some.length;
  }
  return { events, isCut: false };
}

/** Bodies to ask for: as many as there is room for, when they are as large as those before. */
function howMany(room: number, average: number): number {
  if (room === Number.POSITIVE_INFINITY) return mostTogether;
  const fitting = average > 0 ? Math.ceil(room / average) : 0;
  return Math.min(Math.max(fitting, fewest), mostTogether);
}

function notYet(): Error {
  return fail("overloaded", "The service cannot take this request right now. Try again shortly.");
}

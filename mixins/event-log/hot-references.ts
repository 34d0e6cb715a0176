import type { EventBodies } from "./event-bodies.ts";
import { inSlices, sliceSize } from "./event-log.ts";
import type { LogReferences, Reference } from "./log-references.ts";
import type { HotPart, SealedSlice } from "./sealed/sealing.ts";

const keysTogether = 1000;
const bodiesTogether = 200;

/** The entries of a cluster's log, as they are sealed. */
export function hotReferences(server: LogReferences, bodies: Pick<EventBodies, "read">): HotPart {
  return {
    keysBefore: before => keysBefore(server, before),
    first: async keyId => (await server.read(keyId, 0, 1))[0] ?? null,
    positionAt: (keyId, before) => server.positionAt(keyId, before),
    entries: async (keyId, to, { events, bytes }) => {
      const references = (await server.read(keyId, 0, events)).filter(({ seq }) => seq <= to);
      return sliceOf(references, bodies, bytes);
    },
    cut: async (keyId, to, at) => void (await inSlices(() => server.cutSlice(keyId, to, at, sliceSize))),
  };
}

/** All of them are read before any is sealed, which changes their order. */
async function* keysBefore(server: LogReferences, before: number): AsyncGenerator<string[]> {
  const pages: string[][] = [];
  for (let from = 0; ; from += keysTogether) {
    const page = await server.keysBefore(before, from, keysTogether);
    pages.push(page);
    if (page.length < keysTogether) break;
  }
  yield* pages;
}

/** An entry whose body is gone has expired, and is left out. */
async function sliceOf(
  references: Reference[],
  bodies: Pick<EventBodies, "read">,
  bytes: number,
): Promise<SealedSlice> {
  const slice: SealedSlice = { entries: [], last: 0, lastAt: 0 };
  let size = 0;
  for (let from = 0; from < references.length; from += bodiesTogether) {
    const some = references.slice(from, from + bodiesTogether);
    const found = await bodies.read(some.map(({ body }) => body));
    for (const [n, { seq, at }] of some.entries()) {
      const body = found[n];
      size += body?.data.length ?? 0;
      if (slice.entries.length > 0 && size > bytes) return slice;
      Object.assign(slice, { last: seq, lastAt: at });
      if (!body) continue;
      const { bodyId, type, timestamp, source, data } = body;
      slice.entries.push({ seq, at, bodyId, type, timestamp, source: source ?? null, data });
    }
  }
  return slice;
}

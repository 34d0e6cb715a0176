import { originOf } from "../request/negotiate.ts";
import type { AnswerContext, OwnReply, OwnRequest } from "../routes/route.ts";
import { keptReply, madeOnce } from "./kept.ts";

/** Addresses of this gateway for which texts are kept. Clients choose by which names they ask, so there are few. */
const keptOrigins = new Set<string>();
const mostOrigins = 8;

/** A text that names this gateway by the name or address by which the client asked for it. */
export function atOrigin(
  context: AnswerContext,
  req: OwnRequest,
  name: string,
  { type, write }: { type: string; write: (origin: string) => string },
): OwnReply {
  const origin = originOf(context, req);
  if (keptOrigins.size < mostOrigins) keptOrigins.add(origin);
  if (keptOrigins.has(origin))
    return madeOnce(context, `${name} ${origin}`, () => keptReply({ type, body: write(origin) }));
  return keptReply({ type, body: write(origin) });
}

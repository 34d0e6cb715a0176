import { createHash } from "node:crypto";
import type { AnswerContext, OwnReply } from "../routes/route.ts";

/** A document that a client keeps, and asks about before it uses it again. */
export function keptReply(
  { type, body }: { type: string; body: string | Buffer },
  headers: Record<string, string> = {},
): OwnReply {
  const kept = { "cache-control": "no-cache", etag: etagOf(body), ...headers };
  return { type, headers: kept, body: Buffer.from(body) };
}

export function etagOf(body: string | Buffer): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}

const made = new WeakMap<AnswerContext["routeTable"], Map<string, OwnReply>>();

/**
 * An answer that does not change while the process runs, made once for each gateway: all clients that read it slowly hold
 * the same bytes. Callers bound how many names there are.
 */
export function madeOnce(
  { routeTable }: Pick<AnswerContext, "routeTable">,
  name: string,
  make: () => OwnReply,
): OwnReply {
  const ofGateway = made.get(routeTable) ?? new Map<string, OwnReply>();
  made.set(routeTable, ofGateway);
  const reply = ofGateway.get(name) ?? make();
  ofGateway.set(name, reply);
  return reply;
}

import type { Context } from "moleculer";
import { parseTraceparent } from "../../../mixins/tracing/trace-context.ts";
import type { CallMeta } from "../../contracts/caller.ts";
import type { Request } from "../request/request.ts";

/**
 * How moleculer-web makes the context of a request: in its client's trace, if it has one. On a stop the gateway waits for
 * the HTTP server, which knows the requests in flight better than the broker.
 */
export function rootCallOptions(
  options: { tracking?: boolean; meta?: CallMeta },
  { headers }: Request,
): void {
  options.tracking = false;
  const { traceparent } = headers;
  if (parseTraceparent(traceparent)) options.meta = { traceparent: traceparent as string };
}

/** What the span of a request says of it: its method and its route, and nothing that a client chose. */
export function requestTags({ params, meta }: Context<unknown, CallMeta>): Record<string, unknown> {
  const { req } = params as { req: Request };
  const { path } = req.match?.route ?? {};
  return {
    traceparent: meta.traceparent,
    "http.request.method": req.method,
    "http.route": path,
  };
}

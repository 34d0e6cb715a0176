import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Context, Service } from "moleculer";
import type { WithLimiter } from "../../mixins/limiter/limiter.mixin.ts";
import type { EventLog } from "../../mixins/log/log.ts";
import type { CallMeta } from "../contracts/action.ts";
import type { AdminCheck } from "./auth/admin-check.ts";
import type { KeyCache } from "./auth/key-cache.ts";
import type { HttpMetrics } from "./metrics/http-metrics.ts";
import type { Route } from "./route.ts";
import type { RouteMatch, Router } from "./router.ts";
import type { Streams } from "./stream/streams.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** The gateway's own `this`. */
export interface Gateway extends Service, WithLimiter {
  /** The HTTP server; moleculer-web keeps it under this name, too. */
  server: Server;
  /** The HTTP listener, and moleculer-web's list of its routes. */
  httpHandler(req: IncomingMessage, res: ServerResponse): Promise<void>;
  routes: unknown[];
  router: Router;
  table: Route[];
  keyCache: KeyCache;
  isAdmin: AdminCheck;
  usage: UsageMeter;
  http: HttpMetrics;
  log: EventLog;
  streams: Streams;
  /** The OpenAPI document, as text. */
  document: string;
  /** Answers that have not ended. */
  inFlight: Set<Response>;
  /** Where the server listens, as a URL. */
  address: string;
}

/** A request on its way; the fields behind `$` are moleculer-web's. */
export interface Request extends IncomingMessage {
  $ctx?: Context<unknown, CallMeta>;
  query?: URLSearchParams;
  /** Stated once the route is known. */
  match?: RouteMatch;
  requestId: string;
  /** Header lines for the answer to an upgrade, `name: value`. */
  upgradeHeaders?: string[];
  startedAt: number;
}

export type Response = ServerResponse<Request>;

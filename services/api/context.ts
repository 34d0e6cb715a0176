import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Service } from "moleculer";
import type { Limiter } from "../../mixins/coordination/limiter/limiter.ts";
import type { AuthContext } from "./http/auth.ts";
import type { GuessLimiters } from "./http/guess-limits.ts";
import type { HttpMetrics } from "./http/metrics.ts";
import type { Router } from "./http/router.ts";
import type { Untaken } from "./http/untaken.ts";
import type { UsageMeter } from "./http/usage-meter.ts";
import type { McpSessions } from "./mcp/sessions.ts";
import type { Response } from "./request/request.ts";
import type { Uploads } from "./request/uploads.ts";
import type { AnswerContext } from "./routes/route.ts";
import type { StreamServer, Streams } from "./streams/streams.ts";

/**
 * The gateway's service instance. Functions ask for the part of it that they use: `AuthContext` to authenticate,
 * `AnswerContext` to answer without another service, `StreamServer` to serve events.
 */
export interface Gateway extends Service, AuthContext, GuessLimiters, AnswerContext, StreamServer {
  name: string;
  broker: Service["broker"];
  routeTable: AnswerContext["routeTable"];
  router: Router;
  document: string;
  http: HttpMetrics;
  publicUrl: AnswerContext["publicUrl"];
  botIdentity: AnswerContext["botIdentity"];
  trustedProxies: AnswerContext["trustedProxies"];
  resultRetentionMs: number;
  usage: UsageMeter;
  streams: Streams;
  mcpSessions: McpSessions;
  /** Answers that have not ended. */
  inFlight: Set<Response>;
  /** The bytes of answers and streams that nobody takes. */
  untaken: Untaken;
  /** The bytes of files that clients send. */
  uploads: Uploads;
  /** Where the server listens, as a URL. */
  address: string;
  /** The HTTP server; moleculer-web keeps it under this name, too. */
  server: Server;
  limiter: AuthContext["limiter"];
  /** Counts what the audit log keeps of strangers, in this process. */
  strangers: Pick<Limiter, "consume">;
  /** moleculer-web's listener, and its list of routes. */
  httpHandler(req: IncomingMessage, res: ServerResponse): Promise<void>;
  routes: unknown[];
}

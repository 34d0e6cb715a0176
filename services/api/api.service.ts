import type { ServiceSchema } from "moleculer";
import ApiService from "moleculer-web";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { type Credentials, loadCredentials } from "../../mixins/config/credentials.ts";
import { dropAddress, keepAddress } from "../../mixins/lifecycle/address-file.ts";
import { limiterMixin } from "../../mixins/limiter/limiter.mixin.ts";
import { logMixin } from "../../mixins/log/log.mixin.ts";
import type { EventLog } from "../../mixins/log/log.ts";
import { call } from "../contracts/action.ts";
import { invalid } from "../contracts/errors.ts";
import { type KeyDeleted, keyDeleted } from "../contracts/events.ts";
import { type GatewayMetadata, gatewayRoom } from "../contracts/gateway.ts";
import { authenticate, countUsage } from "../contracts/keys.contract.ts";
import { mixin } from "../contracts/mixin.ts";
import { generateKey } from "../domain/key/generate-key.ts";
import { adminCheck } from "./auth/admin-check.ts";
import { KeyCache } from "./auth/key-cache.ts";
import { banner } from "./banner.ts";
import type { Gateway, Request, Response } from "./gateway.ts";
import { HttpMetrics } from "./metrics/http-metrics.ts";
import { openApiDocument } from "./openapi/document.ts";
import { readiness } from "./own/ready.ts";
import { baseHeaders } from "./reply/reply-headers.ts";
import { sendError } from "./reply/send-error.ts";
import { requestId } from "./request/request-id.ts";
import type { Route } from "./route.ts";
import { createRouter, type RouteMatch } from "./router.ts";
import { routes } from "./routes.ts";
import { serve } from "./serve.ts";
import { createHttpServer, drain, listen } from "./server.ts";
import { takesUpgrade } from "./stream/accept-upgrade.ts";
import { type StreamOptions, streamDefaults } from "./stream/options.ts";
import { Streams } from "./stream/streams.ts";
import { UsageMeter } from "./usage-meter.ts";

/** Within the 25 s that a stop may take. */
const drainMs = 20_000;

export interface ApiOptions {
  /** In place of the table of routes.ts. */
  routes?: Route[];
  /** Takes the lines of the start banner. */
  announce?: (lines: string[]) => void;
  /** In place of the log of this installation. */
  log?: EventLog;
  stream?: Partial<StreamOptions>;
}

const web = ApiService as unknown as ServiceSchema & {
  methods: { httpHandler(this: Gateway, req: Request, res: Response): Promise<void> };
};

/**
 * The gateway: moleculer-web's mixin for the request's context and life cycle; matching, admission, bodies and answers
 * are our own, since its defaults parse bodies before they authenticate, match linearly, let the query override the
 * body, run the action on OPTIONS, know neither 405 nor HEAD, and send internal messages to clients.
 */
export function apiService(config: Config, options: ApiOptions = {}): ServiceSchema {
  const table = options.routes ?? routes;
  const schema = {
    name: gatewayRoom,
    mixins: [web, limiterMixin(config), options.log ? given(options.log) : logMixin(config)],
    settings: {
      server: false,
      logRequest: null,
      logResponse: null,
      logRouteRegistration: null,
      routes: [onlyRoute],
      // A stop waits for the HTTP server, which knows better what is in flight.
      rootCallOptions: { tracking: false },
    },
    metadata: {} satisfies GatewayMetadata,
    actions: { listAliases: false, addRoute: false, removeRoute: false },
    methods: {
      httpHandler(this: Gateway, req: Request, res: Response) {
        return handle(this, req, res);
      },
      parseQueryString: splitQuery,
      resolveAlias(this: Gateway, path: string, method?: string) {
        const match = this.router.match(method ?? "GET", path);
        return { alias: { route: this.routes[0], match }, params: {} };
      },
      async aliasHandler(this: Gateway, req: Request, res: Response, { match }: { match: RouteMatch }) {
        req.match = match;
        await serve(this, req, res, match);
        return true;
      },
      errorHandler(this: Gateway, req: Request, res: Response, error: unknown) {
        sendError(this, req, res, error);
      },
      /** While the other rooms still answer: requests end, and the last counts reach the keys room. */
      async drain(this: Gateway) {
        this.streams?.stop();
        await drain(this.server, this.inFlight, drainMs);
        await this.usage.stop();
      },
    },
    events: {
      [keyDeleted.name](this: Gateway, ctx: { params: KeyDeleted }) {
        this.keyCache.forget(ctx.params.keyId);
        this.streams?.keyDeleted(ctx.params.keyId);
      },
      "$broker.started": {
        async handler(this: Gateway) {
          options.announce?.(banner(config, this.address, await readiness(this)));
        },
      },
    },
    created(this: Gateway) {
      furnish(this, table, config, loadCredentials(config, generateKey));
    },
    async started(this: Gateway) {
      this.streams = new Streams(this, { ...streamDefaults, ...options.stream });
      this.address = await listen(this.server, config.port, config.host);
      this.metadata.address = this.address;
      keepAddress(config, this.address);
      this.usage.start();
    },
    async stopped(this: Gateway & { drain(): Promise<void> }) {
      // A gateway that never listened wrote none; what stands there then is another's.
      if (this.address) dropAddress(config);
      await this.drain();
    },
  };
  // Moleculer's types do not let `this` be more than a plain service.
  return schema as unknown as ServiceSchema;
}

function given(log: EventLog): Partial<ServiceSchema> {
  return mixin<{ log: EventLog }>({
    created() {
      this.log = log;
    },
  });
}

/** One route of moleculer-web carries the whole table; nothing is published but what the table names. */
const onlyRoute = { path: "/", mappingPolicy: "restrict", aliases: {}, bodyParsers: false, logging: false };

function furnish(gateway: Gateway, table: Route[], { social }: Config, { adminKey }: Credentials): void {
  const { broker, logger } = gateway;
  gateway.table = table;
  gateway.inFlight = new Set();
  gateway.router = createRouter(table);
  gateway.document = JSON.stringify(openApiDocument(table, social));
  gateway.isAdmin = adminCheck(adminKey);
  gateway.keyCache = new KeyCache(key => call(broker, authenticate, { key }, { timeout: 5000 }));
  gateway.usage = new UsageMeter(
    counts => call(broker, countUsage, { counts }, { timeout: 5000 }),
    error => logger.warn("usage.not_counted", { error }),
  );
  gateway.http = new HttpMetrics();
  gateway.server = createHttpServer((req, res) => void gateway.httpHandler(req, res), takesUpgrade);
}

async function handle(gateway: Gateway, req: Request, res: Response): Promise<void> {
  req.requestId = requestId(req.headers);
  req.startedAt = performance.now();
  req.headers["x-request-id"] = req.requestId;
  // moleculer-web would let it replace the request id, unchecked.
  delete req.headers["x-correlation-id"];
  baseHeaders(res, req.requestId);
  if (!gateway.server.listening) res.setHeader("connection", "close");
  gateway.inFlight.add(res);
  res.once("close", () => {
    gateway.inFlight.delete(res);
    gateway.http.observe(req, res);
  });
  if (!hasOneHost(req))
    return sendError(gateway, req, res, invalid("host", "required", "HTTP/1.1 requires one Host header."));
  if (req.method === "OPTIONS") return answerOptions(gateway, req, res);
  await web.methods.httpHandler.call(gateway, req, res);
}

/** RFC 9112, 3.2; of two, Node would take the first and a proxy before it perhaps the second. */
function hasOneHost({ httpVersion, headersDistinct: { host } }: Request): boolean {
  return host === undefined ? httpVersion !== "1.1" : host.length === 1;
}

/** moleculer-web takes a plain OPTIONS for a GET. */
function answerOptions(gateway: Gateway, req: Request, res: Response): void {
  try {
    const allow = gateway.router.allowed(splitQuery(req).url);
    res.writeHead(204, { allow: allow.join(", ") }).end();
  } catch (error) {
    sendError(gateway, req, res, error);
  }
}

/** Takes the absolute form of a target, too (RFC 9112, 3.2.2). */
function splitQuery(req: { url?: string }): { url: string; query?: URLSearchParams } {
  const url = (req.url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
  const at = url.indexOf("?");
  return at < 0 ? { url } : { url: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) };
}

export default () =>
  apiService(configFromEnv(), { announce: lines => process.stdout.write(`${lines.join("\n")}\n`) });

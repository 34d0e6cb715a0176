import type { ServiceSchema } from "moleculer";
import ApiService from "moleculer-web";
import { type Periodic, periodic } from "../../mixins/async/periodic.ts";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { type Credentials, loadCredentials } from "../../mixins/config/credentials.ts";
import { removeGatewayAddress, writeGatewayAddress } from "../../mixins/config/gateway-address.ts";
import { limiterMixin } from "../../mixins/coordination/limiter/limiter.mixin.ts";
import { memoryLimiter } from "../../mixins/coordination/limiter/memory.limiter.ts";
import { logMixin } from "../../mixins/event-log/event-log.mixin.ts";
import type { EventLog } from "../../mixins/event-log/event-log.ts";
import { logEvent } from "../../mixins/log/log-events.ts";
import { activityOf } from "../../mixins/runtime/activity.ts";
import { addGauge, addOwnMetrics } from "../../mixins/runtime/metrics.ts";
import { call } from "../contracts/action.ts";
import {
  type KeyChanged,
  type KeyDeleted,
  keyChanged,
  keyDeleted,
  type McpSessionChanged,
  mcpSessionChanged,
  type OwnerChanged,
  ownerChanged,
  type SessionEnded,
  type SourcesRetagged,
  sessionEnded,
  sourcesRetagged,
} from "../contracts/events.ts";
import { type GatewayMetadata, gatewayService } from "../contracts/health.contract.ts";
import { authenticate, countUsage } from "../contracts/keys.contract.ts";
import { mixin, service } from "../contracts/service.ts";
import { findCaller } from "../contracts/session.contract.ts";
import { generateKey } from "../domain/key/generate-key.ts";
import { parseAllowList } from "../domain/url/address-policy.ts";
import { banner } from "./banner.ts";
import type { Gateway } from "./context.ts";
import { adminCheck } from "./http/auth.ts";
import { guessLimiters } from "./http/guess-limits.ts";
import { readiness } from "./http/health.ts";
import { hostCheck } from "./http/hosts.ts";
import { LookupCache } from "./http/lookup-cache.ts";
import { HttpMetrics } from "./http/metrics.ts";
import { createRouter, type RouteMatch } from "./http/router.ts";
import { accept, serve, splitTarget } from "./http/serve.ts";
import { createHttpServer, drain, listen } from "./http/server.ts";
import { requestTags, rootCallOptions } from "./http/trace.ts";
import { Untaken } from "./http/untaken.ts";
import { UsageMeter } from "./http/usage-meter.ts";
import { McpSessions } from "./mcp/sessions.ts";
import { openApiDocument } from "./openapi/document.ts";
import type { Request, Response } from "./request/request.ts";
import { Uploads } from "./request/uploads.ts";
import { sendError } from "./response/send.ts";
import type { Route } from "./routes/route.ts";
import { routes } from "./routes/routes.ts";
import { Sessions } from "./session/sessions.ts";
import { SignIn } from "./session/sign-in.ts";
import { type StreamOptions, streamDefaults } from "./streams/event-stream.ts";
import { Streams } from "./streams/streams.ts";
import { takesUpgrade } from "./streams/upgrade.ts";

/** Part of the 25 s that a stop may take. */
const drainMs = 20_000;
/** How often the untaken bytes of connections are measured. */
const measureEveryMs = 1000;

export interface ApiOptions {
  /** Routes that replace the table of routes.ts. */
  routes?: Route[];
  /** Called with the lines of the start banner. */
  announce?: (lines: string[]) => void;
  /** A log that replaces that of this installation. */
  log?: EventLog;
  stream?: Partial<StreamOptions>;
  /** The clock by which keys end. */
  now?: () => number;
}

const web = ApiService as unknown as ServiceSchema & {
  methods: { httpHandler(req: Request, res: Response): Promise<void> };
};

/**
 * The gateway. moleculer-web's mixin gives the request's context and life cycle. Matching, authentication, bodies and
 * answers are our own, because its defaults parse bodies before they authenticate, match linearly, let the query override
 * the body, run the action on OPTIONS, know neither 405 nor HEAD, and send internal messages to clients.
 */
export function apiService(config: Config, options: ApiOptions = {}): ServiceSchema {
  const table = (options.routes ?? routes).filter(route => config.dashboard || !route.dashboard);
  return service<Gateway & { drain(): Promise<void>; withdrawGauge?: () => void; measuring?: Periodic }>({
    name: gatewayService,
    mixins: [web, limiterMixin(config), options.log ? given(options.log) : logMixin(config)],
    settings: {
      server: false,
      logRequest: null,
      logResponse: null,
      logRouteRegistration: null,
      routes: [onlyRoute],
      rootCallOptions,
    },
    metadata: {} satisfies GatewayMetadata,
    actions: {
      rest: { tracing: { tags: requestTags } },
      listAliases: false,
      addRoute: false,
      removeRoute: false,
    },
    methods: {
      httpHandler(req: Request, res: Response) {
        return accept(this, req, res, () => web.methods.httpHandler.call(this, req, res));
      },
      parseQueryString: splitTarget,
      resolveAlias(path: string, method?: string) {
        const match = this.router.match(method ?? "GET", path);
        return { alias: { route: this.routes[0], match } } satisfies Found;
      },
      /**
       * In place of moleculer-web's: ours reads neither bodies nor policies here, and its listeners and promises cost as much as
       * all of the authentication.
       */
      async routeHandler(_ctx: unknown, _route: unknown, req: Request, res: Response, found: Found) {
        req.match = found.alias.match;
        await serve(this, req, res, found.alias.match);
        return true;
      },
      errorHandler(req: Request, res: Response, error: unknown) {
        // Who has left or has the answer gets no other one, and the error is nobody's.
        if (!res.closed && !res.writableFinished) sendError(this.logger, req, res, error);
      },
      /** Runs while the other services still answer: requests finish, and the last counts reach the keys service. */
      async drain() {
        this.streams?.stop();
        await drain(this.server, this.inFlight, drainMs);
        await this.usage.stop();
      },
    },
    events: {
      [keyDeleted.name](ctx: { params: KeyDeleted }) {
        forgetKey(this, ctx.params.keyId);
        this.streams?.keyDeleted(ctx.params.keyId);
      },
      async [keyChanged.name](ctx: { params: KeyChanged }) {
        forgetKey(this, ctx.params.keyId);
        await this.streams?.keyChanged(ctx.params.keyId);
      },
      [sourcesRetagged.name](ctx: { params: SourcesRetagged }) {
        this.streams?.sourcesRetagged(ctx.params.keyId);
      },
      [mcpSessionChanged.name](ctx: { params: McpSessionChanged }) {
        this.mcpSessions.heard(ctx.params);
      },
      [sessionEnded.name](ctx: { params: SessionEnded }) {
        this.sessions?.ended(ctx.params);
      },
      [ownerChanged.name](ctx: { params: OwnerChanged }) {
        this.sessions?.forgetOwner(ctx.params.owner);
      },
      "$broker.started": {
        async handler() {
          options.announce?.(banner(config, this.address, await readiness(this)));
        },
      },
    },
    created() {
      this.now = options.now ?? Date.now;
      setUp(this, table, config, loadCredentials(config, generateKey));
    },
    async started() {
      const streams = new Streams(this, { ...streamDefaults, ...options.stream });
      this.streams = streams;
      this.withdrawGauge = addGauge(this.broker, {
        name: "magpie_streams",
        description: "Open streams of events",
        read: () => [{ value: streams.size }],
      });
      this.address = await listen(this.server, config.port, config.host, error =>
        logEvent(this.logger, "http_server.failed", { error }),
      );
      this.metadata.address = this.address;
      writeGatewayAddress(config, this.address);
      this.usage.start();
      this.measuring = periodic(() => measureClients(this), {
        everyMs: measureEveryMs,
        onError: error => logEvent(this.logger, "client_check.failed", { error }),
      });
    },
    async stopped() {
      this.withdrawGauge?.();
      void this.measuring?.stop();
      // A gateway that never listened wrote no address: the file would be another gateway's.
      if (this.address) removeGatewayAddress(config);
      await this.drain();
    },
  });
}

function given(log: EventLog): Partial<ServiceSchema> {
  return mixin<{ log: EventLog }>({
    created() {
      this.log = log;
    },
  });
}

/** What moleculer-web finds a request's route by, with ours. */
interface Found {
  alias: { route: unknown; match: RouteMatch };
}

/** A single route of moleculer-web carries the whole table, so only what the table names is public. */
const onlyRoute = { path: "/", mappingPolicy: "restrict", aliases: {}, bodyParsers: false, logging: false };

function setUp(gateway: Gateway, table: Route[], config: Config, { adminKey }: Credentials): void {
  const { broker, logger } = gateway;
  gateway.routeTable = table;
  gateway.inFlight = new Set();
  gateway.router = createRouter(table);
  gateway.document = JSON.stringify(openApiDocument(table, config.social, config.publicUrl));
  gateway.isAdmin = adminCheck(adminKey);
  gateway.publicUrl = config.publicUrl;
  gateway.botIdentity = config.botIdentity;
  gateway.resultRetentionMs = config.resultRetentionMs;
  gateway.checkHost = hostCheck(config.hosts, config.publicUrl);
  gateway.trustedProxies = parseAllowList(config.trustedProxies);
  gateway.keyCache = new LookupCache(key => call(broker, authenticate, { key }, { timeout: 5000 }));
  gateway.keyById = new LookupCache(id => call(broker, findCaller, { id }, { timeout: 5000 }));
  Object.assign(
    gateway,
    guessLimiters(() => gateway.limiter, logger),
  );
  if (config.dashboard) openSignIn(gateway, adminKey);
  gateway.usage = new UsageMeter(
    counts => call(broker, countUsage, { counts }, { timeout: 5000 }),
    error => logEvent(logger, "usage_count.failed", { error }),
    () => activityOf(broker).add("requests"),
  );
  gateway.strangers = memoryLimiter();
  gateway.mcpSessions = new McpSessions({
    broker,
    reading: () => gateway.streams.context,
    onError: error => logEvent(logger, "mcp_message.failed", { error }),
    now: gateway.now,
  });
  gateway.untaken = new Untaken();
  gateway.uploads = new Uploads();
  gateway.http = new HttpMetrics(gateway.untaken);
  gateway.hasHealthPort = config.cluster !== undefined;
  addOwnMetrics(broker, () => gateway.http.metrics());
  gateway.server = createHttpServer((req, res) => {
    gateway.httpHandler(req, res).catch((error: unknown) => {
      logEvent(logger, "http_answer.failed", { error });
      res.destroy();
    });
  }, takesUpgrade);
}

function forgetKey({ keyCache, keyById, sessions }: Gateway, keyId: string): void {
  for (const cache of [keyCache, keyById]) cache.forget(caller => caller.keyId === keyId);
  sessions?.forgetKey(keyId);
}

/** Counts what connections hold in this process beside the bodies that are counted as they are given out. */
function measureClients({ untaken, inFlight, streams }: Gateway): void {
  for (const res of inFlight) untaken.measure(res, res.writableLength);
  streams.measureClients(untaken);
}

function openSignIn(gateway: Gateway, adminKey: string): void {
  const { broker, logger, isAdmin, adminGuesses, signInGuesses, ownerGuesses, trustedProxies } = gateway;
  const sessions = new Sessions(adminKey, broker);
  gateway.sessions = sessions;
  gateway.signIn = new SignIn({
    broker,
    logger,
    sessions,
    isAdmin,
    adminGuesses,
    guesses: signInGuesses,
    ownerGuesses,
    trustedProxies,
  });
}

export default () =>
  apiService(configFromEnv(), { announce: lines => process.stdout.write(`${lines.join("\n")}\n`) });

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import {
  type APIGatewayBotInfo,
  GatewayCloseCodes,
  type GatewayDispatchPayload,
  type GatewayIntentBits,
} from "@discordjs/core/http-only";
import {
  DefaultWebSocketManagerOptions,
  type IContextFetchingStrategy,
  type IIdentifyThrottler,
  type SessionInfo,
  WebSocketShard,
  WebSocketShardEvents,
} from "@discordjs/ws";
import { within } from "../../../../mixins/async/timeout.ts";
import { userAgent } from "../../social/live-socket.ts";

/** The parameters of one connection to the gateway. */
export interface GatewayPlan {
  shardId: number;
  shardCount: number;
  gateway: APIGatewayBotInfo;
  token: string;
  intents: GatewayIntentBits | 0;
  /** Spaces the new sessions of all shards, as Discord requires. */
  throttler: IIdentifyThrottler;
}

/** What a connection leaves to the next one: a session that Discord may resume. */
export interface KeptSession {
  info: SessionInfo | null;
  /** The intents of the session, which cannot change. */
  intents?: GatewayPlan["intents"];
}

export interface GatewayEvents {
  /** The connection is ready, with a new or a resumed session. May be called more than once. */
  onConnected(): void;
  onDispatch(payload: GatewayDispatchPayload): void;
}

/** Why a connection ended: Discord's close code, and the network error where there was one. */
export interface GatewayEnd {
  code: number;
  cause?: unknown;
}

/** Milliseconds. The handshake has the shortest limit, since the library loses track of a socket that is still opening. */
const handshakeMs = 8000;
const helloMs = 10_000;
const readyMs = 20_000;
const farewellMs = 3000;

/** Close codes after which the library does not reconnect. */
const lastCodes: number[] = [
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
];

/**
 * Runs one connection to the gateway, from the first attempt to its end; null when the signal ended it. The library would
 * reconnect by itself, at a fixed pace and even after its own `destroy`. Before it does, it asks for the session; after
 * the end that question is never answered.
 */
export async function runGatewayConnection(
  plan: GatewayPlan,
  kept: KeptSession,
  events: GatewayEvents,
  signal: AbortSignal,
): Promise<GatewayEnd | null> {
  if (signal.aborted) return null;
  if (kept.intents !== plan.intents) Object.assign(kept, { info: null, intents: plan.intents });
  let end: GatewayEnd | undefined;
  let cause: unknown;
  const left = Promise.withResolvers<void>();
  const helloReceived = Promise.withResolvers<void>();
  const shard = new WebSocketShard(
    strategyOf(plan, {
      async retrieveSessionInfo() {
        if (!end) return kept.info;
        left.resolve();
        return await new Promise<never>(() => undefined);
      },
      updateSessionInfo(_, info) {
        kept.info = info;
      },
    }),
    plan.shardId,
  );
  shard.on(WebSocketShardEvents.Hello, () => helloReceived.resolve());
  shard.on(WebSocketShardEvents.Ready, events.onConnected);
  shard.on(WebSocketShardEvents.Resumed, events.onConnected);
  shard.on(WebSocketShardEvents.Dispatch, events.onDispatch);
  // The library reports each error by the close code as well.
  for (const event of [WebSocketShardEvents.SocketError, WebSocketShardEvents.Error] as const)
    shard.on(event, error => {
      cause = error;
    });
  shard.on(WebSocketShardEvents.Closed, code => {
    end = { code, cause };
    helloReceived.resolve();
    if (lastCodes.includes(code)) left.resolve();
  });
  const leave = async () => {
    await helloReceived.promise;
    if (end) return;
    await within(farewellMs, shard.destroy(), () => undefined);
    left.resolve();
  };
  signal.addEventListener("abort", leave, { once: true });
  catchDropped(shard, error => {
    cause = error;
    // This session may raise this error again.
    kept.info = null;
    helloReceived.resolve();
    left.resolve();
    if (!end) void within(farewellMs, shard.destroy(), () => undefined);
    end ??= { code: 1006, cause };
  });
  const unsign = signHandshakes();
  shard.connect().catch(error => {
    cause = error;
  });
  await left.promise;
  unsign();
  signal.removeEventListener("abort", leave);
  return signal.aborted ? null : (end ?? { code: 1006, cause });
}

/** Methods of the library whose promises it does not await. */
const dropped = ["internalConnect", "onMessage", "onClose", "heartbeat", "destroy"] as const;

type Dropped = Record<(typeof dropped)[number], (...args: unknown[]) => Promise<void>>;

/** Catches what the library throws about invalid messages or URLs, which would otherwise be unhandled rejections. */
function catchDropped(shard: WebSocketShard, onError: (error: unknown) => void): void {
  const methods = shard as unknown as Dropped;
  for (const name of dropped) {
    const method = methods[name];
    methods[name] = (...args) => method.apply(shard, args).catch(onError);
  }
}

/**
 * Adds a `User-Agent` to WebSocket handshakes without one, until the returned function is called. The library sends none
 * and takes no headers, and servers with Discord's protocol refuse such connections.
 */
function signHandshakes(): () => void {
  const created = "http.client.request.created";
  const sign = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    if (request.getHeader("upgrade") === "websocket" && !request.hasHeader("user-agent"))
      request.setHeader("user-agent", userAgent);
  };
  subscribe(created, sign);
  return () => unsubscribe(created, sign);
}

function strategyOf(
  { shardCount, gateway, token, intents, throttler }: GatewayPlan,
  sessions: Pick<IContextFetchingStrategy, "retrieveSessionInfo" | "updateSessionInfo">,
): IContextFetchingStrategy {
  return {
    options: {
      ...DefaultWebSocketManagerOptions,
      handshakeTimeout: handshakeMs,
      helloTimeout: helloMs,
      readyTimeout: readyMs,
      gatewayInformation: gateway,
      shardCount,
      token,
      intents,
    },
    ...sessions,
    waitForIdentify: (shardId, signal) => throttler.waitForIdentify(shardId, signal),
  };
}

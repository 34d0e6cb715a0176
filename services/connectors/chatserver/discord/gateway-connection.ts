import { setTimeout as sleep } from "node:timers/promises";
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

/** What one connection to the gateway is made with. */
export interface GatewayPlan {
  shardId: number;
  shardCount: number;
  gateway: APIGatewayBotInfo;
  token: string;
  intents: GatewayIntentBits | 0;
  /** Spaces the sessions that all shards begin, as Discord wants. */
  throttler: IIdentifyThrottler;
}

/** What a connection leaves to the next one: a session that Discord may go on with. */
export interface KeptSession {
  info: SessionInfo | null;
  /** What it was begun with; a session keeps that. */
  intents?: GatewayPlan["intents"];
}

export interface GatewayEvents {
  /** The connection stands: begun anew, or the session goes on. May be told more than once. */
  onStands(): void;
  onDispatch(payload: GatewayDispatchPayload): void;
}

/** Why a connection ended: the code that Discord closed it with, and the network's error where there was one. */
export interface GatewayEnd {
  code: number;
  cause?: unknown;
}

/** Milliseconds. The handshake is the shortest, since the library forgets a socket that is still being opened. */
const handshakeMs = 8000;
const helloMs = 10_000;
const readyMs = 20_000;
const farewellMs = 3000;

/** After these the library connects no more by itself. */
const lastCodes: number[] = [
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
];

/**
 * One connection to the gateway, from the first attempt to its end; null when the signal ended it. The library would
 * connect again by itself, at a fixed pace and beyond its own `destroy`. It asks for the session before it does, and
 * after the end it gets no answer to that.
 */
export async function standAtGateway(
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
  const heard = Promise.withResolvers<void>();
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
  shard.on(WebSocketShardEvents.Hello, () => heard.resolve());
  shard.on(WebSocketShardEvents.Ready, events.onStands);
  shard.on(WebSocketShardEvents.Resumed, events.onStands);
  shard.on(WebSocketShardEvents.Dispatch, events.onDispatch);
  // What the library calls an error it tells by the close code as well.
  for (const event of [WebSocketShardEvents.SocketError, WebSocketShardEvents.Error] as const)
    shard.on(event, error => {
      cause = error;
    });
  shard.on(WebSocketShardEvents.Closed, code => {
    end = { code, cause };
    heard.resolve();
    if (lastCodes.includes(code)) left.resolve();
  });
  const leave = async () => {
    await heard.promise;
    if (end) return;
    await within(farewellMs, shard.destroy());
    left.resolve();
  };
  signal.addEventListener("abort", leave, { once: true });
  shard.connect().catch(error => {
    cause = error;
  });
  await left.promise;
  signal.removeEventListener("abort", leave);
  return signal.aborted ? null : (end ?? { code: 1006, cause });
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

async function within(ms: number, farewell: Promise<void>): Promise<void> {
  const done = new AbortController();
  const late = sleep(ms, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([farewell, late]);
  done.abort();
}

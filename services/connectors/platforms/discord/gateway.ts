import { setTimeout as sleep } from "node:timers/promises";
import {
  type APIGatewayBotInfo,
  type APIGatewaySessionStartLimit,
  GatewayCloseCodes,
  type GatewayDispatchPayload,
  GatewayIntentBits,
} from "@discordjs/core/http-only";
import { SimpleIdentifyThrottler } from "@discordjs/ws";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import { fail } from "../../../contracts/errors.ts";
import { retryUntilStopped } from "../../social/retry-until-stopped.ts";
import { type DriverTools, quoteAnswer, refusal } from "../../social/social-connector.ts";
import { type DiscordSettings, refusedToken } from "./api.ts";
import type { ChannelReader } from "./channels.ts";
import {
  type GatewayEnd,
  type GatewayPlan,
  type KeptSession,
  runGatewayConnection,
} from "./gateway-connection.ts";

export interface GatewayContext {
  reader: ChannelReader;
  settings: DiscordSettings;
  tools: DriverTools;
}

interface GatewayHandlers {
  /** A connection is ready. */
  onConnected(): void;
  /** `withContent`: messages of this connection have their text. */
  onDispatch(payload: GatewayDispatchPayload, withContent: boolean): void;
  /** Called once each time a connection is lost or cannot be opened. */
  onLost(error: Error): void;
}

type ShardPlan = Pick<GatewayPlan, "shardId" | "shardCount" | "throttler">;

const baseIntents = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages;

/** Keeps the connections to the gateway open, one per shard, until the signal fires. Rejects with a refusal only. */
export async function holdGateway(
  context: GatewayContext,
  handlers: GatewayHandlers,
  signal: AbortSignal,
): Promise<void> {
  const { tools } = context;
  const first = await retryUntilStopped(() => askGateway(context, signal), handlers.onLost, tools, signal);
  if (!first) return;
  const throttler = new SimpleIdentifyThrottler(first.session_start_limit.max_concurrency);
  const refused = new AbortController();
  const during = AbortSignal.any([signal, refused.signal]);
  const shards = Array.from({ length: first.shards }, (_, shardId) =>
    holdShard(context, { shardId, shardCount: first.shards, throttler }, handlers, during).catch(error => {
      refused.abort(error);
      throw error;
    }),
  );
  for (const end of await Promise.allSettled(shards)) if (end.status === "rejected") throw end.reason;
}

async function holdShard(
  context: GatewayContext,
  shard: ShardPlan,
  handlers: GatewayHandlers,
  signal: AbortSignal,
): Promise<void> {
  const { reader, settings, tools } = context;
  const kept: KeptSession = { info: null };
  let begunAt = Number.NEGATIVE_INFINITY;
  const attempt = async (connected: () => void) => {
    const gateway = await askGateway(context, signal);
    if (!kept.info) {
      checkBudget(gateway);
      const leftMs = begunAt + sessionSpacingMs(gateway.session_start_limit, shard.shardCount) - tools.now();
      await sleep(Math.max(0, leftMs), undefined, { signal });
      begunAt = tools.now();
    }
    const { mayReadContent } = await reader.bot(signal, { fresh: true });
    if (!mayReadContent) logEvent(tools.logger, "discord_content.refused", { advice: contentAdvice });
    const intents = mayReadContent ? baseIntents | GatewayIntentBits.MessageContent : baseIntents;
    const plan = { ...shard, gateway, token: settings.botToken, intents };
    const events = {
      onConnected() {
        connected();
        handlers.onConnected();
      },
      onDispatch: (payload: GatewayDispatchPayload) => handlers.onDispatch(payload, mayReadContent),
    };
    const end = await runGatewayConnection(plan, kept, events, signal);
    if (end) throw errorOfEnd(end);
  };
  await retryUntilStopped(attempt, handlers.onLost, tools, signal);
}

const contentAdvice =
  "Messages come without their text: switch on the Message Content Intent on the bot's page of the developer portal.";

async function askGateway({ reader }: GatewayContext, signal: AbortSignal): Promise<APIGatewayBotInfo> {
  return await reader.ask(signal, (api, on) => api.gateway.getBot({ signal: on }));
}

/** Discord revokes the token of a bot that starts more sessions in a day than allowed. */
function checkBudget({ session_start_limit: { remaining, reset_after } }: APIGatewayBotInfo): void {
  if (remaining > 0) return;
  const extras = { retry_after: Math.ceil(reset_after / 1000) };
  throw fail("connector_unavailable", "Discord accepts no more connections of this bot today.", extras);
}

function errorOfEnd({ code, cause }: GatewayEnd): Error {
  if (code === GatewayCloseCodes.AuthenticationFailed) return refusal(refusedToken, cause);
  if (code === GatewayCloseCodes.DisallowedIntents) return refusal(contentAdvice, cause);
  if (code >= GatewayCloseCodes.InvalidShard && code <= GatewayCloseCodes.DisallowedIntents)
    return refusal(`Discord does not accept this bot's connection (${code}).`, cause);
  const said = cause instanceof Error ? cause.message : `the close code is ${code}`;
  return new Error(quoteAnswer("The connection to Discord was lost.", said), { cause });
}

/** The longest delay that a timer takes. */
const longestMs = 2 ** 31 - 1;

/**
 * Milliseconds between two new sessions of one shard, so that the rest of the daily limit lasts until its reset: without
 * any left the bot stays offline until then (docs.discord.com, "Session Start Limit Object").
 */
export function sessionSpacingMs(
  { remaining, reset_after }: Pick<APIGatewaySessionStartLimit, "remaining" | "reset_after">,
  shards: number,
): number {
  return Math.min(longestMs, Math.ceil((reset_after * shards) / Math.max(1, remaining)));
}

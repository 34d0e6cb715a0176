import { setTimeout as sleep } from "node:timers/promises";
import {
  type APIGatewayBotInfo,
  GatewayCloseCodes,
  type GatewayDispatchPayload,
  GatewayIntentBits,
} from "@discordjs/core/http-only";
import { SimpleIdentifyThrottler } from "@discordjs/ws";
import { fail } from "../../../contracts/errors.ts";
import { insist } from "../../social/insist.ts";
import { refusal } from "../../social/refusal.ts";
import type { DriverTools } from "../../social/social-connector.ts";
import type { Reader } from "./channels.ts";
import { type DiscordSettings, refusedToken } from "./discord-api.ts";
import { type GatewayEnd, type GatewayPlan, type KeptSession, standAtGateway } from "./gateway-connection.ts";
import { spacing } from "./session-budget.ts";

export interface GatewayRoom {
  reader: Reader;
  settings: DiscordSettings;
  tools: DriverTools;
}

export interface GatewayEar {
  /** A connection stands. */
  onStands(): void;
  /** `withContent`: the connection brings what messages say. */
  onDispatch(payload: GatewayDispatchPayload, withContent: boolean): void;
  /** Told once for each time that a connection is lost or cannot be made. */
  onLost(error: Error): void;
}

type ShardPlan = Pick<GatewayPlan, "shardId" | "shardCount" | "throttler">;

const baseIntents = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages;

/** Holds the connections to the gateway, one per shard, until the signal fires. Rejects with a refusal only. */
export async function holdGateway(room: GatewayRoom, ear: GatewayEar, signal: AbortSignal): Promise<void> {
  const { tools } = room;
  const first = await insist(() => askGateway(room, signal), ear.onLost, tools, signal);
  if (!first) return;
  const throttler = new SimpleIdentifyThrottler(first.session_start_limit.max_concurrency);
  const refused = new AbortController();
  const during = AbortSignal.any([signal, refused.signal]);
  const shards = Array.from({ length: first.shards }, (_, shardId) =>
    holdShard(room, { shardId, shardCount: first.shards, throttler }, ear, during).catch(error => {
      refused.abort(error);
      throw error;
    }),
  );
  for (const end of await Promise.allSettled(shards)) if (end.status === "rejected") throw end.reason;
}

async function holdShard(
  room: GatewayRoom,
  shard: ShardPlan,
  ear: GatewayEar,
  signal: AbortSignal,
): Promise<void> {
  const { reader, settings, tools } = room;
  const kept: KeptSession = { info: null };
  let begunAt = Number.NEGATIVE_INFINITY;
  const attempt = async (stands: () => void) => {
    const gateway = await askGateway(room, signal);
    if (!kept.info) {
      checkBudget(gateway);
      const leftMs = begunAt + spacing(gateway.session_start_limit, shard.shardCount) - tools.now();
      await sleep(Math.max(0, leftMs), undefined, { signal });
      begunAt = tools.now();
    }
    const { mayReadContent } = await reader.bot(signal, { fresh: true });
    if (!mayReadContent) tools.logger.warn("discord.no_content", { advice: contentAdvice });
    const intents = mayReadContent ? baseIntents | GatewayIntentBits.MessageContent : baseIntents;
    const plan = { ...shard, gateway, token: settings.botToken, intents };
    const events = {
      onStands() {
        stands();
        ear.onStands();
      },
      onDispatch: (payload: GatewayDispatchPayload) => ear.onDispatch(payload, mayReadContent),
    };
    const end = await standAtGateway(plan, kept, events, signal);
    if (end) throw meaningOf(end);
  };
  await insist(attempt, ear.onLost, tools, signal);
}

const contentAdvice =
  "Messages come without their text: switch on the Message Content Intent on the bot's page of the developer portal.";

async function askGateway({ reader }: GatewayRoom, signal: AbortSignal): Promise<APIGatewayBotInfo> {
  return await reader.ask(signal, (api, on) => api.gateway.getBot({ signal: on }));
}

/** Discord takes a token away from a bot that begins more sessions in a day than it may. */
function checkBudget({ session_start_limit: { remaining, reset_after } }: APIGatewayBotInfo): void {
  if (remaining > 0) return;
  const extras = { retry_after: Math.ceil(reset_after / 1000) };
  throw fail("connector_unavailable", "Discord takes no more connections of this bot for today.", extras);
}

function meaningOf({ code, cause }: GatewayEnd): Error {
  if (code === GatewayCloseCodes.AuthenticationFailed) return refusal(refusedToken, cause);
  if (code === GatewayCloseCodes.DisallowedIntents) return refusal(contentAdvice, cause);
  if (code >= GatewayCloseCodes.InvalidShard && code <= GatewayCloseCodes.DisallowedIntents)
    return refusal(`Discord does not take this bot's connection (${code}).`, cause);
  return new Error("The connection to Discord was lost.", { cause });
}

import {
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewayMessageCreateDispatchData,
} from "@discordjs/core/http-only";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import type { Listener } from "../../social/social-connector.ts";
import { type GatewayContext, holdGateway } from "./gateway.ts";
import { isWritten, type Reading, toPost } from "./map-post.ts";
import { learnNames } from "./names.ts";
import { channelPrefix } from "./sid.ts";

/** Queued messages; further ones are left to a poll. */
const maxWaiting = 1000;

/** Publishes the messages of the bot's servers, one after the other. */
export async function listen(
  context: GatewayContext,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { logger } = context.tools;
  const { names } = context.reader;
  /** Servers of the connection. */
  const present = new Set<string>();
  /** Sources with skipped messages. */
  const skipped = new Set<string>();
  let queue = Promise.resolve();
  let waiting = 0;
  const next = (step: () => Promise<void>) => {
    waiting += 1;
    queue = queue.then(async () => {
      if (!signal.aborted)
        await step().catch(error => logEvent(logger, "discord_event.failed", { error: String(error) }));
      waiting -= 1;
    });
  };
  const gap = (externalIds?: string[]) => next(() => listener.onGap(externalIds));
  const skip = (externalIds: string[]) => {
    if (skipped.size === 0)
      next(async () => {
        const missed = [...skipped];
        skipped.clear();
        await listener.onGap(missed);
      });
    for (const externalId of externalIds) skipped.add(externalId);
  };
  await holdGateway(
    context,
    {
      onConnected: () => gap(),
      onLost: ({ message }) => listener.onLost(message),
      onDispatch(payload, withContent) {
        learnNames(names, payload);
        const arrived = arrivedGuild(payload, present);
        if (arrived !== undefined && listener.isTracked(arrived)) gap([arrived]);
        if (payload.t !== GatewayDispatchEvents.MessageCreate) return;
        const tracked = trackedOf(payload.d, listener);
        if (tracked.length === 0) return;
        if (waiting >= maxWaiting || tracked.some(id => skipped.has(id))) skip(tracked);
        else next(() => publish(payload.d, { mayReadContent: withContent, names }, listener));
      },
    },
    signal,
  );
  await queue;
}

/**
 * The server that the bot was just added to, or that is back after an outage of Discord, and can be read from now on. A
 * new session names the servers that the bot is already in.
 */
function arrivedGuild({ t, d }: GatewayDispatchPayload, present: Set<string>): string | undefined {
  if (t === GatewayDispatchEvents.Ready) for (const { id } of d.guilds) present.add(id);
  if (t === GatewayDispatchEvents.GuildDelete) present.delete(d.id);
  if (t !== GatewayDispatchEvents.GuildCreate || present.has(d.id)) return undefined;
  present.add(d.id);
  return d.id;
}

/** The tracked sources of a message: its server and its channel. */
function trackedOf(message: GatewayMessageCreateDispatchData, listener: Listener): string[] {
  const { guild_id: guildId, channel_id: channelId } = message;
  if (guildId === undefined || !isWritten(message)) return [];
  return [guildId, channelPrefix + channelId].filter(id => listener.isTracked(id));
}

async function publish(
  message: GatewayMessageCreateDispatchData,
  reading: Omit<Reading, "guildId">,
  listener: Listener,
): Promise<void> {
  const { guild_id: guildId } = message;
  if (guildId === undefined) return;
  const post = toPost(message, { ...reading, guildId });
  // A source may have been unfollowed meanwhile.
  for (const externalId of trackedOf(message, listener))
    await listener.onPosts(externalId, [post]).catch(() => listener.onGap([externalId]));
}

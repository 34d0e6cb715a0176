import {
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewayMessageCreateDispatchData,
} from "@discordjs/core/http-only";
import type { Listener } from "../../social/social-connector.ts";
import { type GatewayRoom, holdGateway } from "./hold-gateway.ts";
import { isWritten, toPost } from "./map-message.ts";
import { channelPrefix } from "./read-sid.ts";

/** Steps that wait for the one before them; what comes when there are more is read by a poll. */
const maxWaiting = 1000;

/** Tells what the servers of the bot are sent. One post waits for the one before it. */
export async function listenToGateway(
  room: GatewayRoom,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { logger } = room.tools;
  /** Servers that the connection brings. */
  const present = new Set<string>();
  /** Sources of which something was not taken in. */
  const behind = new Set<string>();
  let told = Promise.resolve();
  let waiting = 0;
  const next = (step: () => Promise<void>) => {
    waiting += 1;
    told = told.then(async () => {
      if (!signal.aborted)
        await step().catch(error => logger.warn("discord.not_told", { error: String(error) }));
      waiting -= 1;
    });
  };
  const gap = (externalIds?: string[]) => next(() => listener.onGap(externalIds));
  const fallBehind = (externalIds: string[]) => {
    if (behind.size === 0)
      next(async () => {
        const missed = [...behind];
        behind.clear();
        await listener.onGap(missed);
      });
    for (const externalId of externalIds) behind.add(externalId);
  };
  await holdGateway(
    room,
    {
      onStands: () => gap(),
      onLost: ({ message }) => listener.onLost(message),
      onDispatch(payload, withContent) {
        const arrived = arrivedGuild(payload, present);
        if (arrived !== undefined && listener.isTracked(arrived)) gap([arrived]);
        if (payload.t !== GatewayDispatchEvents.MessageCreate) return;
        const tracked = trackedOf(payload.d, listener);
        if (tracked.length === 0) return;
        if (waiting >= maxWaiting || tracked.some(id => behind.has(id))) fallBehind(tracked);
        else next(() => tell(payload.d, withContent, listener));
      },
    },
    signal,
  );
  await told;
}

/**
 * The server that the bot was let into, or that is back after an outage of Discord's, so that it can be read from now
 * on. Those that the bot is in already are named when a session begins.
 */
function arrivedGuild({ t, d }: GatewayDispatchPayload, present: Set<string>): string | undefined {
  if (t === GatewayDispatchEvents.Ready) for (const { id } of d.guilds) present.add(id);
  if (t === GatewayDispatchEvents.GuildDelete) present.delete(d.id);
  if (t !== GatewayDispatchEvents.GuildCreate || present.has(d.id)) return undefined;
  present.add(d.id);
  return d.id;
}

/** Sources to which a message belongs, its server and its channel, as far as somebody tracks them. */
function trackedOf(message: GatewayMessageCreateDispatchData, listener: Listener): string[] {
  const { guild_id: guildId, channel_id: channelId } = message;
  if (guildId === undefined || !isWritten(message)) return [];
  return [guildId, channelPrefix + channelId].filter(id => listener.isTracked(id));
}

async function tell(
  message: GatewayMessageCreateDispatchData,
  mayReadContent: boolean,
  listener: Listener,
): Promise<void> {
  const { guild_id: guildId } = message;
  if (guildId === undefined) return;
  const post = toPost(message, { guildId, mayReadContent });
  // Somebody may have ended it meanwhile.
  for (const externalId of trackedOf(message, listener))
    await listener.onPosts(externalId, [post]).catch(() => listener.onGap([externalId]));
}

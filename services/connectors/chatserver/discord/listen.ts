import {
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewayMessageCreateDispatchData,
} from "@discordjs/core/http-only";
import type { Listener } from "../../social/social-connector.ts";
import { type GatewayRoom, holdGateway } from "./hold-gateway.ts";
import { isWritten, toPost } from "./map-message.ts";
import { channelPrefix } from "./read-sid.ts";

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
  let told = Promise.resolve();
  const next = (step: () => Promise<void>) => {
    told = told.then(async () => {
      if (!signal.aborted)
        await step().catch(error => logger.warn("discord.not_told", { error: String(error) }));
    });
  };
  const gap = (externalIds?: string[]) => next(() => listener.onGap(externalIds));
  await holdGateway(
    room,
    {
      onStands: () => gap(),
      onLost: ({ message }) => listener.onLost(message),
      onDispatch(payload, withContent) {
        const arrived = arrivedGuild(payload, present);
        if (arrived !== undefined && listener.isTracked(arrived)) gap([arrived]);
        if (payload.t === GatewayDispatchEvents.MessageCreate)
          next(() => tell(payload.d, withContent, listener));
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

async function tell(
  message: GatewayMessageCreateDispatchData,
  mayReadContent: boolean,
  listener: Listener,
): Promise<void> {
  const { guild_id: guildId, channel_id: channelId } = message;
  if (guildId === undefined || !isWritten(message)) return;
  const tracked = [guildId, channelPrefix + channelId].filter(id => listener.isTracked(id));
  if (tracked.length === 0) return;
  const post = toPost(message, { guildId, mayReadContent });
  for (const externalId of tracked)
    await listener.onPosts(externalId, [post]).catch(() => listener.onGap([externalId]));
}

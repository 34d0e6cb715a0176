import { GatewayDispatchEvents, type GatewayDispatchPayload } from "@discordjs/core/http-only";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type { Listener } from "../../social/social-connector.ts";
import { deletedPost, editedPost } from "../post-details.ts";
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
        const told = toldBy(payload);
        const tracked = told ? trackedOf(told, listener) : [];
        if (!told || tracked.length === 0) return;
        if (waiting >= maxWaiting || tracked.some(id => skipped.has(id))) skip(tracked);
        else next(() => publish(told, { mayReadContent: withContent, names }, listener));
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

/** What a dispatch tells of messages of one channel. */
interface Told {
  guildId: string;
  channelId: string;
  posts(reading: Reading): Post[];
}

function toldBy({ t, d }: GatewayDispatchPayload): Told | undefined {
  switch (t) {
    case GatewayDispatchEvents.MessageCreate:
      return isWritten(d) ? toldIn(d, reading => [toPost(d, reading)]) : undefined;
    case GatewayDispatchEvents.MessageUpdate: {
      // Discord also updates a message when it has read a page that the message links to.
      const { edited_timestamp: at } = d;
      return isWritten(d) && at ? toldIn(d, reading => [editedPost(toPost(d, reading), at)]) : undefined;
    }
    case GatewayDispatchEvents.MessageDelete:
      return toldIn(d, () => [asDeleted(d.id, d)]);
    case GatewayDispatchEvents.MessageDeleteBulk:
      return toldIn(d, () => d.ids.map(id => asDeleted(id, d)));
    default:
      return undefined;
  }
}

interface Place {
  guild_id?: string;
  channel_id: string;
}

function toldIn({ guild_id, channel_id }: Place, posts: Told["posts"]): Told | undefined {
  return guild_id === undefined ? undefined : { guildId: guild_id, channelId: channel_id, posts };
}

function asDeleted(id: string, { guild_id, channel_id }: Place): Post {
  const message = { id, channelId: channel_id, guildId: guild_id ?? null };
  return deletedPost({ postId: id, type: "chatserver.message.created", data: { message } });
}

/** The tracked sources of a message: its server and its channel. */
function trackedOf({ guildId, channelId }: Told, listener: Listener): string[] {
  return [guildId, channelPrefix + channelId].filter(id => listener.isTracked(id));
}

async function publish(told: Told, reading: Omit<Reading, "guildId">, listener: Listener): Promise<void> {
  const posts = told.posts({ ...reading, guildId: told.guildId });
  // A source may have been unfollowed meanwhile.
  for (const externalId of trackedOf(told, listener))
    await listener.onPosts(externalId, posts).catch(() => listener.onGap([externalId]));
}

import { fail, invalid } from "../../contracts/errors.ts";
import type { JoinStanding } from "../../contracts/platforms.contract.ts";
import type { MessengerMessage, MessengerMessages } from "../../contracts/social.ts";
import { tally } from "../../domain/sandbox/phrase.ts";
import { openedAt } from "../../domain/sandbox/turns.ts";
import { type SandboxChannel, world } from "../../domain/sandbox/world.ts";
import { lastSegment } from "../social/sandbox/last-segment.ts";
import { sandboxConnector } from "../social/sandbox/sandbox-connector.ts";
import type { Said, Stage } from "../social/sandbox/stage.ts";
import type { SocialConnector } from "../social/social-connector.ts";

/** Milliseconds from the request to be let in until somebody approves. */
const approvalMs = 3000;
/** Messages of a channel among which a search looks. */
const searchDepth = 1000;

/** The requests to be let into gated channels, by invite. */
export interface Door {
  /** Milliseconds since the epoch; undefined while nobody has asked. */
  askedAt(invite: string): Promise<number | undefined>;
  /** Resolves when all know it. */
  ask(invite: string, at: number): Promise<unknown>;
  now(): number;
}

/**
 * The simulated messenger. `sid`: a user name with or without @, a channel's id or URL, or an invite's link or code,
 * with a + before it. A gated channel lets in whoever has asked, a few seconds later.
 */
export function sandboxMessenger(stage: Stage, door: Door): SocialConnector {
  const standing = async ({ invite }: SandboxChannel): Promise<JoinStanding> => {
    const askedAt = invite === undefined ? 0 : await door.askedAt(invite);
    if (askedAt === undefined) return { state: "unasked", notBefore: null };
    return door.now() >= askedAt + approvalMs ? { state: "in" } : { state: "pending", notBefore: null };
  };
  const isIn = async (channel: SandboxChannel) => (await standing(channel)).state === "in";
  const readable = async (channel: SandboxChannel) => {
    if (await isIn(channel)) return channel;
    throw fail("forbidden", "This channel lets nobody in who has not asked; ask by its invite.");
  };
  return {
    ...sandboxConnector({
      kind: "messenger",
      stage,
      find: async sid => {
        const { id, username, name } = await readable(channelOf(sid, "sid"));
        return { externalId: id, username, name };
      },
      voicesOf: async externalId => [(await readable(channelById(externalId))).id],
      sourcesOf: voice => [voice],
      toPost: said => {
        const message = toMessage(said);
        return {
          postId: String(message.id),
          revision: "1",
          type: "messenger.message.created",
          data: { message },
        };
      },
    }),
    async admission(sid) {
      const channel = channelOf(sid, "sid");
      if (channel.invite === undefined || (await isIn(channel))) return { state: "in" };
      return { state: "approval_needed", invite: channel.invite };
    },
    async join(invite) {
      const channel = gatedBy(invite);
      if ((await standing(channel)).state === "unasked") await door.ask(invite, door.now());
      return standing(channel);
    },
    async checkJoin(invite) {
      return standing(gatedBy(invite));
    },
    async search({ q, channelId, limit }) {
      const channels =
        channelId === undefined
          ? await Promise.all(world.messenger.map(async channel => ((await isIn(channel)) ? [channel] : [])))
          : [[await readable(channelOf(channelId, "channelId"))]];
      await stage.refresh();
      return search(stage, channels.flat(), q, limit);
    },
    async post({ channelId }, text) {
      if (channelId === undefined)
        throw invalid("channelId", "required", "Tell by `channelId` where it is posted.");
      const { at } = await stage.say(channelOf(channelId, "channelId").id, text);
      return { id: String(messageIdOf(at)) };
    },
  };
}

function channelOf(sid: string, field: "sid" | "channelId"): SandboxChannel {
  const name = lastSegment(sid.trim())?.replace(/^@/, "");
  if (!name || !/^\+?[A-Za-z0-9_-]{3,64}$/.test(name))
    throw invalid(
      field,
      "channel",
      "Give a channel's user name, such as @magpie_watch, or an invite's link.",
    );
  const found = world.messenger.find(({ id, username, invite }) =>
    name.startsWith("+") ? `+${invite}` === name : id === name || username === name.toLowerCase(),
  );
  if (!found) throw fail("not_found", "There is no such channel on the simulated messenger.");
  return found;
}

function channelById(externalId: string): SandboxChannel {
  const found = world.messenger.find(({ id }) => id === externalId);
  if (!found) throw fail("not_found", "There is no such channel on the simulated messenger.");
  return found;
}

function gatedBy(invite: string): SandboxChannel {
  const found = world.messenger.find(channel => channel.invite === invite);
  if (!found) throw fail("not_found", "There is no such invite on the simulated messenger.");
  return found;
}

/** The messages of the channels that hold the text, newest first; all of them are counted. */
function search(
  stage: Stage,
  channels: SandboxChannel[],
  q: string | undefined,
  limit: number,
): MessengerMessages {
  const ids = channels.map(({ id }) => id);
  const wanted = q?.toLowerCase() ?? "";
  const found = stage
    .before(ids, Number.POSITIVE_INFINITY, searchDepth)
    .filter(({ text }) => text.toLowerCase().includes(wanted));
  return { total: found.length, messages: found.slice(0, limit).map(toMessage) };
}

/** Grows in each channel, as the messenger's own do. */
function messageIdOf(at: number): number {
  return at - openedAt;
}

function toMessage({ voice, at, text }: Said): MessengerMessage {
  const { id, name, isGroup } = channelById(voice);
  return {
    id: messageIdOf(at),
    text,
    date: Math.floor(at / 1000),
    channelId: id,
    channelTitle: name,
    fromId: null,
    views: isGroup ? null : tally(at, 9000),
    forwards: isGroup ? null : tally(at + 1, 60),
    hasMedia: false,
    mediaType: null,
  };
}

import type { JoinState } from "../../../contracts/connectors.contract.ts";
import { fail, invalid } from "../../../contracts/errors.ts";
import type { MessengerMessage, MessengerMessages } from "../../../contracts/social.ts";
import { type SandboxChannel, world } from "../../../domain/sandbox/world.ts";
import type { SocialConnector } from "../../social/social-connector.ts";
import { addressesIn, detailsOf } from "../post-details.ts";
import { sandboxConnector } from "./connector.ts";
import { openedAt, tally } from "./schedule.ts";
import { channelNameIn } from "./sid.ts";
import type { SandboxPost, Simulator } from "./simulator.ts";

/** Milliseconds until a join request is approved. */
const approvalMs = 3000;
/** Messages of a channel that a search covers. */
const searchDepth = 1000;

/** The join requests for gated channels, by invite. */
export interface JoinRequests {
  /** Milliseconds since the epoch; undefined without a request. */
  askedAt(invite: string): Promise<number | undefined>;
  /** Resolves when every process can see the request. */
  ask(invite: string, at: number): Promise<unknown>;
  now(): number;
}

/**
 * The simulated messenger. `sid`: a user name with or without @, a channel's id or URL, or an invite's link or code,
 * with a + before it. A gated channel approves every join request a few seconds later.
 */
export function sandboxMessenger(simulator: Simulator, joinRequests: JoinRequests): SocialConnector {
  const joinState = async ({ invite }: SandboxChannel): Promise<JoinState> => {
    const askedAt = invite === undefined ? 0 : await joinRequests.askedAt(invite);
    if (askedAt === undefined) return { state: "unasked", notBefore: null };
    return joinRequests.now() >= askedAt + approvalMs
      ? { state: "in" }
      : { state: "pending", notBefore: null };
  };
  const isIn = async (channel: SandboxChannel) => (await joinState(channel)).state === "in";
  const readable = async (channel: SandboxChannel) => {
    if (await isIn(channel)) return channel;
    throw fail("forbidden", "This channel can be read after a join request only. Track it by its invite.");
  };
  return {
    ...sandboxConnector({
      kind: "messenger",
      simulator,
      find: async sid => {
        const { id, username, name } = await readable(channelOf(sid, "sid"));
        return { externalId: id, username, name };
      },
      accountsOf: async externalId => [(await readable(channelById(externalId))).id],
      sourcesOf: account => [account],
      toPost: post => {
        const message = toMessage(post);
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
      const channel = channelOfInvite(invite);
      if ((await joinState(channel)).state === "unasked") await joinRequests.ask(invite, joinRequests.now());
      return joinState(channel);
    },
    async checkJoin(invite) {
      return joinState(channelOfInvite(invite));
    },
    async search({ q, channelId, limit }) {
      const channels =
        channelId === undefined
          ? await Promise.all(world.messenger.map(async channel => ((await isIn(channel)) ? [channel] : [])))
          : [[await readable(channelOf(channelId, "channelId"))]];
      await simulator.refresh();
      return search(simulator, channels.flat(), q, limit);
    },
    async post({ channelId }, text) {
      if (channelId === undefined)
        throw invalid("channelId", "required", "`channelId` must name the channel to post in.");
      const { at } = await simulator.post(channelOf(channelId, "channelId").id, text);
      return { id: String(messageIdOf(at)) };
    },
  };
}

function channelOf(sid: string, field: "sid" | "channelId"): SandboxChannel {
  const name = channelNameIn(sid);
  if (name === null)
    throw invalid(
      field,
      "malformed",
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

function channelOfInvite(invite: string): SandboxChannel {
  const found = world.messenger.find(channel => channel.invite === invite);
  if (!found) throw fail("not_found", "There is no such invite on the simulated messenger.");
  return found;
}

/** The messages of the channels that contain the text, newest first; `total` counts all of them. */
function search(
  simulator: Simulator,
  channels: SandboxChannel[],
  q: string | undefined,
  limit: number,
): MessengerMessages {
  const ids = channels.map(({ id }) => id);
  const wanted = q?.toLowerCase() ?? "";
  const found = simulator
    .before(ids, Number.POSITIVE_INFINITY, searchDepth)
    .filter(({ text }) => text.toLowerCase().includes(wanted));
  return { total: found.length, messages: found.slice(0, limit).map(toMessage) };
}

/** Grows in each channel, as the messenger's own do. */
function messageIdOf(at: number): number {
  return at - openedAt;
}

function toMessage({ account, at, text }: SandboxPost): MessengerMessage {
  const { id, name, isGroup } = channelById(account);
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
    ...detailsOf({ links: addressesIn(text) }),
  };
}

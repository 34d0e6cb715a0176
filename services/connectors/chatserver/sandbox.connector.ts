import type { Post } from "../../contracts/connectors.contract.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import type { ChatMessage } from "../../contracts/social.ts";
import { tally } from "../../domain/sandbox/phrase.ts";
import { type SandboxServer, type Voice, world } from "../../domain/sandbox/world.ts";
import { lastSegment } from "../social/sandbox/last-segment.ts";
import { postIdOf } from "../social/sandbox/post-id.ts";
import { sandboxConnector } from "../social/sandbox/sandbox-connector.ts";
import type { Said, Stage } from "../social/sandbox/stage.ts";
import type { SocialConnector } from "../social/social-connector.ts";

const channelPrefix = "channel:";

/** The simulated chat server. `sid`: an invite's code or URL, a server's id, or `channel:` and a channel's id. */
export function sandboxChatserver(stage: Stage): SocialConnector {
  return {
    ...sandboxConnector({
      kind: "chatserver",
      stage,
      find: async sid => find(sid),
      voicesOf: async externalId => voicesOf(externalId),
      sourcesOf: voice => [serverOf(voice).id, channelPrefix + voice],
      toPost,
    }),
    async post({ channelId }, text) {
      if (channelId === undefined)
        throw invalid("channelId", "required", "Tell by `channelId` where it is posted.");
      const { id } = channelOf(channelId.replace(channelPrefix, ""), "channelId");
      return { id: postIdOf((await stage.say(id, text)).at) };
    },
  };
}

function find(sid: string): { externalId: string; username: string; name: string } {
  if (sid.startsWith(channelPrefix)) {
    const { id, name } = channelOf(sid.slice(channelPrefix.length), "sid");
    return { externalId: channelPrefix + id, username: name, name: `#${name}, ${serverOf(id).name}` };
  }
  const code = lastSegment(sid);
  if (!code || !/^[A-Za-z0-9-]{2,64}$/.test(code))
    throw invalid(
      "sid",
      "invite",
      "Give an invite's code or URL, such as https://chat.example/invite/corvids.",
    );
  const server = world.chatserver.find(({ id, invites }) => id === code || invites.includes(code));
  if (!server) throw fail("not_found", "There is no such invite on the simulated chat server.");
  return { externalId: server.id, username: String(server.invites[0]), name: server.name };
}

function voicesOf(externalId: string): string[] {
  if (externalId.startsWith(channelPrefix))
    return [channelOf(externalId.slice(channelPrefix.length), "externalId").id];
  const server = world.chatserver.find(({ id }) => id === externalId);
  if (!server) throw fail("not_found", "There is no such server on the simulated chat server.");
  return server.channels.map(({ id }) => id);
}

function channelOf(channelId: string, field: "sid" | "channelId" | "externalId"): Voice {
  if (!/^\d{1,20}$/.test(channelId)) throw invalid(field, "channelId", "Ids of channels are numbers.");
  const found = serverWith(channelId)?.channels.find(({ id }) => id === channelId);
  if (!found) throw fail("not_found", "There is no such channel on the simulated chat server.");
  return found;
}

function serverWith(channelId: string): SandboxServer | undefined {
  return world.chatserver.find(({ channels }) => channels.some(({ id }) => id === channelId));
}

function serverOf(channelId: string): SandboxServer {
  const server = serverWith(channelId);
  if (!server) throw new Error(`no simulated server has the channel ${channelId}`);
  return server;
}

function toPost({ voice, at, text }: Said): Post {
  const { id: guildId, members } = serverOf(voice);
  const author = members[tally(at, members.length)];
  const message: ChatMessage = {
    id: postIdOf(at),
    channelId: voice,
    guildId,
    authorId: String(author?.id),
    authorName: String(author?.name),
    content: text,
    createdAt: new Date(at).toISOString(),
    attachments: [],
  };
  return { postId: message.id, revision: "1", type: "chatserver.message.created", data: { message } };
}

import type { Post } from "../../../contracts/connectors.contract.ts";
import { fail, invalid } from "../../../contracts/errors.ts";
import type { ChatMessage } from "../../../contracts/social.ts";
import { type SandboxAccount, type SandboxServer, world } from "../../../domain/sandbox/world.ts";
import type { SocialConnector } from "../../social/social-connector.ts";
import { addressesIn, detailsOf } from "../post-details.ts";
import { sandboxConnector } from "./connector.ts";
import { tally } from "./schedule.ts";
import { inviteCodeIn } from "./sid.ts";
import { postIdOf, type SandboxPost, type Simulator } from "./simulator.ts";

const channelPrefix = "channel:";

/** The simulated chat server. `sid`: an invite's code or URL, a server's id, or `channel:` and a channel's id. */
export function sandboxChatserver(simulator: Simulator): SocialConnector {
  return {
    ...sandboxConnector({
      kind: "chatserver",
      simulator,
      find: async sid => find(sid),
      accountsOf: async externalId => channelsOf(externalId),
      sourcesOf: account => [serverOf(account).id, channelPrefix + account],
      toPost,
    }),
    async post({ channelId }, text) {
      if (channelId === undefined)
        throw invalid("channelId", "required", "`channelId` must name the channel to post in.");
      const { id } = channelOf(channelId.replace(channelPrefix, ""), "channelId");
      return { id: postIdOf((await simulator.post(id, text)).at) };
    },
  };
}

function find(sid: string): { externalId: string; username: string; name: string } {
  if (sid.startsWith(channelPrefix)) {
    const { id, name } = channelOf(sid.slice(channelPrefix.length), "sid");
    return { externalId: channelPrefix + id, username: name, name: `#${name}, ${serverOf(id).name}` };
  }
  const code = inviteCodeIn(sid);
  if (code === null)
    throw invalid(
      "sid",
      "malformed",
      "Give an invite's code or URL, such as https://chat.example/invite/corvids.",
    );
  const server = world.chatserver.find(({ id, invites }) => id === code || invites.includes(code));
  if (!server) throw fail("not_found", "There is no such invite on the simulated chat server.");
  return { externalId: server.id, username: String(server.invites[0]), name: server.name };
}

function channelsOf(externalId: string): string[] {
  if (externalId.startsWith(channelPrefix))
    return [channelOf(externalId.slice(channelPrefix.length), "externalId").id];
  const server = world.chatserver.find(({ id }) => id === externalId);
  if (!server) throw fail("not_found", "There is no such server on the simulated chat server.");
  return server.channels.map(({ id }) => id);
}

function channelOf(channelId: string, field: "sid" | "channelId" | "externalId"): SandboxAccount {
  if (!/^\d{1,20}$/.test(channelId)) throw invalid(field, "malformed", "Ids of channels are numbers.");
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

function toPost({ account, at, text }: SandboxPost): Post {
  const { id: guildId, members } = serverOf(account);
  const author = members[tally(at, members.length)];
  const message: ChatMessage = {
    id: postIdOf(at),
    channelId: account,
    guildId,
    authorId: String(author?.id),
    authorName: String(author?.name),
    content: text,
    createdAt: new Date(at).toISOString(),
    attachments: [],
    ...detailsOf({ links: addressesIn(text) }),
  };
  return { postId: message.id, revision: "1", type: "chatserver.message.created", data: { message } };
}

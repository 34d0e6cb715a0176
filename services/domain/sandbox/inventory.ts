import { world } from "./world.ts";

/** What the simulated platforms hold, each as a client may send it. */
export interface SandboxInventory {
  /** User names: `sid`, `username`. */
  microblog: { users: string[] };
  /** Invite codes: `sid`. Ids of channels: `channelId`. */
  chatserver: { invites: string[]; channels: string[] };
  /** User names of channels: `sid`, `channelId`. Links that ask to be let in, which happens a few seconds later: `sid`. */
  messenger: { channels: string[]; gatedInvites: string[] };
}

export function sandboxInventory(): SandboxInventory {
  const { microblog, chatserver, messenger } = world;
  const open = messenger.filter(({ invite }) => invite === undefined);
  return {
    microblog: { users: microblog.map(({ username }) => username) },
    chatserver: {
      invites: chatserver.flatMap(({ invites }) => invites),
      channels: chatserver.flatMap(({ channels }) => channels.map(({ id }) => id)),
    },
    messenger: {
      channels: open.map(({ username }) => username),
      gatedInvites: messenger.flatMap(({ invite }) =>
        invite === undefined ? [] : [`https://messenger.example/+${invite}`],
      ),
    },
  };
}

import { world } from "./world.ts";

/** What the simulated platforms hold, as a client may name it in a `sid`, `username` or `channelId`. */
export interface SandboxInventory {
  microblog: { users: { id: string; username: string; name: string }[] };
  chatserver: {
    invites: { invite: string; server: string; name: string }[];
    channels: { id: string; name: string; server: string }[];
  };
  messenger: {
    channels: { id: string; username: string; name: string }[];
    /** Links that ask to be let in; approved a few seconds later. */
    gatedInvites: { invite: string; name: string }[];
  };
}

export function sandboxInventory(): SandboxInventory {
  const { microblog, chatserver, messenger } = world;
  const isGated = ({ invite }: { invite?: string }) => invite !== undefined;
  return {
    microblog: { users: microblog.map(({ id, username, name }) => ({ id, username, name })) },
    chatserver: {
      invites: chatserver.flatMap(({ id, name, invites }) =>
        invites.map(invite => ({ invite, server: id, name })),
      ),
      channels: chatserver.flatMap(server =>
        server.channels.map(({ id, name }) => ({ id, name, server: server.id })),
      ),
    },
    messenger: {
      channels: messenger
        .filter(each => !isGated(each))
        .map(({ id, username, name }) => ({ id, username, name })),
      gatedInvites: messenger
        .filter(isGated)
        .map(({ invite, name }) => ({ invite: `https://messenger.example/+${invite}`, name })),
    },
  };
}

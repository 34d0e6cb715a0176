/** What exists on the simulated platforms, each in a form that a client may send. */
export interface SandboxInventory {
  /** User names: `sid`, `username`. */
  microblog: { users: string[] };
  /** Invite codes: `sid`. Ids of channels: `channelId`. */
  chatserver: { invites: string[]; channels: string[] };
  /** User names of channels: `sid`, `channelId`. Invite links, approved a few seconds after a join request: `sid`. */
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

/** The accounts of the simulated platforms; the same at each start, so that examples with their names always work. */
export const world: {
  readonly microblog: readonly SandboxUser[];
  readonly chatserver: readonly SandboxServer[];
  readonly messenger: readonly SandboxChannel[];
} = {
  microblog: [
    user("1001", "magpie_daily", "Magpie Daily", "What magpies did today.", 5120, true),
    user("1002", "corvid_lab", "Corvid Lab", "We count crows, and they count us.", 830, true),
    user("1003", "nestbuilder", "Nest Builder", "Twigs, mud and patience.", 77, false),
    user("1004", "rook_report", "The Rook Report", "From the top of the elm.", 2044, false),
    { ...user("1005", "quiet_wren", "Quiet Wren", "Says little.", 3, false), isQuiet: true },
  ],
  chatserver: [
    {
      id: "2001",
      name: "Corvid Club",
      invites: ["corvids", "feathers"],
      members: [member("2101", "alva"), member("2102", "bruno"), member("2103", "carla")],
      channels: [channel("2011", "general"), channel("2012", "sightings")],
    },
    {
      id: "2002",
      name: "Nest Builders",
      invites: ["twigs"],
      members: [member("2104", "dora"), member("2105", "emil")],
      channels: [channel("2021", "workshop")],
    },
    {
      id: "2003",
      name: "Silent Aviary",
      invites: ["hush"],
      members: [member("2106", "finn")],
      channels: [{ ...channel("2031", "reading-room"), isQuiet: true }],
    },
  ],
  messenger: [
    place("3001", "magpie_watch", "Magpie Watch"),
    place("3002", "bird_radio", "Bird Radio"),
    { ...place("3003", "tree_talk", "Tree Talk"), isGroup: true },
    { ...place("3004", "still_pond", "Still Pond"), isQuiet: true },
    { ...place("3005", "inner_nest", "The Inner Nest"), invite: "innernest2026" },
    { ...place("3006", "roost_council", "Roost Council"), invite: "roostcouncil7", isGroup: true },
  ],
};

/** An account or channel whose posts belong to one source. */
export interface SandboxAccount {
  id: string;
  name: string;
  /** Posts on demand only. */
  isQuiet?: true;
}

export interface SandboxUser extends SandboxAccount {
  username: string;
  description: string;
  followers: number;
  isVerified: boolean;
}

export interface SandboxServer {
  id: string;
  name: string;
  invites: string[];
  members: SandboxAccount[];
  channels: SandboxAccount[];
}

export interface SandboxChannel extends SandboxAccount {
  username: string;
  /** The invite of a channel that requires a join request. */
  invite?: string;
  /** A group counts neither views nor forwards. */
  isGroup?: true;
}

function user(
  id: string,
  username: string,
  name: string,
  description: string,
  followers: number,
  isVerified: boolean,
): SandboxUser {
  return { id, username, name, description, followers, isVerified };
}

function member(id: string, name: string): SandboxAccount {
  return { id, name };
}

function channel(id: string, name: string): SandboxAccount {
  return { id, name };
}

function place(id: string, username: string, name: string): SandboxChannel {
  return { id, username, name };
}

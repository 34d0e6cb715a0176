/** What the stand-in holds, in the words of Discord's documentation (docs.discord.com, "Resources"). */
export interface GuildEntity {
  id: string;
  name: string;
  vanity_url_code: string | null;
  invites: string[];
  channels: ChannelEntity[];
  roles: { id: string; name: string }[];
  /** The bot is in it. */
  isMember: boolean;
  /** Whether the bot may list its channels. */
  isListable: boolean;
}

export interface ChannelEntity {
  id: string;
  guild_id: string;
  name: string;
  type: number;
  last_message_id: string | null;
  /** The bot may see it. */
  isVisible: boolean;
  messages: MessageEntity[];
}

export interface MessageEntity {
  id: string;
  channel_id: string;
  type: number;
  author: { id: string; username: string; global_name: string | null };
  content: string;
  timestamp: string;
  edited_timestamp?: string;
  attachments: { id: string; filename: string; url: string; content_type?: string; size: number }[];
  embeds: unknown[];
  mentions?: { id: string; username: string; global_name: string | null }[];
  message_reference?: { type?: number; message_id?: string; channel_id: string; guild_id?: string };
  referenced_message?: MessageEntity;
  message_snapshots?: { message: Pick<MessageEntity, "content" | "timestamp" | "attachments" | "embeds"> }[];
}

export const channelTypes = { text: 0, voice: 2, category: 4, publicThread: 11, forum: 15 };

export function isThread({ type }: ChannelEntity): boolean {
  return type === channelTypes.publicThread;
}

/** What the gateway says of a server that the bot is in. */
export function toGuildCreate({ id, name, channels, roles }: GuildEntity): object {
  const shown = channels.map(({ messages: _messages, isVisible: _isVisible, ...rest }) => rest);
  const isOfThread = ({ type }: { type: number }) => type === channelTypes.publicThread;
  return {
    id,
    name,
    channels: shown.filter(each => !isOfThread(each)),
    threads: shown.filter(isOfThread),
    roles,
  };
}

const epochMs = 1_420_070_400_000;
let counted = 0n;

/** Ids grow, also within a millisecond. */
export function nextId(): string {
  counted += 1n;
  return String((BigInt(Date.now() - epochMs) << 22n) + counted);
}

export function guild(fields: Partial<GuildEntity> & Pick<GuildEntity, "name">): GuildEntity {
  return {
    id: nextId(),
    vanity_url_code: null,
    invites: [],
    channels: [],
    roles: [],
    isMember: true,
    isListable: true,
    ...fields,
  };
}

export function channel(of: GuildEntity, name: string, type = channelTypes.text): ChannelEntity {
  const made = {
    id: nextId(),
    guild_id: of.id,
    name,
    type,
    last_message_id: null,
    isVisible: true,
    messages: [],
  };
  of.channels.push(made);
  return made;
}

export function message(to: ChannelEntity, fields: Partial<MessageEntity>): MessageEntity {
  const id = fields.id ?? nextId();
  const timestamp = new Date(Number(BigInt(id) >> 22n) + epochMs).toISOString().replace("Z", "000+00:00");
  const author = { id: "80351110224678912", username: "nelly", global_name: "Nelly the Magpie" };
  const made = {
    id,
    channel_id: to.id,
    type: 0,
    author,
    content: "",
    timestamp,
    attachments: [],
    embeds: [],
    ...fields,
  };
  to.messages.push(made);
  to.last_message_id = id;
  return made;
}

import { fail, invalid } from "../../../contracts/errors.ts";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { previewPages } from "./fetch-page.ts";
import { messagesBefore, messagesSince, newest, newestOf } from "./read-channel.ts";
import { readSid } from "./read-sid.ts";
import { type Pace, watchChannels } from "./watch-channels.ts";

/** Of the public previews. */
export interface TelegramPreviewSettings {
  /** What stands before a channel's name in the address of its preview: `https://t.me/s`. */
  url: string;
  pace?: Pace;
}

/** A channel is looked at twice a minute, and no more than one of them in a second. */
const modestPace: Pace = { intervalMs: 30_000, spacingMs: 1000, silenceMs: 60_000 };

/** The messenger on Telegram, without an account. An `externalId` is a public channel's user name, in lower case. */
export function telegramPreviewConnector(
  { url, pace = modestPace }: TelegramPreviewSettings,
  tools: DriverTools,
): SocialConnector {
  const pages = previewPages(url, tools);
  const { fetchPage, close } = pages;
  const cursors = new Map<string, number>();
  return {
    kind: "messenger",
    driver: "telegram-preview",
    async resolve(sid, signal) {
      const page = await fetchPage(named("sid", sid), {}, signal);
      const { username, title } = page;
      return {
        externalId: username.toLowerCase(),
        username,
        name: title,
        kind: "messenger",
        state: { cursor: String(newestOf(page)) },
      };
    },
    // Nobody is told that a channel is read.
    follow: async externalId => void named("externalId", externalId),
    unfollow: async externalId => void named("externalId", externalId),
    async since(externalId, cursor, signal) {
      const username = named("externalId", externalId);
      const news =
        cursor === null
          ? { posts: [], cursor: String(newestOf(await fetchPage(username, {}, signal))), more: false }
          : await messagesSince(fetchPage, username, messageId(cursor), signal);
      if (!news.more) cursors.set(username, Math.max(Number(news.cursor), cursors.get(username) ?? 0));
      return news;
    },
    async history(externalId, { cursor, limit }, signal) {
      const page = { limit, ...(cursor !== undefined && { cursor: messageId(cursor) }) };
      return await messagesBefore(fetchPage, named("externalId", externalId), page, signal);
    },
    listen: (listener, signal) => watchChannels({ pages, pace, tools, listener, cursors }, signal),
    // What has no preview is refused by `resolve`.
    async admission(sid) {
      named("sid", sid);
      return { state: "in" };
    },
    async search({ q, channelId, limit }, signal) {
      if (channelId === undefined) throw fail("connector_unavailable", oneChannelOnly);
      if (/^-?\d+$/.test(channelId)) throw fail("connector_unavailable", byNameOnly);
      const part = q === undefined ? {} : { q };
      const { messages } = await newest(fetchPage, named("channelId", channelId), { part, limit }, signal);
      return { total: messages.length, messages };
    },
    close,
  };
}

const oneChannelOnly =
  "Without an account Telegram can be searched one channel at a time; search in a channel, or set MESSENGER_DRIVER=telegram.";
const byNameOnly =
  "Without an account channels are found by their user name; give @name, or set MESSENGER_DRIVER=telegram.";

function named(field: string, sid: string): string {
  const meant = readSid(sid);
  if (!meant) throw invalid(field, "username", `\`${field}\` must be the user name of a public channel.`);
  if ("username" in meant) return meant.username;
  throw invalid(
    field,
    "private",
    "Public channels only can be read here; private ones need MESSENGER_DRIVER=telegram.",
  );
}

function messageId(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw invalid("cursor", "invalid", "`cursor` must be one that was given here.");
}

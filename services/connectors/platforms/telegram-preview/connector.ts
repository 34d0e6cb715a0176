import { fail, invalid } from "../../../contracts/errors.ts";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { previewApi } from "./api.ts";
import { listen, type Pace } from "./listen.ts";
import { newestIdOf, readHistory, readNewest, readSince } from "./read-posts.ts";
import { parseSid } from "./sid.ts";

/** Settings of the public previews. */
export interface TelegramPreviewSettings {
  /** The address of previews, without the name of the channel: `https://t.me/s`. */
  url: string;
  pace?: Pace;
}

/** A channel is fetched twice a minute, and at most one channel a second. */
const modestPace: Pace = { intervalMs: 30_000, spacingMs: 1000, silenceMs: 60_000 };

/** The messenger on Telegram, without an account. An `externalId` is a public channel's user name, in lower case. */
export function telegramPreviewConnector(
  { url, pace = modestPace }: TelegramPreviewSettings,
  tools: DriverTools,
): SocialConnector {
  const pages = previewApi(url, tools);
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
        state: { cursor: String(newestIdOf(page)) },
      };
    },
    // Previews have no follows.
    follow: async externalId => void named("externalId", externalId),
    unfollow: async externalId => void named("externalId", externalId),
    async since(externalId, cursor, signal) {
      const username = named("externalId", externalId);
      const news =
        cursor === null
          ? { posts: [], cursor: String(newestIdOf(await fetchPage(username, {}, signal))), more: false }
          : await readSince(fetchPage, username, messageId(cursor), signal);
      if (!news.more) cursors.set(username, Math.max(Number(news.cursor), cursors.get(username) ?? 0));
      return news;
    },
    async history(externalId, { cursor, limit }, signal) {
      const page = { limit, ...(cursor !== undefined && { cursor: messageId(cursor) }) };
      return await readHistory(fetchPage, named("externalId", externalId), page, signal);
    },
    listen: (listener, signal) => listen({ pages, pace, tools, listener, cursors }, signal),
    // `resolve` refuses channels without a preview.
    async admission(sid) {
      named("sid", sid);
      return { state: "in" };
    },
    async search({ q, channelId, limit }, signal) {
      if (channelId === undefined) throw fail("connector_unavailable", oneChannelOnly);
      if (/^-?\d+$/.test(channelId)) throw fail("connector_unavailable", byNameOnly);
      const part = q === undefined ? {} : { q };
      const { messages } = await readNewest(
        fetchPage,
        named("channelId", channelId),
        { part, limit },
        signal,
      );
      return { total: messages.length, messages };
    },
    close,
  };
}

const oneChannelOnly =
  "Without an account, Telegram can be searched one channel at a time. Search in a channel, or set MESSENGER_DRIVER=telegram.";
const byNameOnly =
  "Without an account, channels are found by their user name only. Give @name, or set MESSENGER_DRIVER=telegram.";

function named(field: string, sid: string): string {
  const meant = parseSid(sid);
  if (!meant) throw invalid(field, "malformed", `\`${field}\` must be the user name of a public channel.`);
  if ("username" in meant) return meant.username;
  throw invalid(
    field,
    "private",
    "Only public channels can be read. Private ones need MESSENGER_DRIVER=telegram.",
  );
}

function messageId(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw invalid("cursor", "malformed", "`cursor` must be one that an answer has returned.");
}

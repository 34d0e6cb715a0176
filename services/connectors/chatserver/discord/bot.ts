import { ApplicationFlags } from "@discordjs/core/http-only";
import type { Ask } from "./discord-api.ts";

/** What Discord tells of the bot itself. */
export interface Bot {
  applicationId: string;
  /** The bot's owner has switched on the Message Content Intent, so that messages come with what they say. */
  mayReadContent: boolean;
}

/** `fresh` asks again; otherwise what was told in the last minutes will do, or before, when Discord does not answer. */
export type KnowBot = (signal: AbortSignal, options?: { fresh: boolean }) => Promise<Bot>;

const keptMs = 10 * 60_000;
const contentFlags = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;

export function knowBot(ask: Ask, now: () => number): KnowBot {
  let known: { bot: Bot; at: number } | undefined;
  return async (signal, { fresh } = { fresh: false }) => {
    if (known && !fresh && now() - known.at < keptMs) return known.bot;
    try {
      const { id, flags } = await ask(signal, (api, on) => api.applications.getCurrent({ signal: on }));
      known = { bot: { applicationId: id, mayReadContent: (flags & contentFlags) !== 0 }, at: now() };
    } catch (error) {
      if (!known || fresh) throw error;
    }
    return known.bot;
  };
}

/** View Channels and Read Message History. */
const permissions = 0x400 | 0x10000;

/** Where somebody who manages the server lets the bot in; a bot cannot accept an invite by itself. */
export function authorizeUrl({ applicationId }: Bot, guildId: string): string {
  const url = new URL("https://discord.com/oauth2/authorize");
  url.search = new URLSearchParams({
    client_id: applicationId,
    scope: "bot",
    permissions: String(permissions),
    guild_id: guildId,
    disable_guild_select: "true",
  }).toString();
  return url.href;
}

import { setTimeout as sleep } from "node:timers/promises";
import { API, ApplicationFlags } from "@discordjs/core/http-only";
import { DiscordAPIError, HTTPError, RateLimitError, REST } from "@discordjs/rest";
import { Agent, fetch } from "undici";
import { fail } from "../../../contracts/errors.ts";
import { quoteAnswer, refusal } from "../../social/social-connector.ts";

/** A bot on Discord. */
export interface DiscordSettings {
  botToken: string;
  /** Where the HTTP API is, without the version; Discord's own by default. */
  apiUrl?: string;
}

/** Calls Discord. Waits as long as it asks, and throws the errors of the port. */
export type Ask = <T>(
  signal: AbortSignal,
  request: (api: API, signal: AbortSignal) => Promise<T>,
) => Promise<T>;

export interface DiscordApi {
  ask: Ask;
  close(): Promise<void>;
}

const ownApiUrl = "https://discord.com/api";
/** Milliseconds. */
const requestTimeoutMs = 15_000;
const shortestPauseMs = 100;
const longestPauseMs = 2 ** 31 - 1;
const maxAnswerBytes = 32 * 1024 * 1024;

/** All requests share the library's view of Discord's rate limits; it rejects early what Discord would reject. */
export function discordApi({ botToken, apiUrl = ownApiUrl }: DiscordSettings): DiscordApi {
  const agent = new Agent({ maxResponseSize: maxAnswerBytes, bodyTimeout: requestTimeoutMs });
  const rest = new REST({
    api: apiUrl,
    retries: 0,
    timeout: requestTimeoutMs,
    // The library would sleep past the end of the caller, so `pause` waits here.
    rejectOnRateLimit: () => true,
    makeRequest: (url, { method = "GET", headers, signal = null }) =>
      fetch(url, { method, headers: Object(headers), signal, dispatcher: agent, redirect: "error" }),
  });
  const api = new API(rest);
  return {
    async ask(signal, request) {
      for (;;) {
        // The library drops a token that was refused once, even if the failure was Discord's.
        rest.setToken(botToken);
        try {
          // A derived signal for each request, because the library never removes its listener from the signal.
          return await request(api, AbortSignal.any([signal]));
        } catch (error) {
          if (!(error instanceof RateLimitError)) throw toConnectorError(error);
          await pause(error, signal);
        }
      }
    },
    async close() {
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
      await agent.destroy();
    },
  };
}

export const refusedToken =
  "Discord refuses DISCORD_BOT_TOKEN: make a new one on the bot's page of the developer portal.";

/** Waits until requests are allowed again, or the signal fires. */
async function pause(asked: RateLimitError, signal: AbortSignal): Promise<void> {
  const { retryAfter, timeToReset, sublimitTimeout } = asked;
  const known = [retryAfter, timeToReset, sublimitTimeout, shortestPauseMs].filter(Number.isFinite);
  const ms = Math.max(...known);
  await sleep(Math.min(ms, longestPauseMs), undefined, { signal }).catch(error => {
    const extras = { retry_after: Math.ceil(ms / 1000) };
    throw fail(
      "connector_unavailable",
      "Discord asks this installation to wait. Try again later.",
      extras,
      error,
    );
  });
}

function toConnectorError(error: unknown): Error {
  const status = error instanceof DiscordAPIError || error instanceof HTTPError ? error.status : undefined;
  const quoted = (message: string) => quoteAnswer(message, answerOf(error));
  if (status === 401) return refusal(refusedToken, error);
  if (status === 403) return fail("forbidden", quoted("The bot may not read this on Discord."), {}, error);
  if (status === 404)
    return fail("not_found", quoted("Discord knows no such server, channel or invite."), {}, error);
  if (status === 400)
    return fail("upstream_error", quoted("Discord does not accept this request."), {}, error);
  return fail("connector_unavailable", quoted("Discord cannot be reached now."), { retry_after: 30 }, error);
}

/** Discord's message about a refused request, also where that is the cause of an error of ours. */
export function answerOf(error: unknown): string | undefined {
  const { cause } = Object(error) as { cause?: unknown };
  const refused = error instanceof DiscordAPIError ? error : cause;
  return refused instanceof DiscordAPIError ? refused.message : undefined;
}

/** What Discord knows about the bot. */
export interface Bot {
  applicationId: string;
  /** The bot's owner has switched on the Message Content Intent, so that messages come with their text. */
  mayReadContent: boolean;
}

/** `fresh` asks again; otherwise an answer of the last minutes is used, or an older one when Discord does not answer. */
export type GetBot = (signal: AbortSignal, options?: { fresh: boolean }) => Promise<Bot>;

const keptMs = 10 * 60_000;
const contentFlags = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;

export function cacheBot(ask: Ask, now: () => number): GetBot {
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

/** The page where a manager of the server adds the bot; a bot cannot accept an invite itself. */
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

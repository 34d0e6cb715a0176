import { setTimeout as sleep } from "node:timers/promises";
import { API } from "@discordjs/core/http-only";
import { DiscordAPIError, RateLimitError, REST } from "@discordjs/rest";
import { Agent, fetch } from "undici";
import { fail } from "../../../contracts/errors.ts";
import { refusal } from "../../social/refusal.ts";

/** Of a bot on Discord. */
export interface DiscordSettings {
  botToken: string;
  /** Where the HTTP API is, without the version; Discord's own by default. */
  apiUrl?: string;
}

/** Asks Discord, waits while it wants that, and tells errors as the port does. */
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

/** Requests share the library's account of Discord's limits; it refuses early what Discord would refuse. */
export function discordApi({ botToken, apiUrl = ownApiUrl }: DiscordSettings): DiscordApi {
  const agent = new Agent({ maxResponseSize: maxAnswerBytes, bodyTimeout: requestTimeoutMs });
  const rest = new REST({
    api: apiUrl,
    retries: 0,
    timeout: requestTimeoutMs,
    // It would sleep through the end of whoever waits, so the waiting is done here.
    rejectOnRateLimit: () => true,
    makeRequest: (url, { method = "GET", headers, signal = null }) =>
      fetch(url, { method, headers: Object(headers), signal, dispatcher: agent, redirect: "error" }),
  });
  const api = new API(rest);
  return {
    async ask(signal, request) {
      for (;;) {
        // The library forgets a token that was refused once, even when that was Discord's own trouble.
        rest.setToken(botToken);
        try {
          // Derived for each request, because the library never stops to listen to the signal that it is given.
          return await request(api, AbortSignal.any([signal]));
        } catch (error) {
          if (!(error instanceof RateLimitError)) throw meaningOf(error);
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

/** Waits until requests are welcome again, or the signal ends that. */
async function pause(asked: RateLimitError, signal: AbortSignal): Promise<void> {
  const { retryAfter, timeToReset, sublimitTimeout } = asked;
  const known = [retryAfter, timeToReset, sublimitTimeout, shortestPauseMs].filter(Number.isFinite);
  const ms = Math.max(...known);
  await sleep(Math.min(ms, longestPauseMs), undefined, { signal }).catch(error => {
    const extras = { retry_after: Math.ceil(ms / 1000) };
    throw fail("connector_unavailable", "Discord asks for a pause; try again later.", extras, error);
  });
}

function meaningOf(error: unknown): Error {
  const status = error instanceof DiscordAPIError ? error.status : undefined;
  if (status === 401) return refusal(refusedToken, error);
  if (status === 403) return fail("forbidden", "The bot may not read this on Discord.", {}, error);
  if (status === 404) return fail("not_found", "Discord knows no such server, channel or invite.", {}, error);
  return fail("connector_unavailable", "Discord cannot be reached now.", { retry_after: 30 }, error);
}

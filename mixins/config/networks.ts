import { ConfigError } from "./config-error.ts";
import type { Env } from "./env.ts";

export interface X {
  driver: "x";
  bearerToken: string;
  /** Of the account that follows; undefined: nobody is followed. */
  accessToken?: string;
  baseUrl?: string;
  /** Posts that may be read in a calendar month; undefined: as many as the plan pays for. */
  monthlyReads?: number;
}

export interface Bluesky {
  driver: "bluesky";
  identifier: string;
  appPassword: string;
  service: string;
  /** WebSocket origin of the relay. */
  relay: string;
}

export interface Mastodon {
  driver: "mastodon";
  url: string;
  accessToken: string;
}

export interface Discord {
  driver: "discord";
  botToken: string;
  apiUrl?: string;
}

export interface Telegram {
  driver: "telegram";
  apiId: number;
  apiHash: string;
  /** A data center that is not the network's own. */
  dc?: { host: string; port: number };
}

export interface TelegramPreview {
  driver: "telegram-preview";
  url: string;
}

export function x(env: Env): X {
  const accessToken = env.X_ACCESS_TOKEN;
  const baseUrl = address("X_BASE_URL", env.X_BASE_URL, /^https?:$/);
  const { X_MONTHLY_READS: reads } = env;
  return {
    driver: "x",
    bearerToken: required(env, "X_BEARER_TOKEN", "an app's bearer token"),
    ...(accessToken !== undefined && { accessToken }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(reads !== undefined && { monthlyReads: count("X_MONTHLY_READS", reads) }),
  };
}

export function bluesky(env: Env): Bluesky {
  return {
    driver: "bluesky",
    identifier: required(env, "BLUESKY_IDENTIFIER", "the handle or DID of an account"),
    appPassword: required(env, "BLUESKY_APP_PASSWORD", "an app password of that account"),
    service: address("BLUESKY_SERVICE", env.BLUESKY_SERVICE, /^https?:$/) ?? "https://bsky.social",
    relay: address("BLUESKY_RELAY", env.BLUESKY_RELAY, /^wss?:$/) ?? "wss://bsky.network",
  };
}

export function mastodon(env: Env): Mastodon {
  const url = required(env, "MASTODON_URL", "the server of the account, such as https://mastodon.social");
  return {
    driver: "mastodon",
    url: address("MASTODON_URL", url, /^https?:$/) ?? url,
    accessToken: required(env, "MASTODON_ACCESS_TOKEN", "an access token of an account of that server"),
  };
}

export function discord(env: Env): Discord {
  const apiUrl = address("DISCORD_API_URL", env.DISCORD_API_URL, /^https?:$/);
  return {
    driver: "discord",
    botToken: required(env, "DISCORD_BOT_TOKEN", "the token of a bot"),
    ...(apiUrl !== undefined && { apiUrl }),
  };
}

export function telegram(env: Env): Telegram {
  const apiId = required(env, "TELEGRAM_API_ID", "the app's api_id");
  const dc = dataCenter(env.TELEGRAM_DC);
  return {
    driver: "telegram",
    apiId: count("TELEGRAM_API_ID", apiId),
    apiHash: required(env, "TELEGRAM_API_HASH", "the app's api_hash"),
    ...(dc && { dc }),
  };
}

export function telegramPreview(env: Env): TelegramPreview {
  const url = address("TELEGRAM_PREVIEW_URL", env.TELEGRAM_PREVIEW_URL, /^https?:$/);
  return { driver: "telegram-preview", url: url ?? "https://t.me/s" };
}

function required(env: Env, name: keyof Env, what: string): string {
  const value = env[name];
  if (value === undefined) throw new ConfigError(name, `${what}, required for this driver`);
  return value;
}

/** Without a slash at its end. */
function address(name: string, value: string | undefined, scheme: RegExp): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  if (!url || !scheme.test(url.protocol) || url.search || url.hash)
    throw new ConfigError(name, `an address that begins with ${scheme.test("wss:") ? "wss" : "https"}://`);
  return url.href.replace(/\/+$/, "");
}

function count(name: string, value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new ConfigError(name, "a whole number from 1");
  return number;
}

function dataCenter(value: string | undefined): Telegram["dc"] {
  if (value === undefined) return undefined;
  const [, host, port] = /^([^:]+):(\d{1,5})$/.exec(value) ?? [];
  if (!host || !(Number(port) <= 65_535)) throw new ConfigError("TELEGRAM_DC", "host:port");
  return { host, port: Number(port) };
}

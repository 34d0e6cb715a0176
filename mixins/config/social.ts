import { ConfigError } from "./config-error.ts";
import type { Env } from "./env.ts";

/** Which network stands behind each social platform, with what it takes to speak to it. */
export interface SocialConfig {
  microblog: Sandbox | X | Bluesky | Mastodon;
  chatserver: Sandbox | Discord;
  messenger: Sandbox | Telegram | TelegramPreview;
  /** Milliseconds between posts of each simulated platform; null: it posts on demand only. */
  sandboxEveryMs: number | null;
}

export interface Sandbox {
  driver: "sandbox";
}

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

/**
 * A driver is the one that is named, else the one whose credentials are set, else the sandbox; in production the
 * sandbox has to be named.
 */
export function social(env: Env): SocialConfig {
  return {
    microblog: platform(env, "MICROBLOG_DRIVER", { x, bluesky, mastodon }),
    chatserver: platform(env, "CHATSERVER_DRIVER", { discord }),
    messenger: platform(env, "MESSENGER_DRIVER", { telegram, "telegram-preview": telegramPreview }),
    sandboxEveryMs: pace(env.SANDBOX_POST_EVERY),
  };
}

/** What must be seen in no log. */
export function socialSecrets({ microblog, chatserver, messenger }: SocialConfig): string[] {
  const secret = /^(bearerToken|accessToken|appPassword|botToken|apiHash)$/;
  return [microblog, chatserver, messenger].flatMap(settings =>
    Object.entries(settings).flatMap(([name, value]) => (secret.test(name) ? [String(value)] : [])),
  );
}

type Variable = keyof Env;

/** Variables whose presence chooses the network when none is named. */
const credentials: Record<string, Variable[]> = {
  x: ["X_BEARER_TOKEN", "X_ACCESS_TOKEN"],
  bluesky: ["BLUESKY_IDENTIFIER", "BLUESKY_APP_PASSWORD"],
  mastodon: ["MASTODON_ACCESS_TOKEN"],
  discord: ["DISCORD_BOT_TOKEN"],
  telegram: ["TELEGRAM_API_ID", "TELEGRAM_API_HASH"],
};

function platform<Settings extends { driver: string }>(
  env: Env,
  variable: "MICROBLOG_DRIVER" | "CHATSERVER_DRIVER" | "MESSENGER_DRIVER",
  networks: Record<Settings["driver"], (env: Env) => Settings>,
): Settings | Sandbox {
  const names = Object.keys(networks) as Settings["driver"][];
  const name = env[variable] ?? chosen(env, variable, names);
  if (name === "sandbox") return { driver: "sandbox" };
  const read = names.includes(name) && networks[name as Settings["driver"]];
  if (!read) throw new ConfigError(variable, `one of ${["sandbox", ...names].join(", ")}`);
  return read(env);
}

function chosen(env: Env, variable: string, names: string[]): string {
  const present = names.filter(name => credentials[name]?.some(each => env[each] !== undefined));
  if (present.length > 1)
    throw new ConfigError(variable, `there are credentials for ${present.join(" and ")}: name one of them`);
  if (present.length === 0 && env.NODE_ENV === "production")
    throw new ConfigError(
      variable,
      `name ${names.join(" or ")}, or sandbox for a simulated platform; in production none is assumed`,
    );
  return present[0] ?? "sandbox";
}

function x(env: Env): X {
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

function bluesky(env: Env): Bluesky {
  return {
    driver: "bluesky",
    identifier: required(env, "BLUESKY_IDENTIFIER", "the handle or DID of an account"),
    appPassword: required(env, "BLUESKY_APP_PASSWORD", "an app password of that account"),
    service: address("BLUESKY_SERVICE", env.BLUESKY_SERVICE, /^https?:$/) ?? "https://bsky.social",
    relay: address("BLUESKY_RELAY", env.BLUESKY_RELAY, /^wss?:$/) ?? "wss://bsky.network",
  };
}

function mastodon(env: Env): Mastodon {
  const url = required(env, "MASTODON_URL", "the server of the account, such as https://mastodon.social");
  return {
    driver: "mastodon",
    url: address("MASTODON_URL", url, /^https?:$/) ?? url,
    accessToken: required(env, "MASTODON_ACCESS_TOKEN", "an access token of an account of that server"),
  };
}

function discord(env: Env): Discord {
  const apiUrl = address("DISCORD_API_URL", env.DISCORD_API_URL, /^https?:$/);
  return {
    driver: "discord",
    botToken: required(env, "DISCORD_BOT_TOKEN", "the token of a bot"),
    ...(apiUrl !== undefined && { apiUrl }),
  };
}

function telegram(env: Env): Telegram {
  const apiId = required(env, "TELEGRAM_API_ID", "the app's api_id");
  const dc = dataCenter(env.TELEGRAM_DC);
  return {
    driver: "telegram",
    apiId: count("TELEGRAM_API_ID", apiId),
    apiHash: required(env, "TELEGRAM_API_HASH", "the app's api_hash"),
    ...(dc && { dc }),
  };
}

function telegramPreview(env: Env): TelegramPreview {
  const url = address("TELEGRAM_PREVIEW_URL", env.TELEGRAM_PREVIEW_URL, /^https?:$/);
  return { driver: "telegram-preview", url: url ?? "https://t.me/s" };
}

function required(env: Env, name: Variable, what: string): string {
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

function pace(value = "5s"): number | null {
  if (value === "off") return null;
  const [, seconds] = /^(\d{1,5})s$/.exec(value) ?? [];
  if (!(Number(seconds) >= 1))
    throw new ConfigError("SANDBOX_POST_EVERY", "whole seconds such as 5s, or off");
  return Number(seconds) * 1000;
}

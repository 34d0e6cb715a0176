import { ConfigError } from "./config-error.ts";
import type { Env } from "./env.ts";
import * as networks from "./networks.ts";

/** Which network stands behind each social platform, with what it takes to speak to it. */
export interface SocialConfig {
  microblog: Sandbox | networks.X | networks.Bluesky | networks.Mastodon;
  chatserver: Sandbox | networks.Discord;
  messenger: Sandbox | networks.Telegram | networks.TelegramPreview;
  /** Milliseconds between posts of each simulated platform; null: it posts on demand only. */
  sandboxEveryMs: number | null;
}

export interface Sandbox {
  driver: "sandbox";
}

/**
 * A driver is the one that is named, else the one whose credentials are set, else the sandbox; in production the
 * sandbox has to be named.
 */
export function social(env: Env): SocialConfig {
  return {
    microblog: platform(env, "MICROBLOG_DRIVER", {
      x: networks.x,
      bluesky: networks.bluesky,
      mastodon: networks.mastodon,
    }),
    chatserver: platform(env, "CHATSERVER_DRIVER", { discord: networks.discord }),
    messenger: platform(env, "MESSENGER_DRIVER", {
      telegram: networks.telegram,
      "telegram-preview": networks.telegramPreview,
    }),
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

/** Variables any of which chooses the network when none is named. */
const credentials: Record<string, (keyof Env)[]> = {
  x: ["X_BEARER_TOKEN", "X_ACCESS_TOKEN"],
  bluesky: ["BLUESKY_IDENTIFIER", "BLUESKY_APP_PASSWORD"],
  mastodon: ["MASTODON_URL", "MASTODON_ACCESS_TOKEN"],
  discord: ["DISCORD_BOT_TOKEN"],
  telegram: ["TELEGRAM_API_ID", "TELEGRAM_API_HASH"],
};

function platform<Settings extends { driver: string }>(
  env: Env,
  variable: "MICROBLOG_DRIVER" | "CHATSERVER_DRIVER" | "MESSENGER_DRIVER",
  readers: Record<Settings["driver"], (env: Env) => Settings>,
): Settings | Sandbox {
  const names = Object.keys(readers) as Settings["driver"][];
  const name = env[variable] ?? chosen(env, variable, names);
  if (name === "sandbox") return { driver: "sandbox" };
  const read = names.includes(name) && readers[name as Settings["driver"]];
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

function pace(value = "5s"): number | null {
  if (value === "off") return null;
  const [, seconds] = /^(\d{1,5})s$/.exec(value) ?? [];
  if (!(Number(seconds) >= 1))
    throw new ConfigError("SANDBOX_POST_EVERY", "whole seconds such as 5s, or off");
  return Number(seconds) * 1000;
}

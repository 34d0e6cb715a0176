import { ConfigError, type Env, readSetting, requireSetting } from "./env.ts";

/** The networks behind each social platform, with their credentials and addresses; the first is the default. */
export interface SocialConfig {
  microblog: Networks<X | Bluesky | Mastodon>;
  chatserver: Networks<Discord>;
  messenger: Networks<Telegram | TelegramPreview>;
  /** Milliseconds between posts of each simulated platform; null: it posts on demand only. */
  sandboxEveryMs: number | null;
}

type Networks<Settings> = [Sandbox | Settings, ...(Sandbox | Settings)[]];

export interface Sandbox {
  driver: "sandbox";
}

export interface X {
  driver: "x";
  bearerToken: string;
  /** The token of the account that follows; undefined: nobody is followed. */
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
 * The drivers are those that are named, else the one whose credentials are set, else the sandbox; in production the
 * sandbox has to be named.
 */
export function socialConfig(env: Env): SocialConfig {
  return {
    microblog: platform(env, "MICROBLOG_DRIVER", {
      x,
      bluesky: bluesky,
      mastodon: mastodon,
    }),
    chatserver: platform(env, "CHATSERVER_DRIVER", { discord: discord }),
    messenger: platform(env, "MESSENGER_DRIVER", {
      telegram: telegram,
      "telegram-preview": telegramPreview,
    }),
    sandboxEveryMs: readSetting("SANDBOX_POST_EVERY", env),
  };
}

/** The values that no log may show. */
export function socialSecrets({ microblog, chatserver, messenger }: SocialConfig): string[] {
  const secret = /^(bearerToken|accessToken|appPassword|botToken|apiHash)$/;
  return [...microblog, ...chatserver, ...messenger].flatMap(settings =>
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
): Networks<Settings> {
  const names = Object.keys(readers) as Settings["driver"][];
  const [first, ...others] = readSetting(variable, env) ?? [chosen(env, variable, names)];
  const read = (name: string): Sandbox | Settings =>
    name === "sandbox" ? { driver: "sandbox" } : readers[name as Settings["driver"]](env);
  return [read(first), ...others.map(read)];
}

function chosen(env: Env, variable: string, names: string[]): string {
  const present = names.filter(name => credentials[name]?.some(each => env[each] !== undefined));
  if (present.length > 1)
    throw new ConfigError(
      variable,
      `there are credentials for ${present.join(" and ")}: name one of them, or all with the default first, such as ${present.join(",")}`,
    );
  if (present.length === 0 && readSetting("NODE_ENV", env) === "production")
    throw new ConfigError(
      variable,
      `name ${names.join(" or ")}, or sandbox for a simulated platform; in production none is assumed`,
    );
  return present[0] ?? "sandbox";
}

function x(env: Env): X {
  const accessToken = readSetting("X_ACCESS_TOKEN", env);
  const baseUrl = readSetting("X_BASE_URL", env);
  const monthlyReads = readSetting("X_MONTHLY_READS", env);
  return {
    driver: "x",
    bearerToken: credential("X_BEARER_TOKEN", env),
    ...(accessToken !== undefined && { accessToken }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(monthlyReads !== undefined && { monthlyReads }),
  };
}

function bluesky(env: Env): Bluesky {
  return {
    driver: "bluesky",
    identifier: credential("BLUESKY_IDENTIFIER", env),
    appPassword: credential("BLUESKY_APP_PASSWORD", env),
    service: readSetting("BLUESKY_SERVICE", env),
    relay: readSetting("BLUESKY_RELAY", env),
  };
}

function mastodon(env: Env): Mastodon {
  return {
    driver: "mastodon",
    url: credential("MASTODON_URL", env),
    accessToken: credential("MASTODON_ACCESS_TOKEN", env),
  };
}

function discord(env: Env): Discord {
  const apiUrl = readSetting("DISCORD_API_URL", env);
  return {
    driver: "discord",
    botToken: credential("DISCORD_BOT_TOKEN", env),
    ...(apiUrl !== undefined && { apiUrl }),
  };
}

function telegram(env: Env): Telegram {
  const dc = readSetting("TELEGRAM_DC", env);
  return {
    driver: "telegram",
    apiId: credential("TELEGRAM_API_ID", env),
    apiHash: credential("TELEGRAM_API_HASH", env),
    ...(dc && { dc }),
  };
}

function telegramPreview(env: Env): TelegramPreview {
  return { driver: "telegram-preview", url: readSetting("TELEGRAM_PREVIEW_URL", env) };
}

function credential<Name extends Parameters<typeof requireSetting>[0]>(name: Name, env: Env) {
  return requireSetting(name, env, "for this driver");
}

import { toConfig } from "../../../mixins/config/config.ts";
import { type Env, readEnv } from "../../../mixins/config/env.ts";
import { socialSecrets } from "../../../mixins/config/social.ts";

const read = (env: Env) => toConfig(readEnv(env)).social;

test("with nothing set, every platform is simulated, and posts", () => {
  expect(read({})).toEqual({
    microblog: [{ driver: "sandbox" }],
    chatserver: [{ driver: "sandbox" }],
    messenger: [{ driver: "sandbox" }],
    sandboxEveryMs: 5000,
  });
});

const x = { X_BEARER_TOKEN: "bearer" };
const bluesky = { BLUESKY_IDENTIFIER: "magpie.example", BLUESKY_APP_PASSWORD: "app-password" };
const mastodon = { MASTODON_URL: "https://birds.example/", MASTODON_ACCESS_TOKEN: "token" };
const telegram = { TELEGRAM_API_ID: "12", TELEGRAM_API_HASH: "hash" };

describe("credentials choose the network", () => {
  test.each<[Env, object]>([
    [x, { microblog: [{ driver: "x", bearerToken: "bearer" }] }],
    [
      { ...x, X_ACCESS_TOKEN: "user", X_BASE_URL: "http://127.0.0.1:1/2/", X_MONTHLY_READS: "500" },
      { microblog: [{ accessToken: "user", baseUrl: "http://127.0.0.1:1/2", monthlyReads: 500 }] },
    ],
    [
      bluesky,
      { microblog: [{ driver: "bluesky", service: "https://bsky.social", relay: "wss://bsky.network" }] },
    ],
    [
      { ...bluesky, BLUESKY_SERVICE: "http://127.0.0.1:1", BLUESKY_RELAY: "ws://127.0.0.1:2" },
      { microblog: [{ service: "http://127.0.0.1:1", relay: "ws://127.0.0.1:2" }] },
    ],
    [mastodon, { microblog: [{ driver: "mastodon", url: "https://birds.example", accessToken: "token" }] }],
    [{ DISCORD_BOT_TOKEN: "bot" }, { chatserver: [{ driver: "discord", botToken: "bot" }] }],
    [telegram, { messenger: [{ driver: "telegram", apiId: 12, apiHash: "hash" }] }],
    [
      { ...telegram, TELEGRAM_DC: "127.0.0.1:443" },
      { messenger: [{ dc: { host: "127.0.0.1", port: 443 } }] },
    ],
    [{ MESSENGER_DRIVER: "telegram-preview" }, { messenger: [{ driver: "telegram-preview" }] }],
    [{ ...x, ...mastodon, MICROBLOG_DRIVER: "mastodon" }, { microblog: [{ driver: "mastodon" }] }],
    [{ ...x, MICROBLOG_DRIVER: "sandbox" }, { microblog: [{ driver: "sandbox" }] }],
    [
      { ...x, ...bluesky, ...mastodon, MICROBLOG_DRIVER: "bluesky, x,sandbox" },
      { microblog: [{ driver: "bluesky" }, { driver: "x", bearerToken: "bearer" }, { driver: "sandbox" }] },
    ],
    [
      { ...telegram, MESSENGER_DRIVER: "telegram-preview,telegram" },
      { messenger: [{ driver: "telegram-preview" }, { driver: "telegram" }] },
    ],
    [{ SANDBOX_POST_EVERY: "off" }, { sandboxEveryMs: null }],
    [{ SANDBOX_POST_EVERY: "60s" }, { sandboxEveryMs: 60_000 }],
  ])("%j", (env, expected) => expect(read(env)).toMatchObject(expected));
});

test.each<[string, Env]>([
  ["MICROBLOG_DRIVER", { MICROBLOG_DRIVER: "telegram" }],
  ["MICROBLOG_DRIVER", { MICROBLOG_DRIVER: "constructor" }],
  ["MICROBLOG_DRIVER", { ...x, ...mastodon }],
  ["MICROBLOG_DRIVER", { ...x, ...mastodon, MICROBLOG_DRIVER: "x,mastodon,x" }],
  ["MICROBLOG_DRIVER", { ...x, MICROBLOG_DRIVER: "x,discord" }],
  ["MICROBLOG_DRIVER", { ...x, MICROBLOG_DRIVER: "x,,sandbox" }],
  ["MASTODON_ACCESS_TOKEN", { ...x, MASTODON_URL: "https://birds.example", MICROBLOG_DRIVER: "x,mastodon" }],
  ["MICROBLOG_DRIVER", { NODE_ENV: "production" }],
  ["CHATSERVER_DRIVER", { NODE_ENV: "production", MICROBLOG_DRIVER: "sandbox" }],
  ["X_BEARER_TOKEN", { MICROBLOG_DRIVER: "x" }],
  ["X_BEARER_TOKEN", { X_ACCESS_TOKEN: "of a user alone" }],
  ["X_BASE_URL", { ...x, X_BASE_URL: "ftp://x.example" }],
  ["X_MONTHLY_READS", { ...x, X_MONTHLY_READS: "0" }],
  ["BLUESKY_APP_PASSWORD", { BLUESKY_IDENTIFIER: "magpie.example" }],
  ["BLUESKY_RELAY", { ...bluesky, BLUESKY_RELAY: "https://relay.example" }],
  ["MASTODON_URL", { MASTODON_ACCESS_TOKEN: "token" }],
  ["MASTODON_URL", { ...mastodon, MASTODON_URL: "birds.example" }],
  ["MASTODON_ACCESS_TOKEN", { MASTODON_URL: "https://birds.example" }],
  ["MASTODON_ACCESS_TOKEN", { MICROBLOG_DRIVER: "mastodon", MASTODON_URL: "https://birds.example" }],
  ["DISCORD_BOT_TOKEN", { CHATSERVER_DRIVER: "discord" }],
  ["TELEGRAM_API_HASH", { TELEGRAM_API_ID: "12" }],
  ["TELEGRAM_API_ID", { ...telegram, TELEGRAM_API_ID: "twelve" }],
  ["TELEGRAM_DC", { ...telegram, TELEGRAM_DC: "127.0.0.1" }],
  ["TELEGRAM_DC", { ...telegram, TELEGRAM_DC: "127.0.0.1:99999" }],
  ["SANDBOX_POST_EVERY", { SANDBOX_POST_EVERY: "0s" }],
])("%s is named when %j is refused", (name, env) => {
  expect(() => read(env)).toThrow(new RegExp(`^${name}: `));
});

test("in production the sandbox is taken by name, and real networks as ever", () => {
  const env = {
    NODE_ENV: "production",
    ...mastodon,
    CHATSERVER_DRIVER: "sandbox",
    MESSENGER_DRIVER: "sandbox",
  };
  expect(read(env)).toMatchObject({
    microblog: [{ driver: "mastodon" }],
    messenger: [{ driver: "sandbox" }],
  });
});

test("secrets are known as such", () => {
  const several = { ...x, ...bluesky, X_ACCESS_TOKEN: "user", MICROBLOG_DRIVER: "x,bluesky" };
  const env = { ...several, DISCORD_BOT_TOKEN: "bot", ...telegram };
  expect(socialSecrets(read(env)).sort()).toEqual(["app-password", "bearer", "bot", "hash", "user"]);
});

test("what several networks need is said where none is named", () => {
  expect(() => read({ ...x, ...mastodon })).toThrow(/all with the default first, such as x,mastodon/);
});

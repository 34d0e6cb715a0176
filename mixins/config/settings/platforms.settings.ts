/** The social platforms: their networks, credentials and addresses. */
import { baseUrl, choices, hostAndPort, integer, pace, text } from "../setting-types.ts";
import type { Settings } from "./setting.ts";

const byCredentials = "the network whose credentials are set, else `sandbox`";

export const platforms = {
  MICROBLOG_DRIVER: {
    type: choices("sandbox", "x", "bluesky", "mastodon"),
    unset: byCredentials,
    doc: "Networks behind the microblog, with commas between them; the first is the default, and the others are named by a prefix or an address. With `NODE_ENV=production` the sandbox has to be named.",
  },
  CHATSERVER_DRIVER: {
    type: choices("sandbox", "discord"),
    unset: byCredentials,
    doc: "Networks behind the chat servers; likewise.",
  },
  MESSENGER_DRIVER: {
    type: choices("sandbox", "telegram", "telegram-preview"),
    unset: byCredentials,
    doc: "Networks behind the messenger; likewise.",
  },
  SANDBOX_POST_EVERY: {
    type: pace,
    default: "5s",
    doc: "How often an account of each simulated platform posts. `off`: on demand only.",
  },
} satisfies Settings;

export const networks = {
  X_BEARER_TOKEN: { type: text("an app's bearer token"), unset: "none", doc: "The app's bearer token." },
  X_ACCESS_TOKEN: {
    type: text("the token of a user"),
    unset: "nobody is followed",
    doc: "Token of the account that follows the tracked accounts.",
  },
  X_MONTHLY_READS: {
    type: integer(1),
    unset: "as many as the plan pays for",
    doc: "Posts that may be read in a calendar month (UTC).",
  },
  X_BASE_URL: { type: baseUrl("http"), unset: "X's own", doc: "Another address of the API, for a stand-in." },
  BLUESKY_IDENTIFIER: {
    type: text("the handle or DID of an account"),
    unset: "none",
    doc: "Handle or DID of the account.",
  },
  BLUESKY_APP_PASSWORD: {
    type: text("an app password of that account"),
    unset: "none",
    doc: "App password of the account.",
  },
  BLUESKY_SERVICE: { type: baseUrl("http"), default: "https://bsky.social", doc: "Server of the account." },
  BLUESKY_RELAY: {
    type: baseUrl("ws"),
    default: "wss://bsky.network",
    doc: "Relay that streams what is written.",
  },
  MASTODON_URL: {
    type: baseUrl("http", ", such as https://mastodon.social, the server of the account"),
    unset: "none",
    doc: "Home server of the account, such as `https://mastodon.social`.",
  },
  MASTODON_ACCESS_TOKEN: {
    type: text("an access token of an account of that server"),
    unset: "none",
    doc: "Access token of the account.",
  },
  DISCORD_BOT_TOKEN: { type: text("the token of a bot"), unset: "none", doc: "Token of the bot." },
  DISCORD_API_URL: {
    type: baseUrl("http"),
    unset: "`https://discord.com/api`",
    doc: "Address of the HTTP API, without the version.",
  },
  TELEGRAM_API_ID: {
    type: integer(1, undefined, "the app's api_id, "),
    unset: "none",
    doc: "`api_id` of the app.",
  },
  TELEGRAM_API_HASH: { type: text("the app's api_hash"), unset: "none", doc: "`api_hash` of the app." },
  TELEGRAM_DC: {
    type: hostAndPort,
    unset: "the network's own",
    doc: "`host:port` of another data centre, for tests.",
  },
  TELEGRAM_PREVIEW_URL: {
    type: baseUrl("http"),
    default: "https://t.me/s",
    doc: "Address before a channel's name, for `telegram-preview`.",
  },
} satisfies Settings;

import { keyScopes } from "../../contracts/key-scopes.ts";
import { type SandboxInventory, sandboxInventory } from "../../domain/sandbox/world.ts";

/** The first text of the document. */
export const generalIntroduction = `Tracks sources, delivers what is new, and scrapes the public web.

**Authentication.** Send your API key in \`x-api-key\`, or as \`Authorization: Bearer\`: both mean the same. The endpoints below /internal take the admin key in \`x-admin-key\`.

**Scopes.** A key may be bound to some of ${keyScopes.map(name => `\`${name}\``).join(", ")}; one without scopes may do everything. \`x-required-scopes\` of an operation has the scopes of which any one admits a key; where the list is empty, only a key without scopes is admitted. Another key gets 403 \`insufficient_scope\`.

**Requests.** Bodies are JSON in UTF-8 of at most 1 MB, nested at most 32 deep, with at most 10,000 members in a list or an object and 100,000 in all. Undocumented fields are refused and named.

**Errors.** Every error has the same body: \`{status: "error", code, error, message, request_id}\`. Branch on \`code\`; \`message\` (and the same text in \`error\`) is for people. Refused parameters are listed in \`details\`. 429 and 503 carry \`retry_after\` in whole seconds, also as \`Retry-After\`.

**Limits.** Each key has a sliding window of 60 s. \`RateLimit-Policy\` and \`RateLimit\` on every answer give its size and what is left of it.

**Request ids.** Every answer carries \`x-request-id\`. It is your own id when you send one (letters, digits, \`. _ -\`, at most 64).

**Browsers.** Pages of other origins may read only this document: an API key does not belong in a web page.`;

export const tags = [
  {
    name: "Web",
    description:
      "Reading the public web: one page (`POST /web/scrape`), a list of pages (`POST /web/batch`), a whole site " +
      "(`POST /web/crawl`), or only the addresses of its pages (`POST /web/map`). Scrapes answer at once or later; the " +
      "others are jobs with a status, a list of errors and a webhook of their own.",
  },
  {
    name: "Tracking",
    description:
      "Sources whose new content is delivered: feeds, pages, and accounts and channels of social platforms. A source " +
      "belongs to the key that tracks it. What happens there from then on becomes events.",
  },
  {
    name: "Monitors",
    description:
      "Pages, sites and searches that are checked together, by a schedule or when that is asked for, with the result of each " +
      "check page by page.",
  },
  {
    name: "History",
    description:
      "What tracked pages and feeds said: each check with its reason, each version, how two versions differ, values over " +
      "time, what other options would have made of it, and a search.",
  },
  {
    name: "Microblog",
    description:
      "Posts and accounts of the microblog, as its network gives them now. Nothing has to be tracked.",
  },
  {
    name: "Messenger",
    description: "Searches in the messages of the messenger, everywhere or in one channel.",
  },
  {
    name: "Webhook",
    description:
      "The endpoint that receives a key's events, the attempts to deliver them, and what to do when they failed: send one " +
      "again, or all since a time. Deliveries are signed as Standard Webhooks 1.0 specifies.",
  },
  {
    name: "Stream",
    description:
      "The same events over a connection that the client opens: a WebSocket, server-sent events, or a page at a time. " +
      "Each event has a `seq`; who keeps the last one continues there, and misses nothing that is kept: 72 hours, or longer where the operator has set it.",
  },
  {
    name: "Feeds",
    description:
      "The same events as Atom and JSON Feed, for feed readers. A feed may hold all events of a key, or those of some tags, " +
      "sources and types.",
  },
  {
    name: "Events",
    description:
      "What webhooks receive and streams carry. `type` says what happened and so what is in `data`. An event comes at least " +
      "once: its `id` is the same every time.",
  },
  {
    name: "Session",
    description:
      "Signing in as people do, with a cookie in place of a key. For the dashboard; programs send a key.",
  },
  {
    name: "Owner",
    description: "An owner's keys, for the owner who signed in. No API key may ask for these.",
  },
  { name: "API keys", description: "The calling key: its limits, its use, and the other keys of its owner." },
  {
    name: "Administration",
    description:
      "Keys and owners, the work of all keys, and posts by hand. Takes the admin key in `x-admin-key`, or the session of " +
      "an administrator.",
  },
  {
    name: "Operations",
    description: "Health, metrics, this document and the guide. For everybody, without a key.",
  },
];

type Platform = keyof SandboxInventory;

/** The network behind each platform, or its networks. */
export type Drivers = Record<Platform, { driver: string } | { driver: string }[]>;

/** Describes the simulated platforms and what they hold; empty where none is simulated. */
export function sandboxDocs(drivers: Drivers): { prose: string; inventory: Partial<SandboxInventory> } {
  const simulated = (Object.keys(titles) as Platform[]).filter(name =>
    [drivers[name]].flat().some(({ driver }) => driver === "sandbox"),
  );
  if (simulated.length === 0) return { prose: "", inventory: {} };
  const inventory = sandboxInventory();
  const shown = Object.fromEntries(simulated.map(name => [name, inventory[name]]));
  return { prose: sandboxIntroduction(simulated), inventory: shown };
}

function sandboxIntroduction(simulated: Platform[]): string {
  const names = simulated.map(name => titles[name]).join(", ");
  return (
    `\n\n**Sandbox.** Simulated in this installation, not real: ${names}. ` +
    "`x-sandbox` in this document lists what you can track and search there; `POST /internal/sandbox/post` posts " +
    "there. A gated channel approves everyone after 3 seconds."
  );
}

const titles: Record<Platform, string> = {
  microblog: "the microblog",
  chatserver: "the chat servers",
  messenger: "the messenger",
};

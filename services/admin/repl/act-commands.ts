import type { LaneSummary } from "../../contracts/admin.contract.ts";
import { keyScopes } from "../../contracts/key-scopes.ts";
import type { AdminKeyRecord } from "../../contracts/keys.contract.ts";
import { quotaWords } from "../../domain/quota/quotas.ts";
import { type Command, type Line, numberIn, showTable, type Tools, textIn } from "./command.ts";

/* Commands that change something, each by one request. */

interface Said<Data = unknown> {
  data: Data;
  message: string;
}

export const reactivate: Command = {
  command: "reactivate <webhook>",
  description: "Starts a failed webhook endpoint again, by its id as `lanes` shows it.",
  async run({ args }, { ask, screen }) {
    const path = `/internal/lanes/${part(args.webhook)}/reactivate`;
    const { body } = await ask<Said<LaneSummary>>("POST", path, {});
    screen.write(`${body.message} ${body.data.waiting} wait.\n`);
  },
};

export const replay: Command = {
  command: "replay <webhook>",
  description: "Delivers events to a webhook endpoint again.",
  options: [
    { option: "--since <time>", description: "events since then, ISO 8601" },
    { option: "--until <time>", description: "events before then" },
    { option: "--events <ids>", description: "only these events, with commas between" },
  ],
  async run(line, { ask, screen }) {
    const events = textIn(line, "events");
    const choice = {
      since: textIn(line, "since"),
      until: textIn(line, "until"),
      event_ids: events?.split(",").map(id => id.trim()),
    };
    if (!choice.since && !events) throw new Error("Give --since <time> or --events <ids>.");
    const path = `/internal/lanes/${part(line.args.webhook)}/replay`;
    const { body } = await ask<Said<{ events: number }>>("POST", path, choice);
    screen.write(`${body.data.events} events. ${body.message}\n`);
  },
};

export const poll: Command = {
  command: "poll <source>",
  description: "Polls a source now, whichever key tracks it, by its id as `sources` shows it.",
  async run({ args }, { ask, screen }) {
    const { body } = await ask<Said>("POST", `/internal/sources/${part(args.source)}/poll`, {});
    screen.write(`${body.message}\n`);
  },
};

export const cancel: Command = {
  command: "cancel <job>",
  description: "Cancels a scrape, a crawl or a batch of any key, by its id as `jobs` shows it.",
  async run({ args: { job = "" } }, { ask, screen }) {
    const kind = job.startsWith("scr_") ? "scrapes" : job.startsWith("crw_") ? "crawls" : undefined;
    if (kind === undefined) throw new Error("The id of a job begins with scr_ or crw_. `jobs` lists them.");
    const { body } = await ask<{ status: string }>("DELETE", `/internal/${kind}/${part(job)}`);
    screen.write(`${job} is ${kind === "scrapes" ? "cancelled" : body.status}.\n`);
  },
};

const bounds = [
  { option: "--scopes <names>", description: `some of ${keyScopes.join(",")}; or all` },
  { option: "--expires <time>", description: "when it ends, such as 2030-01-31T00:00:00Z; or never" },
  { option: "--requests <n>", description: "requests per minute" },
  { option: "--scrapes <n>", description: "scrapes at a time" },
  { option: "--crawls <n>", description: "crawls and batches at a time" },
  { option: "--sources <n>", description: "sources that it may track" },
  { option: "--quotas <list>", description: "such as pages/day=1000,events/month=none" },
];

export const createKey: Command = {
  command: "create-key <owner> <name>",
  description: "Makes an API key, and prints its value this once.",
  options: bounds,
  async run(line, tools) {
    const { owner, name } = line.args;
    const body = { owner, name, ...boundsIn(line) };
    const answer = await tools.ask<Said<AdminKeyRecord>>("POST", "/internal/keys", body);
    showKey(tools, answer.body.data);
    tools.screen.write(`The value, shown this once: ${answer.body.data.key}\n`);
  },
};

export const limitKey: Command = {
  command: "limit-key <id>",
  description: "Changes scopes, end, limits and quotas of a key; what is not named stays.",
  options: [...bounds, { option: "--name <label>", description: "another label" }],
  async run(line, tools) {
    const name = textIn(line, "name");
    const body = { ...(name !== undefined && { name }), ...boundsIn(line) };
    if (Object.keys(body).length === 0) throw new Error("Name what to change: `help limit-key` lists it.");
    const path = `/internal/keys/${part(line.args.id)}`;
    showKey(tools, (await tools.ask<Said<AdminKeyRecord>>("PATCH", path, body)).body.data);
  },
};

export const endKey: Command = {
  command: "end-key <id>",
  description: "Ends a key: at a time, after which it is refused and what it has stays, or for good.",
  options: [
    { option: "--at <time>", description: "when it ends, such as 2030-01-31T00:00:00Z" },
    { option: "--delete", description: "at once and for good, with its sources, endpoints and events" },
  ],
  async run(line, { ask, screen }) {
    const at = textIn(line, "at");
    const isDeleted = line.options.delete === true;
    if ((at === undefined) !== isDeleted) throw new Error("Give either --at <time> or --delete.");
    const path = `/internal/keys/${part(line.args.id)}`;
    if (isDeleted) await ask("DELETE", path);
    else await ask("PATCH", path, { expires_at: at });
    screen.write(isDeleted ? "The key is deleted.\n" : `The key ends at ${at}.\n`);
  },
};

function showKey(tools: Tools, key: AdminKeyRecord): void {
  showTable(tools, [key], {
    Id: ({ id }) => id,
    Owner: ({ owner }) => owner,
    Name: ({ name }) => name,
    Scopes: ({ scopes }) => scopes?.join(", ") ?? "all",
    Expires: ({ expires_at }) => expires_at ?? "never",
    "Requests/min": ({ limits }) => limits.requestsPerMinute,
    Sources: ({ limits }) => limits.trackedSources,
    Quotas: ({ quotas }) => quotaWords(quotas),
  });
}

const limitOptions = {
  requests: "requestsPerMinute",
  scrapes: "concurrentScrapes",
  crawls: "concurrentCrawls",
  sources: "trackedSources",
};

function boundsIn(line: Line): Record<string, unknown> {
  const [scopes, expires] = [textIn(line, "scopes"), textIn(line, "expires")];
  const quotas = textIn(line, "quotas");
  const limits = Object.entries(limitOptions)
    .filter(([option]) => line.options[option] !== undefined)
    .map(([option, name]) => [name, numberIn(line, option, 1)]);
  return {
    ...(scopes !== undefined && { scopes: scopes === "all" ? null : scopes.split(",") }),
    ...(expires !== undefined && { expires_at: expires === "never" ? null : expires }),
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
    ...(quotas !== undefined && { quotas: quotasIn(quotas) }),
  };
}

function quotasIn(text: string): Record<string, Record<string, number | null>> {
  const quotas: Record<string, Record<string, number | null>> = {};
  for (const each of text.split(",")) {
    const [, name = "", period = "", amount = ""] = /^(\w+)\/(\w+)=(\d+|none)$/.exec(each.trim()) ?? [];
    if (name === "") throw new Error("--quotas takes a list such as pages/day=1000,events/month=none.");
    quotas[period] = { ...quotas[period], [name]: amount === "none" ? null : Number(amount) };
  }
  return quotas;
}

function part(value = ""): string {
  return encodeURIComponent(value);
}

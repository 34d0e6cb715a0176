import type { LaneSummary } from "../../contracts/admin.contract.ts";
import type { CrawlSummary, JoinJob, ScrapeSummary } from "../../contracts/job-lists.contract.ts";
import type { AdminKeyRecord } from "../../contracts/keys.contract.ts";
import type { ListPage } from "../../contracts/paging.ts";
import type { SourceSummary } from "../../contracts/source-lists.contract.ts";
import { quotaWords } from "../../domain/quota/quotas.ts";
import { type Columns, type Command, numberIn, showTable, textIn } from "./command.ts";

export const sources = listCommand<SourceSummary>({
  name: "sources",
  description: "Lists what is tracked, by how many keys, and how its polling goes.",
  path: "/internal/sources",
  filters: [
    { name: "source", takes: "kind", description: "microblog, chatserver, messenger, web or rss" },
    { name: "health", takes: "health", description: "ok, failing or gone" },
    { name: "query", takes: "text", description: "a part of the name or address" },
  ],
  columns: {
    Id: ({ id }) => id,
    Source: ({ source }) => source,
    "External id": ({ externalId }) => externalId,
    Name: ({ name }) => name,
    Keys: ({ keys }) => keys,
    Health: ({ health }) => health,
    Problem: ({ problem }) => problem,
    "Next poll": ({ due_at }) => due_at,
  },
});

export const lanes = listCommand<LaneSummary>({
  name: "lanes",
  description: "Lists webhook endpoints, and how far the deliveries to them have come.",
  path: "/internal/lanes",
  filters: [
    { name: "key", takes: "id", description: "only those of this key", parameter: "key_id" },
    { name: "status", takes: "status", description: "ACTIVE or FAILED" },
  ],
  columns: {
    Webhook: ({ webhook_id }) => webhook_id,
    Key: ({ key_id }) => key_id,
    URL: ({ url }) => url,
    Status: ({ status }) => status,
    Waiting: ({ waiting }) => waiting,
    Failures: ({ failures }) => failures,
    "Next attempt": ({ next_attempt_at }) => next_attempt_at,
    Quota: ({ held }) => held && `used up until ${held.resets_at}`,
  },
});

const scrapeColumns: Columns<ScrapeSummary> = {
  Scrape: ({ scrape_id }) => scrape_id,
  Key: ({ key_id }) => key_id,
  URL: ({ url }) => url,
  Status: ({ status }) => status,
  Error: ({ error }) => error?.code ?? null,
  Started: ({ started_at }) => started_at,
  Ended: ({ ended_at }) => ended_at,
};

const crawlColumns: Columns<CrawlSummary> = {
  Crawl: ({ crawl_id }) => crawl_id,
  Key: ({ key_id }) => key_id,
  URL: ({ url }) => url,
  Status: ({ status }) => status,
  Pages: ({ progress }) => `${progress.completed + progress.failed} of ${progress.discovered}`,
  Started: ({ started_at }) => started_at,
  Ended: ({ ended_at }) => ended_at,
};

const joinColumns: Columns<JoinJob> = {
  Request: ({ id }) => id,
  Key: ({ key_id }) => key_id,
  Source: ({ source }) => source,
  State: ({ state }) => state,
  "Gives up": ({ fails_at }) => fails_at,
  Ended: ({ ended_at }) => ended_at,
};

export const jobs: Command = {
  command: "jobs",
  description: "Lists scrapes, crawls, and requests to be let into gated channels.",
  options: [
    { option: "--key <id>", description: "only those of this key" },
    { option: "--limit <n>", description: "how many of each, 1 to 100; default 20" },
  ],
  async run(line, tools) {
    const key = textIn(line, "key");
    const query = new URLSearchParams({
      limit: String(numberIn(line, "limit", 20)),
      ...(key !== undefined && { key_id: key }),
    });
    const show = async <Row>(title: string, path: string, columns: Columns<Row>) => {
      const { body } = await tools.ask<ListPage<Row>>("GET", `${path}?${query}`);
      tools.screen.write(`${title}\n`);
      showTable(tools, body.data, columns);
    };
    await show("Scrapes, newest first", "/internal/scrapes", scrapeColumns);
    await show("Crawls, newest first", "/internal/crawls", crawlColumns);
    await show("Requests to be let in", "/internal/joins", joinColumns);
  },
};

export const keys = listCommand<AdminKeyRecord>({
  name: "keys",
  description: "Lists API keys, newest first, without their values.",
  path: "/internal/keys",
  filters: [{ name: "owner", takes: "name", description: "only keys of this owner" }],
  columns: {
    Id: ({ id }) => id,
    Owner: ({ owner }) => owner,
    Name: ({ name }) => name,
    "Requests/min": ({ limits }) => limits.requestsPerMinute,
    Sources: ({ limits }) => limits.trackedSources,
    Quotas: ({ quotas }) => quotaWords(quotas),
    Scopes: ({ scopes }) => scopes?.join(", ") ?? "all",
    Expires: ({ expires_at }) => expires_at ?? "never",
    "Last used": ({ last_used_at }) => last_used_at,
    Created: ({ createdAt }) => createdAt,
  },
});

interface List<Row> {
  name: string;
  description: string;
  path: string;
  columns: Columns<Row>;
  /** Options that become parameters of the endpoint, and the values they take. */
  filters: { name: string; takes: string; description: string; parameter?: string }[];
}

/** A command that shows one page of a list of the installation. */
function listCommand<Row>({ name, description, path, columns, filters }: List<Row>): Command {
  return {
    command: name,
    description,
    options: [
      ...filters.map(each => ({ option: `--${each.name} <${each.takes}>`, description: each.description })),
      { option: "--limit <n>", description: "how many at a time, 1 to 100; default 20" },
      { option: "--cursor <c>", description: "where to continue" },
    ],
    async run(line, tools) {
      const query = new URLSearchParams({ limit: String(numberIn(line, "limit", 20)) });
      for (const { name: each, parameter = each } of [{ name: "cursor", parameter: "cursor" }, ...filters]) {
        const value = textIn(line, each);
        if (value !== undefined) query.set(parameter, value);
      }
      const { body } = await tools.ask<ListPage<Row>>("GET", `${path}?${query}`);
      showTable(tools, body.data, columns);
      if (body.next_cursor !== null) tools.screen.write(`There are more: --cursor ${body.next_cursor}\n`);
    },
  };
}

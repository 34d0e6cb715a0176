import type {
  CrawlStanding,
  JoinJob,
  LaneStanding,
  Listed,
  ScrapeStanding,
  SourceStanding,
} from "../../contracts/inspection.contract.ts";
import type { AdminKeyRecord } from "../../contracts/keys.contract.ts";
import { type Command, numberIn } from "./command.ts";
import { listCommand } from "./list-command.ts";
import { type Columns, showTable } from "./show-table.ts";

export const sources = listCommand<SourceStanding>({
  name: "sources",
  description: "Lists what is tracked, by how many keys, and how its polling goes.",
  path: "/internal/sources",
  filter: { name: "source", takes: "kind", description: "microblog, chatserver, messenger, web or rss" },
  columns: {
    Id: ({ id }) => id,
    Source: ({ source }) => source,
    "External id": ({ externalId }) => externalId,
    Name: ({ name }) => name,
    Keys: ({ keys }) => keys,
    Health: ({ health }) => health,
    "Next look": ({ due_at }) => due_at,
  },
});

export const lanes = listCommand<LaneStanding>({
  name: "lanes",
  description: "Lists webhook endpoints, and how far the deliveries to them have come.",
  path: "/internal/lanes",
  filter: { name: "status", takes: "status", description: "ACTIVE or FAILED" },
  columns: {
    Key: ({ key_id }) => key_id,
    URL: ({ url }) => url,
    Status: ({ status }) => status,
    Waiting: ({ waiting }) => waiting,
    Failures: ({ failures }) => failures,
    "Next attempt": ({ next_attempt_at }) => next_attempt_at,
  },
});

const scrapeColumns: Columns<ScrapeStanding> = {
  Scrape: ({ scrape_id }) => scrape_id,
  Key: ({ key_id }) => key_id,
  URL: ({ url }) => url,
  Status: ({ status }) => status,
  Started: ({ started_at }) => started_at,
  Ended: ({ ended_at }) => ended_at,
};

const crawlColumns: Columns<CrawlStanding> = {
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
  options: [{ option: "--limit <n>", description: "how many of each, 1 to 100; 20 unless told" }],
  async run(line, tools) {
    const show = async <Row>(title: string, path: string, columns: Columns<Row>) => {
      const { body } = await tools.ask<Listed<Row>>("GET", `${path}?limit=${numberIn(line, "limit", 20)}`);
      tools.screen.write(`${title}\n`);
      showTable(tools, body.data, columns);
    };
    await show("Scrapes, newest first", "/internal/scrapes", scrapeColumns);
    await show("Crawls, newest first", "/internal/crawls", crawlColumns);
    await show("Requests to be let in", "/internal/joins", joinColumns);
  },
};

export const keys: Command = {
  command: "keys",
  description: "Lists API keys, newest first, without their values.",
  async run(_line, tools) {
    const { body } = await tools.ask<{ data: AdminKeyRecord[] }>("GET", "/internal/keys");
    showTable(tools, body.data, {
      Id: ({ id }) => id,
      Owner: ({ owner }) => owner,
      Name: ({ name }) => name,
      "Requests/min": ({ limits }) => limits.requestsPerMinute,
      Sources: ({ limits }) => limits.trackedSources,
      Created: ({ createdAt }) => createdAt,
    });
  },
};

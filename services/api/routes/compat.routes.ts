import { fail } from "../../contracts/errors.ts";
import { maxDocumentBytes } from "../../contracts/parse.contract.ts";
import { openWebui, reader } from "../compat/readers.ts";
import { activeCrawls, batchAnswer, crawlAnswer } from "../firecrawl/crawl.ts";
import { extractAnswer, extractStatusAnswer } from "../firecrawl/extract.ts";
import { failure } from "../firecrawl/failure.ts";
import { batches, cancelOf, crawls, errorsOf, type JobKind, statusOf } from "../firecrawl/jobs.ts";
import { mapAnswer } from "../firecrawl/map.ts";
import {
  changeMonitorAnswer,
  createMonitorAnswer,
  listMonitorsAnswer,
  readMonitorAnswer,
  removeMonitorAnswer,
  runMonitorAnswer,
} from "../firecrawl/monitor.ts";
import { listChecksAnswer, readCheckAnswer } from "../firecrawl/monitor-checks.ts";
import type { Version } from "../firecrawl/options.ts";
import { parseAnswer } from "../firecrawl/parse.ts";
import { scrapeAnswer, scrapeStatusAnswer } from "../firecrawl/scrape.ts";
import { searchAnswer } from "../firecrawl/search.ts";
import { concurrencyCheck, queueStatus } from "../firecrawl/team.ts";
import { pastUsageOf, usageOf } from "../firecrawl/usage.ts";
import type { Method, OwnAnswer, Route } from "./route.ts";

/*
 * APIs of other programs, for clients that people already have. They are in the guide, not in the document: theirs describe
 * them, and clients are not made from ours.
 */

const common = { auth: "key", tag: "Web", status: 200, hidden: true } as const;
const responses = { 200: { description: "In the form of the other program." } };

type Row = [method: Method, path: string, name: string, action: OwnAnswer];

/** Operations of Firecrawl that clients know and Magpie does not have: they are refused by name, not as a wrong address. */
const absent: Record<Version, [Method, path: string][]> = {
  v1: [
    ["POST", "/deep-research"],
    ["POST", "/llmstxt"],
  ],
  v2: [
    ["POST", "/crawl/params-preview"],
    ["POST", "/agent"],
    ["POST", "/interact"],
    ["POST", "/browser"],
    ["POST", "/scrape/{id}/interact"],
    ["GET", "/team/activity"],
    ["POST", "/search/developer"],
    ["POST", "/feedback"],
  ],
};

/** Firecrawl's API, below `/v1` and `/v2`. */
const firecrawlRoutes = (version: Version): Route[] => {
  const rows: Row[] = [
    ["POST", "/scrape", "Scrape", scrapeAnswer(version)],
    ["GET", "/scrape/{id}", "GetScrape", scrapeStatusAnswer],
    ["POST", "/crawl", "StartCrawl", crawlAnswer(version)],
    ["GET", "/crawl/active", "ListActiveCrawls", activeCrawls],
    ["GET", "/crawl/ongoing", "ListOngoingCrawls", activeCrawls],
    ...jobRows(crawls, "Crawl", version),
    ["POST", "/map", "Map", mapAnswer(version)],
    ["POST", "/batch/scrape", "StartBatch", batchAnswer(version)],
    ...jobRows(batches, "Batch", version),
    ["POST", "/extract", "Extract", extractAnswer(version)],
    ["GET", "/extract/{id}", "GetExtract", extractStatusAnswer],
    ["POST", "/search", "Search", searchAnswer(version)],
    ["GET", "/team/credit-usage", "CreditUsage", usageOf("credits", version)],
    ["GET", "/team/credit-usage/historical", "PastCreditUsage", pastUsageOf("credits")],
    ["GET", "/team/token-usage", "TokenUsage", usageOf("tokens", version)],
    ["GET", "/team/token-usage/historical", "PastTokenUsage", pastUsageOf("tokens")],
    ["GET", "/team/queue-status", "QueueStatus", queueStatus],
    ["GET", "/concurrency-check", "Concurrency", concurrencyCheck],
    ...(version === "v2" ? [parseRow, ...monitorRows] : []),
    ...absent[version].map(
      ([method, path], at): Row => [method, path, `Absent${at}`, absentAnswer(method, `/${version}${path}`)],
    ),
  ];
  return rows.map(([method, path, name, action]) => ({
    ...common,
    method,
    path: `/${version}${path}`,
    name: `firecrawl${version.toUpperCase()}${name}`,
    action,
    ...(action === parseAnswer && { upload: { maxBytes: maxDocumentBytes } }),
    failure,
    summary: `Firecrawl's ${method} /${version}${path}`,
    responses,
  }));
};

/** Only version 2 reads documents that are sent. */
const parseRow: Row = ["POST", "/parse", "Parse", parseAnswer];

/** Only version 2 has monitors. */
const monitorRows: Row[] = [
  ["POST", "/monitor", "CreateMonitor", createMonitorAnswer],
  ["GET", "/monitor", "ListMonitors", listMonitorsAnswer],
  ["GET", "/monitor/{id}", "GetMonitor", readMonitorAnswer],
  ["PATCH", "/monitor/{id}", "ChangeMonitor", changeMonitorAnswer],
  ["DELETE", "/monitor/{id}", "RemoveMonitor", removeMonitorAnswer],
  ["POST", "/monitor/{id}/run", "RunMonitor", runMonitorAnswer],
  ["GET", "/monitor/{id}/checks", "ListMonitorChecks", listChecksAnswer],
  ["GET", "/monitor/{id}/checks/{check}", "GetMonitorCheck", readCheckAnswer],
];

/** The rows of crawls and batches. A client of version 1 sends DELETE where it asks for the errors. */
function jobRows(kind: JobKind, name: string, version: Version): Row[] {
  const path = `/${kind.path}/{id}`;
  return [
    ["GET", path, `Get${name}`, statusOf(kind, version)],
    ["DELETE", path, `Cancel${name}`, cancelOf(kind)],
    ["GET", `${path}/errors`, `List${name}Errors`, errorsOf(kind)],
    ...(version === "v1"
      ? [["DELETE", `${path}/errors`, `Delete${name}Errors`, errorsOf(kind)] satisfies Row]
      : []),
  ];
}

export const compatRoutes: Route[] = [
  ...firecrawlRoutes("v1"),
  ...firecrawlRoutes("v2"),
  {
    ...common,
    method: "POST",
    path: "/compat/open-webui",
    name: "openWebui",
    action: openWebui,
    summary: "Open WebUI's external web loader",
    responses,
  },
  {
    ...common,
    method: "GET",
    path: "/r/{url}",
    name: "readUrl",
    action: reader,
    takesRest: true,
    summary: "A page as Markdown",
    responses: { 200: { description: "The page.", type: "text/markdown" } },
  },
];

function absentAnswer(method: Method, path: string): OwnAnswer {
  return {
    kind: "own",
    params: {},
    answer() {
      throw fail(
        "not_found",
        `Magpie does not have Firecrawl's ${method} ${path}. /guide/firecrawl lists what it has.`,
      );
    },
  };
}

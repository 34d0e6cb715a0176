import { fail } from "../../contracts/errors.ts";
import { type KeyScope, keyScopes } from "../../contracts/key-scopes.ts";
import { maxDocumentBytes } from "../../contracts/parse.contract.ts";
import { openWebui, reader } from "../compat/readers.ts";
import { activeCrawls, batchAnswer, crawlAnswer } from "../firecrawl/crawl.ts";
import { extractAnswer, extractStatusAnswer } from "../firecrawl/extract.ts";
import { failure } from "../firecrawl/failure.ts";
import { jobScopes } from "../firecrawl/job-watcher.ts";
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

type Row = [method: Method, path: string, name: string, action: OwnAnswer, scopes: readonly KeyScope[]];

/** What clients ask of any key, some of them to see whether it is right. */
const teamScopes = ["read", "scrape", "crawl"] as const;

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
    ["POST", "/scrape", "Scrape", scrapeAnswer(version), ["scrape"]],
    ["GET", "/scrape/{id}", "GetScrape", scrapeStatusAnswer, ["read", "scrape"]],
    ["POST", "/crawl", "StartCrawl", crawlAnswer(version), ["crawl"]],
    ["GET", "/crawl/active", "ListActiveCrawls", activeCrawls, ["read", "crawl"]],
    ["GET", "/crawl/ongoing", "ListOngoingCrawls", activeCrawls, ["read", "crawl"]],
    ...jobRows(crawls, "Crawl", version),
    ["POST", "/map", "Map", mapAnswer(version), ["crawl"]],
    ["POST", "/batch/scrape", "StartBatch", batchAnswer(version), ["crawl"]],
    ...jobRows(batches, "Batch", version),
    ["POST", "/extract", "Extract", extractAnswer(version), ["scrape"]],
    ["GET", "/extract/{id}", "GetExtract", extractStatusAnswer, ["read", "scrape"]],
    ["POST", "/search", "Search", searchAnswer(version), ["scrape"]],
    ["GET", "/team/credit-usage", "CreditUsage", usageOf("credits", version), teamScopes],
    ["GET", "/team/credit-usage/historical", "PastCreditUsage", pastUsageOf("credits"), teamScopes],
    ["GET", "/team/token-usage", "TokenUsage", usageOf("tokens", version), teamScopes],
    ["GET", "/team/token-usage/historical", "PastTokenUsage", pastUsageOf("tokens"), teamScopes],
    ["GET", "/team/queue-status", "QueueStatus", queueStatus, teamScopes],
    ["GET", "/concurrency-check", "Concurrency", concurrencyCheck, teamScopes],
    ...(version === "v2" ? [parseRow, ...monitorRows] : []),
    ...absent[version].map(
      ([method, path], at): Row => [
        method,
        path,
        `Absent${at}`,
        absentAnswer(method, `/${version}${path}`),
        keyScopes,
      ],
    ),
  ];
  return rows.map(([method, path, name, action, scopes]) => ({
    ...common,
    method,
    path: `/${version}${path}`,
    name: `firecrawl${version.toUpperCase()}${name}`,
    action,
    scopes,
    ...(action === parseAnswer && { upload: { maxBytes: maxDocumentBytes } }),
    failure,
    summary: `Firecrawl's ${method} /${version}${path}`,
    responses,
  }));
};

/** Only version 2 reads documents that are sent. */
const parseRow: Row = ["POST", "/parse", "Parse", parseAnswer, ["scrape"]];

/** Only version 2 has monitors. */
const monitorRows: Row[] = [
  ["POST", "/monitor", "CreateMonitor", createMonitorAnswer, ["track"]],
  ["GET", "/monitor", "ListMonitors", listMonitorsAnswer, ["read", "track"]],
  ["GET", "/monitor/{id}", "GetMonitor", readMonitorAnswer, ["read", "track"]],
  ["PATCH", "/monitor/{id}", "ChangeMonitor", changeMonitorAnswer, ["track"]],
  ["DELETE", "/monitor/{id}", "RemoveMonitor", removeMonitorAnswer, ["track"]],
  ["POST", "/monitor/{id}/run", "RunMonitor", runMonitorAnswer, ["track"]],
  ["GET", "/monitor/{id}/checks", "ListMonitorChecks", listChecksAnswer, ["read", "track"]],
  ["GET", "/monitor/{id}/checks/{check}", "GetMonitorCheck", readCheckAnswer, ["read", "track"]],
];

/** The rows of crawls and batches. A client of version 1 sends DELETE where it asks for the errors. */
function jobRows(kind: JobKind, name: string, version: Version): Row[] {
  const path = `/${kind.path}/{id}`;
  return [
    ["GET", path, `Get${name}`, statusOf(kind, version), jobScopes],
    ["DELETE", path, `Cancel${name}`, cancelOf(kind), ["crawl"]],
    ["GET", `${path}/errors`, `List${name}Errors`, errorsOf(kind), jobScopes],
    ...(version === "v1"
      ? [["DELETE", `${path}/errors`, `Delete${name}Errors`, errorsOf(kind), jobScopes] satisfies Row]
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
    scopes: ["scrape"],
    action: openWebui,
    summary: "Open WebUI's external web loader",
    responses,
  },
  {
    ...common,
    method: "GET",
    path: "/r/{url}",
    name: "readUrl",
    scopes: ["scrape"],
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

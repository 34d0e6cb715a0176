import { cancelCrawl, crawlErrors, crawlStatus, startCrawl } from "../../contracts/crawler.contract.ts";
import { type MapRequest, mapSite } from "../../contracts/map.contract.ts";
import { crawlTool, mapTool, statusTool } from "../mcp/tools.ts";
import { jsonNeedsOrder } from "../openapi/body-rules.ts";
import { pageExample } from "../openapi/examples.ts";
import type { Route } from "./route.ts";

const common = { auth: "key", tag: "Web", status: 200 } as const;
const id = "crw_01JQ4T5W6X7Y8Z9ABCDEFGHJKM";

export const crawlRoutes: Route[] = [
  {
    ...common,
    name: "startCrawl",
    scopes: ["crawl"],
    method: "POST",
    path: "/web/crawl",
    action: startCrawl,
    tool: crawlTool,
    bodyRules: jsonNeedsOrder,
    idempotent: true,
    summary: "Crawl a site",
    description:
      "Starts at a page and follows its links and the site's sitemaps until no page is left or `limit` pages are read. " +
      "Each page has the formats asked for, as in a scrape. By default a crawl stays in the entry page's directory and " +
      "below. It obeys robots.txt (as `Magpie`) with its `Crawl-delay`, `nofollow`, and the waits that a site asks for " +
      "with 429 and 503. It fails only when its entry page fails. An accepted crawl continues after a crash of the service.",
    examples: {
      "a section": { url: "https://example.com/docs/" },
      "parts of a site": {
        url: "https://example.com/",
        crawler: { limit: 500, include: ["/docs/**", "/blog/2*/**"], exclude: ["/print/i"], max_depth: 5 },
        output: { formats: ["markdown", "links"] },
      },
    },
    responses: {
      200: {
        description: "It is accepted and stored.",
        example: { crawl_id: id, version: "v1", status: "crawling" },
      },
    },
    errors: ["invalid_url", "url_not_allowed", "conflict", "quota_exceeded"],
  },
  {
    ...common,
    name: "getCrawl",
    scopes: ["read", "crawl"],
    method: "GET",
    path: "/web/crawl/{crawl_id}",
    action: crawlStatus,
    tool: statusTool,
    summary: "Get a crawl and its pages",
    description:
      "Pages are in the order in which they ended. While the crawl runs, `next_cursor` is never null: send it again later " +
      "to get the pages that have ended since, each exactly once. Results are kept for 24 hours after the end, or for the operator's `RESULT_RETENTION`.",
    responses: { 200: { description: "The crawl.", example: crawlExample() } },
    errors: ["not_found", "expired"],
  },
  {
    ...common,
    name: "listCrawlErrors",
    scopes: ["read", "crawl"],
    method: "GET",
    path: "/web/crawl/{crawl_id}/errors",
    action: crawlErrors,
    summary: "List the failed and skipped pages of a crawl",
    description:
      "Pages that failed, with the code of an error, and pages that were skipped: `robots`, `redirect` (its target is " +
      "a page of its own), `duplicate`, `unsupported_media_type`, `limit`, `cancelled`.",
    responses: {
      200: {
        description: "In the order in which they ended.",
        example: {
          crawl_id: id,
          data: [
            {
              url: "https://example.com/private/",
              status: "skipped",
              code: "robots",
              message: "The site's robots.txt does not allow this page, or could not be read.",
            },
          ],
          next_cursor: null,
        },
      },
    },
    errors: ["not_found", "expired"],
  },
  {
    ...common,
    name: "cancelCrawl",
    scopes: ["crawl"],
    method: "DELETE",
    path: "/web/crawl/{crawl_id}",
    action: cancelCrawl,
    summary: "Cancel a crawl",
    description: "Its results stay. 409 when it has already ended.",
    responses: {
      200: {
        description: "It is cancelled.",
        example: { crawl_id: id, version: "v1", status: "cancelled" },
      },
    },
    errors: ["not_found", "expired", "already_finished"],
  },
];

const { default: usualMs, max: longestMs } = mapSite.params.timeout as { default: number; max: number };
/** Time for the way, and for putting in order what was found. */
const marginMs = 15_000;

export const mapRoutes: Route[] = [
  {
    ...common,
    name: "mapSite",
    scopes: ["crawl"],
    method: "POST",
    path: "/web/map",
    action: mapSite,
    tool: mapTool,
    timeoutMs: mapTimeout,
    summary: "List the pages of a site",
    description:
      "Finds URLs without reading their pages: those of the site's sitemaps, the links of the entry page, and what crawls " +
      "and batches of your key know. Each page is there once, however its URL is spelled. It obeys robots.txt (as " +
      "`Magpie`). With `search` the pages whose URL, title or link has its words come first.",
    examples: {
      "a site": { url: "https://example.com/" },
      "about one thing": { url: "https://example.com/docs/", search: "install on linux", limit: 20 },
    },
    responses: {
      200: {
        description: "What was found.",
        example: {
          url: "https://example.com/docs/",
          data: [
            {
              url: "https://example.com/docs/install",
              title: "Install on Linux, macOS and Windows",
              description: null,
            },
          ],
          total: 1,
          complete: true,
        },
      },
    },
    errors: [
      "quota_exceeded",
      "invalid_url",
      "url_not_allowed",
      "scrape_timeout",
      "target_unreachable",
      "target_blocked",
      "tls_error",
      "upstream_error",
    ],
  },
];

/** Parameters are not validated yet: the crawler refuses what is not a number within bounds. */
function mapTimeout({ timeout }: Partial<Record<keyof MapRequest, unknown>>): number {
  const wanted = typeof timeout === "number" && timeout > 0 ? timeout : usualMs;
  return Math.min(wanted, longestMs) + marginMs;
}

function crawlExample() {
  return {
    crawl_id: id,
    version: "v1",
    status: "completed",
    url: "https://example.com/docs/",
    stop_reason: "finished",
    progress: { discovered: 3, queued: 0, running: 0, completed: 1, failed: 1, skipped: 1 },
    data: [pageExample("https://example.com/docs/")],
    next_cursor: null,
    started_at: "2025-03-25T09:30:00.000Z",
    ended_at: "2025-03-25T09:30:04.310Z",
    expires_at: "2025-03-26T09:30:04.310Z",
  };
}

import { scrape, screenshot } from "../../contracts/scraper.contract.ts";
import { scrapeJob } from "../openapi/schemas.ts";
import type { Route } from "../route.ts";

const defaultScrapeMs = 30_000;
const maxScrapeMs = 600_000;
/** What queueing, extraction and the way back may take beyond the page's own time. */
const marginMs = 15_000;

export const webRoutes: Route[] = [
  {
    method: "POST",
    path: "/web/scrape",
    action: scrape,
    auth: "key",
    status: 200,
    concurrency: "concurrentScrapes",
    timeoutMs: scrapeTimeout,
    tag: "Web",
    summary: "Scrape one page",
    description:
      "Fetches a public page, in a browser where it needs one, and returns it in the formats asked for. " +
      "A page that answers 404 or 500 is a completed scrape: see `data.metadata.status_code`. " +
      "JSON extraction takes a `prompt`, a `json_schema` or both; the answer fits the schema or is a 422.",
    examples: {
      markdown: { url: "https://example.com" },
      "several formats": {
        url: "https://example.com",
        output: { formats: ["markdown", "links", "screenshot"], screenshot: "full_page" },
        timeout: 60_000,
      },
      "structured data": {
        url: "https://example.com",
        output: {
          formats: ["json"],
          json: {
            json_schema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
          },
        },
        breakdown: true,
      },
    },
    responses: { 200: { description: "The page.", schema: scrapeJob, example: scrapeExample() } },
    errors: [
      "invalid_url",
      "url_not_allowed",
      "scrape_timeout",
      "unsupported_media_type",
      "extraction_failed",
      "target_unreachable",
      "target_blocked",
      "tls_error",
      "upstream_error",
    ],
  },
  {
    method: "GET",
    path: "/web/screenshot/{key}",
    action: screenshot,
    auth: "key",
    status: 200,
    tag: "Web",
    summary: "Download a screenshot",
    description: "`key` is `data.screenshot` of a scrape. Screenshots are kept for 24 hours.",
    responses: { 200: { description: "The PNG.", type: "image/png" } },
    errors: ["not_found"],
  },
];

/** Parameters are not validated here: what is no number within bounds is left to the room to refuse. */
function scrapeTimeout({ timeout }: Record<string, unknown>): number {
  const wanted = typeof timeout === "number" && timeout > 0 ? timeout : defaultScrapeMs;
  return Math.min(wanted, maxScrapeMs) + marginMs;
}

function scrapeExample() {
  return {
    scrape_id: "scr_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
    version: "v1",
    status: "completed",
    url: "https://example.com",
    data: {
      markdown: "# Example Domain\n\nThis domain is for use in documentation examples.",
      metadata: {
        title: "Example Domain",
        status_code: 200,
        final_url: "https://example.com/",
        description: null,
        language: "en",
        canonical_url: null,
        og: {},
        engine: "http",
        proxy_location: null,
      },
    },
    started_at: "2025-03-25T09:30:00.000Z",
    ended_at: "2025-03-25T09:30:00.412Z",
  };
}

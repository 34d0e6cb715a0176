import { maxDocumentBytes, parseDocument } from "../../contracts/parse.contract.ts";
import {
  acceptedScrape,
  cancelScrape,
  finishedScrape,
  scrape,
  scrapeStatus,
  screenshot,
} from "../../contracts/scraper.contract.ts";
import { scrapeTool } from "../mcp/tools.ts";
import { jsonNeedsOrder, webhookNeedsAsync } from "../openapi/body-rules.ts";
import { cancelledScrapeExample, parseExample, scrapeExample } from "../openapi/examples.ts";
import type { Route } from "./route.ts";

const defaultScrapeMs = 30_000;
const maxScrapeMs = 600_000;
/** Time for queueing, extraction and the way back, beyond the page's own time. */
const marginMs = 15_000;

const common = { auth: "key", tag: "Web", status: 200 } as const;

export const webRoutes: Route[] = [
  {
    ...common,
    name: "scrape",
    scopes: ["scrape"],
    method: "POST",
    path: "/web/scrape",
    action: scrape,
    tool: scrapeTool,
    bodyRules: { ...jsonNeedsOrder, ...webhookNeedsAsync },
    idempotent: true,
    timeoutMs: scrapeTimeout,
    summary: "Scrape one page",
    description:
      "Fetches a public page, in a browser where it needs one, and returns it in the formats asked for. " +
      "A page that answers 404 or 500 is a completed scrape: see `data.metadata.status_code`. " +
      "JSON extraction takes a `prompt`, a `json_schema` or both; the answer fits the schema or is a 422. " +
      "With `mode: async` the answer is a 202 at once: poll `GET /web/scrape/{scrape_id}`, or name a `webhook`. " +
      "Deliveries to it are signed like those to the key's webhook, and attempted at most five times.",
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
      "signed in": {
        url: "https://example.com/orders",
        session: {
          name: "shop",
          login: {
            actions: [
              { type: "type", selector: "#email", text: "ada@example.com" },
              { type: "type", selector: "#password", text: "your password" },
              { type: "press", key: "Enter" },
              { type: "type", selector: "#code", totp: "JBSWY3DPEHPK3PXP" },
              { type: "press", key: "Enter" },
            ],
          },
        },
      },
      asynchronous: {
        url: "https://example.com",
        mode: "async",
        webhook: { url: "https://example.com/hook", events: ["completed", "failed"] },
      },
    },
    responses: {
      200: { description: "The page.", schema: finishedScrape, example: scrapeExample },
      202: {
        description: "Accepted, with `mode: async`: it is stored, and survives a crash of the service.",
        schema: acceptedScrape,
        example: { scrape_id: scrapeExample.scrape_id, version: "v1", status: "pending" },
      },
    },
    errors: [
      "quota_exceeded",
      "invalid_url",
      "url_not_allowed",
      "scrape_timeout",
      "unsupported_media_type",
      "extraction_failed",
      "element_not_found",
      "target_unreachable",
      "target_blocked",
      "content_refused",
      "tls_error",
      "upstream_error",
    ],
  },
  {
    ...common,
    name: "parse",
    scopes: ["scrape"],
    method: "POST",
    path: "/web/parse",
    action: parseDocument,
    upload: { maxBytes: maxDocumentBytes },
    timeoutMs: parseTimeout,
    summary: "Read a document that you send",
    description:
      "Takes a form (`multipart/form-data`) with the part `file` and, where you want more than Markdown, the part `options` " +
      "as JSON. Reads what a scrape reads: HTML, PDF, documents of Office and OpenDocument, EPUB, RTF, e-mail, notebooks, " +
      "CSV, JSON, XML and text. It counts as a page. Nothing of it is kept.",
    responses: { 200: { description: "The document.", example: parseExample } },
    errors: [
      "quota_exceeded",
      "payload_too_large",
      "unsupported_media_type",
      "scrape_timeout",
      "extraction_failed",
      "overloaded",
    ],
  },
  {
    ...common,
    name: "getScrape",
    scopes: ["read", "scrape"],
    method: "GET",
    path: "/web/scrape/{scrape_id}",
    action: scrapeStatus,
    tool: scrapeTool,
    summary: "Get a scrape",
    description:
      "Returns asynchronous scrapes, and synchronous ones that completed or took longer than their `timeout`. Results are " +
      "kept for 24 hours after the end, or for the operator's `RESULT_RETENTION`; then the answer is a 410, some days later a 404.",
    responses: { 200: { description: "The scrape.", example: scrapeExample } },
    errors: ["not_found", "expired"],
  },
  {
    ...common,
    name: "cancelScrape",
    scopes: ["scrape"],
    method: "DELETE",
    path: "/web/scrape/{scrape_id}",
    action: cancelScrape,
    summary: "Cancel a scrape",
    description:
      "Ends a pending scrape as `failed`, with the code `cancelled`. Cancelling it again changes nothing. A scrape that " +
      "has finished otherwise is a 409.",
    responses: { 200: { description: "It is cancelled.", example: cancelledScrapeExample } },
    errors: ["not_found", "expired", "already_finished"],
  },
  {
    ...common,
    name: "getScreenshot",
    scopes: ["read", "scrape", "crawl", "track"],
    method: "GET",
    path: "/web/screenshot/{key}",
    action: screenshot,
    linked: true,
    summary: "Download a screenshot",
    description: "`key` is `data.screenshot` of a scrape. Screenshots are kept as long as results.",
    responses: { 200: { description: "The PNG.", type: "image/png" } },
    errors: ["not_found"],
  },
];

/** As `scrapeTimeout`, of the options of a form. */
function parseTimeout({ options }: Record<string, unknown>): number {
  return scrapeTimeout(Object(options) as Record<string, unknown>);
}

/** Parameters are not validated yet: the scraper refuses what is not a number within bounds. */
export function scrapeTimeout({ timeout }: Record<string, unknown>): number {
  const wanted = typeof timeout === "number" && timeout > 0 ? timeout : defaultScrapeMs;
  return Math.min(wanted, maxScrapeMs) + marginMs;
}

import { batchErrors, batchStatus, cancelBatch, startBatch } from "../../contracts/batch.contract.ts";
import { batchTool, statusTool } from "../mcp/tools.ts";
import { jsonNeedsOrder } from "../openapi/body-rules.ts";
import { pageExample } from "../openapi/examples.ts";
import type { Route } from "./route.ts";

const common = { auth: "key", tag: "Web", status: 200 } as const;
const id = "bat_01JQ4T5W6X7Y8Z9ABCDEFGHJKM";

export const batchRoutes: Route[] = [
  {
    ...common,
    method: "POST",
    path: "/web/batch",
    name: "startBatch",
    scopes: ["crawl"],
    action: startBatch,
    tool: batchTool,
    bodyRules: jsonNeedsOrder,
    idempotent: true,
    summary: "Scrape a list of pages",
    description:
      "Reads up to 1,000 pages, each once, in the formats asked for, as a scrape would: redirects are followed, links are " +
      "not, and robots.txt is not asked, since you name the pages. `data.metadata.source_url` of a page is its URL as you " +
      "sent it. A host gets a few requests at a time. A batch takes a place of a crawl, and an accepted one continues after " +
      "a crash of the service.",
    examples: {
      "two pages": { urls: ["https://example.com/", "https://example.org/"] },
      "those that can be read": {
        urls: ["https://example.com/", "example"],
        ignore_invalid_urls: true,
        output: { formats: ["markdown", "links"] },
      },
    },
    responses: {
      200: {
        description: "It is accepted and stored.",
        example: { batch_id: id, version: "v1", status: "scraping" },
      },
    },
    errors: ["invalid_url", "url_not_allowed", "conflict", "quota_exceeded"],
  },
  {
    ...common,
    method: "GET",
    path: "/web/batch/{batch_id}",
    name: "getBatch",
    scopes: ["read", "crawl"],
    action: batchStatus,
    tool: statusTool,
    summary: "Get a batch and its pages",
    description:
      "Pages are in the order in which they ended. While the batch runs, `next_cursor` is never null: send it again later " +
      "to get the pages that have ended since, each exactly once. Results are kept for 24 hours after the end, or for the operator's `RESULT_RETENTION`.",
    responses: { 200: { description: "The batch.", example: batchExample() } },
    errors: ["not_found", "expired"],
  },
  {
    ...common,
    method: "GET",
    path: "/web/batch/{batch_id}/errors",
    name: "listBatchErrors",
    scopes: ["read", "crawl"],
    action: batchErrors,
    summary: "List the failed and skipped pages of a batch",
    description:
      "Pages that failed, with the code of an error, and pages that were not read because the batch ended before: " +
      "`cancelled`, `given_up`.",
    responses: {
      200: {
        description: "In the order in which they ended.",
        example: {
          batch_id: id,
          data: [
            {
              url: "https://gone.example/",
              status: "failed",
              code: "target_unreachable",
              message: "The site could not be reached.",
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
    method: "DELETE",
    path: "/web/batch/{batch_id}",
    name: "cancelBatch",
    scopes: ["crawl"],
    action: cancelBatch,
    summary: "Cancel a batch",
    description: "Its results stay. 409 when it has already ended.",
    responses: {
      200: {
        description: "It is cancelled.",
        example: { batch_id: id, version: "v1", status: "cancelled" },
      },
    },
    errors: ["not_found", "expired", "already_finished"],
  },
];

function batchExample() {
  const page = pageExample("https://example.com/");
  return {
    batch_id: id,
    version: "v1",
    status: "completed",
    stop_reason: "finished",
    progress: { discovered: 2, queued: 0, running: 0, completed: 1, failed: 1, skipped: 0 },
    data: [{ ...page, metadata: { ...page.metadata, source_url: "https://example.com" } }],
    next_cursor: null,
    started_at: "2025-03-25T09:30:00.000Z",
    ended_at: "2025-03-25T09:30:01.310Z",
    expires_at: "2025-03-26T09:30:01.310Z",
  };
}

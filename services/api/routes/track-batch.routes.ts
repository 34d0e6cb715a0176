import { trackBatch, trackMany } from "../../contracts/track-batch.contract.ts";
import { feedExample } from "../openapi/examples.ts";
import type { Route } from "./route.ts";

const common = { auth: "key", tag: "Tracking", status: 200 } as const;

/** How long a request waits for a new batch. */
const waitMs = 30_000;

const entries = [
  { number: 0, source: "rss", sid: feedExample.externalId, status: "tracked", data: feedExample },
  {
    number: 1,
    source: "web",
    sid: "https://example.com/gone",
    status: "failed",
    error: { code: "not_found", message: "The site has no such page: it answered 404." },
  },
];

const example = {
  data: {
    id: "trk_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
    state: "completed",
    progress: { total: 2, pending: 0, tracked: 1, known: 0, waiting: 0, removed: 0, failed: 1 },
    entries,
    next_cursor: null,
    created_at: "2025-03-25T09:30:00.000Z",
    expires_at: "2025-04-01T09:30:00.000Z",
  },
  message: "1 of 2 sources failed.",
};

/** Routes that track many sources at once. */
export const trackBatchRoutes: Route[] = [
  {
    ...common,
    name: "trackMany",
    scopes: ["track"],
    method: "POST",
    path: "/track/batch",
    action: trackMany,
    timeoutMs: () => waitMs,
    summary: "Track many sources",
    description:
      "Each entry is tracked as a request of its own would be, in their order and at a steady pace. They are stored first, " +
      "and continue when the service is restarted. What is away is tried again for a quarter of an hour, and for as long as " +
      "a network itself is away. The answer holds the first 500 entries; read the batch for the others.",
    examples: {
      "two sources": {
        items: [
          { source: "rss", sid: "https://example.com/feed.xml", options: { tags: ["birds"] } },
          { source: "web", sid: "https://example.com/gone" },
        ],
      },
    },
    responses: {
      200: { description: "All entries have ended.", example },
      202: {
        description: "Some are still to be tracked, after ten seconds.",
        example: {
          ...example,
          data: {
            ...example.data,
            state: "running",
            progress: { total: 2, pending: 1, tracked: 1, known: 0, waiting: 0, removed: 0, failed: 0 },
            entries: [
              entries[0],
              { number: 1, source: "web", sid: "https://example.com/gone", status: "pending" },
            ],
          },
          message: "1 of 2 sources are still to be tracked.",
        },
      },
    },
  },
  {
    ...common,
    name: "getTrackBatch",
    scopes: ["read", "track"],
    method: "GET",
    path: "/track-batches/{batch_id}",
    action: trackBatch,
    summary: "Get a batch of sources",
    description: "Entries are in the order of the request. A batch can be read for seven days.",
    examples: { failed: { batch_id: example.data.id, status: "failed" } },
    responses: { 200: { description: "The batch.", example } },
    errors: ["not_found"],
  },
];

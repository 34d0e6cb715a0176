import * as contract from "../../contracts/inspection.contract.ts";
import * as schemas from "../openapi/inspection-schemas.ts";
import { accountExample, channelExample } from "../openapi/social-examples.ts";
import type { Route } from "../route.ts";

const common = { auth: "admin", tag: "Administration", method: "GET", status: 200 } as const;

type Json = Record<string, unknown>;

const key_id = "01JQ4T5W6X7Y8Z9ABCDEFGHJKM";
const time = "2025-03-25T09:30:00.000Z";

/** What an installation is at, whoever asked for it; the commands of the REPL read it here. */
export const inspectionRoutes: Route[] = [
  {
    ...common,
    path: "/internal/sources",
    action: contract.listSources,
    summary: "List tracked sources",
    description: "Of all keys, with how their polling goes.",
    responses: page("The sources.", schemas.sourceStanding, {
      ...accountExample,
      keys: 2,
      health: "ok",
      failures: 0,
      polled_at: time,
      due_at: "2025-03-25T09:35:00.000Z",
    }),
  },
  {
    ...common,
    path: "/internal/lanes",
    action: contract.listLanes,
    summary: "List webhook endpoints",
    description: "Of all keys, with how far the deliveries to them have come.",
    responses: page("The endpoints.", schemas.laneStanding, {
      key_id,
      url: "https://example.com/hooks/magpie",
      status: "ACTIVE",
      waiting: 0,
      failures: 0,
      next_attempt_at: null,
    }),
  },
  {
    ...common,
    path: "/internal/scrapes",
    action: contract.listScrapes,
    summary: "List scrapes",
    description: "Of all keys, newest first, for as long as they are kept.",
    responses: page("The scrapes.", schemas.scrapeStanding, {
      scrape_id: "scr_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
      key_id,
      url: "https://example.com/",
      status: "completed",
      started_at: time,
      ended_at: "2025-03-25T09:30:01.000Z",
    }),
  },
  {
    ...common,
    path: "/internal/crawls",
    action: contract.listCrawls,
    summary: "List crawls",
    description: "Of all keys, newest first, for as long as they are kept.",
    responses: page("The crawls.", schemas.crawlStanding, {
      crawl_id: "crw_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
      key_id,
      url: "https://example.com/docs/",
      status: "crawling",
      progress: { discovered: 12, queued: 7, running: 2, completed: 3, failed: 0, skipped: 0 },
      started_at: time,
      ended_at: null,
    }),
  },
  {
    ...common,
    path: "/internal/joins",
    action: contract.listJoins,
    summary: "List requests to be let into gated channels",
    description: "Of all keys.",
    responses: page("The requests.", schemas.joinJob, {
      id: "9b2f7c1e-4a3d-4e8b-b1c2-7d6e5f4a3b2c",
      key_id,
      source: channelExample.source,
      state: "waiting",
      fails_at: "2025-04-01T09:30:00.000Z",
      ended_at: null,
    }),
  },
];

function page(description: string, row: Json, example: Json): Route["responses"] {
  const list = { data: [example], next_cursor: null, message: "Listed." };
  return { 200: { description, schema: schemas.listOf(row), example: list } };
}

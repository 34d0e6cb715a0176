import * as contract from "../../contracts/job-lists.contract.ts";
import * as sessions from "../../contracts/site-sessions.contract.ts";
import { cancelledScrapeExample, channelExample } from "../openapi/examples.ts";
import { page, type Route } from "./route.ts";

const list = { method: "GET", status: 200 } as const;
const ofKey = { auth: "key", tag: "Web" } as const;
const ofAll = { auth: "admin", tag: "Administration" } as const;

const key_id = "01JQ4T5W6X7Y8Z9ABCDEFGHJKM";
const started_at = "2025-03-25T09:30:00.000Z";

const scrapes = page("The scrapes.", {
  scrape_id: "scr_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  key_id,
  url: "https://example.com/",
  status: "completed",
  status_code: 200,
  started_at,
  ended_at: "2025-03-25T09:30:01.000Z",
  expires_at: "2025-03-26T09:30:01.000Z",
});

const crawls = page("The crawls.", {
  crawl_id: "crw_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  kind: "crawl",
  key_id,
  url: "https://example.com/docs/",
  status: "crawling",
  progress: { discovered: 12, queued: 7, running: 2, completed: 3, failed: 0, skipped: 0 },
  started_at,
  ended_at: null,
  expires_at: null,
});

const sessionExample = {
  id: "ses_kD3vQ0x8Zr1mYbT5uW9aLw",
  name: "shop",
  site: "example.com",
  has_login: true,
  signed_in_since: started_at,
  last_checked: "2025-03-25T10:15:00.000Z",
  last_login: started_at,
  problem: null,
  created_at: started_at,
  expires_at: "2025-06-23T10:15:00.000Z",
};

const joins = page("The requests.", {
  id: "9b2f7c1e-4a3d-4e8b-b1c2-7d6e5f4a3b2c",
  key_id,
  source: channelExample.source,
  sid: "https://t.me/+gated",
  state: "waiting",
  fails_at: "2025-04-01T09:30:00.000Z",
  ended_at: null,
});

/** Lists of jobs. The commands of the REPL read those of all keys. */
export const jobListRoutes: Route[] = [
  {
    ...list,
    ...ofKey,
    name: "listScrapes",
    scopes: ["read", "scrape"],
    path: "/web/scrape",
    action: contract.listOwnScrapes,
    summary: "List scrapes",
    description: "Of the calling key, newest first, as long as they are kept.",
    examples: { pending: { status: "pending" } },
    responses: scrapes,
  },
  {
    ...list,
    ...ofKey,
    name: "listSiteSessions",
    scopes: ["read", "scrape", "crawl", "track"],
    path: "/sessions",
    action: sessions.listSessions,
    summary: "List sessions at sites",
    description: "Of the calling key. No answer has cookies, local storage or a login.",
    responses: page("The sessions.", sessionExample),
  },
  {
    ...list,
    ...ofKey,
    name: "getSiteSession",
    scopes: ["read", "scrape", "crawl", "track"],
    path: "/sessions/{id}",
    action: sessions.getSession,
    summary: "Get a session at a site",
    description: "Since when it is signed in, when it was used last, and why it is not signed in.",
    responses: {
      200: { description: "The session.", example: { data: sessionExample, message: "Session found." } },
    },
    errors: ["not_found"],
  },
  {
    ...ofKey,
    name: "eraseSiteSession",
    scopes: ["scrape", "crawl", "track"],
    method: "DELETE",
    status: 200,
    path: "/sessions/{id}",
    action: sessions.eraseSession,
    summary: "Erase a session at a site",
    description:
      "Erases its cookies, its local storage and its login. What names it later begins with an empty one, without a login.",
    responses: {
      200: {
        description: "It is erased.",
        example: { data: { id: sessionExample.id }, message: "Session erased." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...list,
    ...ofKey,
    name: "listCrawls",
    scopes: ["read", "crawl"],
    path: "/web/crawl",
    action: contract.listOwnCrawls,
    summary: "List crawls",
    description: "Crawls and batches of the calling key, newest first, as long as they are kept.",
    examples: { running: { status: "crawling" } },
    responses: crawls,
  },
  {
    ...list,
    ...ofKey,
    name: "listJoins",
    scopes: ["read", "track"],
    tag: "Tracking",
    path: "/track/joins",
    action: contract.listOwnJoins,
    summary: "List join requests for gated channels",
    description: "Of the calling key.",
    examples: { waiting: { status: "waiting" } },
    responses: joins,
  },
  {
    ...list,
    ...ofAll,
    name: "listAllScrapes",
    path: "/internal/scrapes",
    action: contract.listScrapes,
    summary: "List scrapes of all keys",
    description: "Newest first, as long as they are kept.",
    responses: scrapes,
  },
  {
    ...list,
    ...ofAll,
    name: "listAllCrawls",
    path: "/internal/crawls",
    action: contract.listCrawls,
    summary: "List crawls of all keys",
    description: "Crawls and batches, newest first, as long as they are kept.",
    responses: crawls,
  },
  {
    ...list,
    ...ofAll,
    name: "listAllJoins",
    path: "/internal/joins",
    action: contract.listJoins,
    summary: "List join requests of all keys",
    description: "Requests to join gated channels.",
    responses: joins,
  },
  {
    ...ofAll,
    name: "cancelAnyScrape",
    method: "DELETE",
    path: "/internal/scrapes/{scrape_id}",
    action: contract.cancelAnyScrape,
    status: 200,
    summary: "Cancel a scrape of any key",
    description: "As `DELETE /web/scrape/{scrape_id}` does for a key.",
    responses: { 200: { description: "It is cancelled.", example: cancelledScrapeExample } },
    errors: ["not_found", "expired", "already_finished"],
  },
  {
    ...ofAll,
    name: "cancelAnyCrawl",
    method: "DELETE",
    path: "/internal/crawls/{crawl_id}",
    action: contract.cancelAnyCrawl,
    status: 200,
    summary: "Cancel a crawl of any key",
    description: "As `DELETE /web/crawl/{crawl_id}` does for a key, and for a batch. Its results stay.",
    responses: {
      200: {
        description: "It is cancelled.",
        example: { crawl_id: "crw_01JQ4T5W6X7Y8Z9ABCDEFGHJKM", version: "v1", status: "cancelled" },
      },
    },
    errors: ["not_found", "expired", "already_finished"],
  },
];

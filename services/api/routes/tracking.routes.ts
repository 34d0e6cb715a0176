import {
  changeTracked,
  findSources,
  track,
  tracked,
  trackQueued,
  untrack,
} from "../../contracts/tracker.contract.ts";
import { trackTool, untrackTool } from "../mcp/tools.ts";
import { exactlyOne } from "../openapi/body-rules.ts";
import { accountExample, feedExample } from "../openapi/examples.ts";
import type { Route } from "./route.ts";

const common = { auth: "key", tag: "Tracking", status: 200 } as const;

/** Tracking fetches the source first, in the browser where a page needs one; a network may make us wait. */
const firstPollMs = 60_000;

/** The errors of reading a source that a client names. */
export const reachErrors = [
  "not_found",
  "url_not_allowed",
  "invalid_url",
  "target_unreachable",
  "target_blocked",
  "content_refused",
  "tls_error",
  "upstream_error",
  "connector_unavailable",
] as const;

const dated = {
  ...feedExample,
  createdAt: "2025-03-25T09:30:00.000Z",
  updatedAt: "2025-03-25T09:30:00.000Z",
};

const watched = { ...feedExample, options: { tags: ["birds"] } };

/** A changed view is polled before the answer. */
const changedViewMs = 60_000;

export const trackingRoutes: Route[] = [
  {
    ...common,
    name: "track",
    scopes: ["track"],
    method: "POST",
    path: "/track/{source}",
    action: track,
    tool: trackTool,
    timeoutMs: () => firstPollMs,
    summary: "Track a source",
    description:
      "Delivers what the source publishes from now on to the key's webhook and streams; earlier content is not delivered. " +
      "`sid` is the user name without the @ for the microblog, an invite code or URL for a chat server (the whole server " +
      "is tracked), a channel's user name or an invite link for the messenger, the URL for `web`, `rss` and `site`, and the words for " +
      "`search`. A page that names a feed is tracked as that feed; for any other page the main content is compared. 201 when the key did " +
      "not track the source, 200 with the same source when it did, 202 when a gated channel of the messenger must approve " +
      "us first.",
    examples: {
      "microblog user": { sid: accountExample.username },
      "chat server": { sid: "corvids" },
      "messenger channel": { sid: "@bird_radio" },
      feed: { sid: "https://example.com/feed.xml" },
      page: { sid: "https://example.com/prices" },
      "with tags": { sid: "https://example.com/feed.xml", options: { tags: ["birds"] } },
      "pages of a site": {
        sid: "https://example.com/docs/",
        options: { limit: 2000, exclude: ["/docs/archive/**"] },
      },
      "search of the web": { sid: "crows tool use", options: { domains: ["example.org"], window: "week" } },
      "at fixed times": {
        sid: "https://example.com/prices",
        options: { schedule: { time_zone: "Europe/Vienna", cron: "0 9 * * mon-fri" } },
      },
      "part of a page": {
        sid: "https://example.com/prices",
        options: { interval: "15m", select: [".price"], when: { value: { below: 20 } } },
      },
    },
    responses: {
      200: {
        description: "The key tracks it already.",
        schema: tracked,
        example: { data: watched, message: "The source was tracked already." },
      },
      201: {
        description: "It is tracked from now on.",
        schema: tracked,
        example: { data: watched, message: "The source is tracked." },
      },
      202: {
        description:
          "The channel must approve us first. `GET /track/messenger/status` gives the state of the request.",
        schema: trackQueued,
        example: {
          message: "The request to join waits for approval. Read its status with the job id.",
          jobId: "9b2f7c1e-4a3d-4e8b-b1c2-7d6e5f4a3b2c",
        },
      },
    },
    errors: [...reachErrors, "forbidden", "conflict", "element_not_found"],
  },
  {
    ...common,
    name: "untrack",
    scopes: ["track"],
    method: "DELETE",
    path: "/track/{source}",
    action: untrack,
    tool: untrackTool,
    bodyRules: exactlyOne("eid", "iid"),
    alsoInQuery: true,
    summary: "Stop tracking a source",
    description:
      "Takes exactly one of `eid` (`externalId` of the source) and `iid` (its `id`), in the query or in the body. Events that happened before are " +
      "still delivered. The source itself is unfollowed when no key tracks it any more.",
    examples: {
      "by internal id": { iid: feedExample.id },
      "by external id": { eid: feedExample.externalId },
    },
    responses: {
      200: {
        description: "It is no longer tracked.",
        example: { data: feedExample, message: "The source is no longer tracked." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "changeSource",
    scopes: ["track"],
    method: "PATCH",
    path: "/track/{source}",
    action: changeTracked,
    bodyRules: exactlyOne("eid", "iid"),
    summary: "Change how a source is tracked",
    description:
      "For the calling key alone. Takes exactly one of `eid` and `iid`. What `options` does not name stays as it is; null " +
      "removes an option. Options other than tags are a view of the source with an `id` of its own, which keys with equal " +
      "options share: after a change the answer has another `id`, and news are compared with what the view shows now. The " +
      "former view is polled for the last time.",
    timeoutMs: () => changedViewMs,
    examples: {
      tags: { iid: feedExample.id, options: { tags: ["birds", "daily"] } },
      "another interval": { eid: feedExample.externalId, options: { interval: "2h", ignore: null } },
    },
    responses: {
      200: {
        description: "It is tracked in this way from now on.",
        example: { data: watched, message: "The source is tracked as asked." },
      },
    },
    errors: [...reachErrors, "element_not_found"],
  },
  {
    ...common,
    name: "findSources",
    scopes: ["read", "track"],
    method: "GET",
    path: "/track/{source}/find",
    action: findSources,
    aliases: { cursor: "page" },
    summary: "Find tracked sources",
    examples: { one: { source: "rss", query: "journal" } },
    description:
      "What the calling key tracks of a kind and has this text in its user name or display name, in any case, newest " +
      "first. `GET /track` lists everything.",
    responses: {
      200: {
        description: "One page of what was found.",
        example: {
          data: [dated],
          total: 1,
          page: 1,
          limit: 20,
          next_cursor: null,
          message: "Found 1 source.",
        },
      },
    },
  },
];

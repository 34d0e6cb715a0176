import { findSources, track, untrack } from "../../contracts/tracker.contract.ts";
import { feedExample } from "../openapi/event-examples.ts";
import { datedSource, shape, source, withMessage } from "../openapi/schemas.ts";
import { accountExample } from "../openapi/social-examples.ts";
import type { Route } from "../route.ts";

const common = { auth: "key", tag: "Tracking", status: 200 } as const;

/** The first look at a source is a fetch, in the browser where a page needs one; a network may want us to wait. */
const firstLookMs = 60_000;

const reachErrors = [
  "not_found",
  "url_not_allowed",
  "invalid_url",
  "target_unreachable",
  "target_blocked",
  "tls_error",
  "upstream_error",
  "connector_unavailable",
] as const;

const dated = {
  ...feedExample,
  createdAt: "2025-03-25T09:30:00.000Z",
  updatedAt: "2025-03-25T09:30:00.000Z",
};

export const trackingRoutes: Route[] = [
  {
    ...common,
    method: "POST",
    path: "/track/{source}",
    action: track,
    timeoutMs: () => firstLookMs,
    summary: "Track a source",
    description:
      "What the source publishes from now on reaches the key's webhook and streams; what it published before does not. " +
      "`sid` is, for the microblog, the user name without the @; for a chat server an invite code or URL, which stands " +
      "for the whole server; for the messenger a channel's user name or an invite link; for `web` and `rss` the URL. A " +
      "page that names a feed is tracked as that feed; of any other the main content is compared. 201 when the key did " +
      "not track it, 200 with the same source when it did; 202 when a gated channel of the messenger has to let us in " +
      "first.",
    examples: {
      "microblog user": { sid: accountExample.username },
      "chat server": { sid: "corvids" },
      "messenger channel": { sid: "@bird_radio" },
      feed: { sid: "https://example.com/feed.xml" },
      page: { sid: "https://example.com/prices" },
    },
    responses: {
      200: { description: "The key tracks it already.", schema: withMessage(source) },
      201: {
        description: "It is tracked from now on.",
        schema: withMessage(source),
        example: { data: feedExample, message: "The source is tracked." },
      },
      202: {
        description: "Somebody has to let us in. `GET /track/messenger/status` tells how that stands.",
        schema: shape({
          message: { type: "string" },
          jobId: { type: "string", description: "Of the request." },
        }),
        example: {
          message: "Somebody has to let us in first. Ask with the job id how that stands.",
          jobId: "9b2f7c1e-4a3d-4e8b-b1c2-7d6e5f4a3b2c",
        },
      },
    },
    errors: [...reachErrors, "forbidden", "conflict"],
  },
  {
    ...common,
    method: "DELETE",
    path: "/track/{source}",
    action: untrack,
    summary: "Stop tracking a source",
    description:
      "Takes exactly one of `eid` (`externalId` of the source) and `iid` (its `id`). Events that happened before are " +
      "still delivered. The source itself is let go when no key tracks it any more.",
    examples: {
      "by internal id": { iid: feedExample.id },
      "by external id": { eid: feedExample.externalId },
    },
    responses: {
      200: {
        description: "It is tracked no more.",
        schema: withMessage(source),
        example: { data: feedExample, message: "The source is no longer tracked." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    method: "GET",
    path: "/track/{source}/find",
    action: findSources,
    summary: "Find tracked sources",
    examples: { one: { source: "rss", query: "journal" } },
    description:
      "Searches user name and display name, in any case, among what the calling key tracks; newest first.",
    responses: {
      200: {
        description: "One page of what was found.",
        schema: shape({
          data: { type: "array", items: datedSource },
          total: { type: "integer", description: "Of all pages." },
          page: { type: "integer", description: "As asked for." },
          limit: { type: "integer", description: "As asked for." },
          message: { type: "string" },
        }),
        example: { data: [dated], total: 1, page: 1, limit: 20, message: "Found 1 source." },
      },
    },
  },
];

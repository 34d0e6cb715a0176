import { previewSource } from "../../contracts/preview.contract.ts";
import * as contract from "../../contracts/source-lists.contract.ts";
import { listSourcesTool, previewTool } from "../mcp/tools.ts";
import { accountExample, feedExample } from "../openapi/examples.ts";
import { page, type Route } from "./route.ts";
import { reachErrors } from "./tracking.routes.ts";

const ofKey = { auth: "key", tag: "Tracking" } as const;
const ofAll = { auth: "admin", tag: "Administration" } as const;

/** A page takes up to 30 s, and a look at its past some more. */
const previewMs = 37_000;

/** How the polling of a source goes, as an example. */
export const polling = {
  health: "ok",
  failures: 1,
  problem:
    "The site has answered 503 since 2025-03-25 09:30 UTC: it has a fault of its own. Magpie tries again by itself, less often with each failure.",
  polled_at: "2025-03-25T09:30:00.000Z",
  due_at: "2025-03-25T09:35:00.000Z",
  last_event_at: "2025-03-24T17:02:11.000Z",
};

const dueExample = { data: { due_at: polling.polled_at }, message: "The source is polled now." };
const spacing =
  "A poll under way counts as this one. 429 within 30 s of the last poll, and while the site has asked for a longer wait.";

/** Lists of what is tracked, with the state of its polling. */
export const sourceListRoutes: Route[] = [
  {
    ...ofKey,
    name: "listSources",
    scopes: ["read", "track"],
    method: "GET",
    path: "/track",
    action: contract.listTracked,
    aliases: { sources: "source", tags: "tag" },
    tool: listSourcesTool,
    status: 200,
    summary: "List tracked sources",
    description:
      "What the calling key tracks, the latest first, with the state of its polling. A page with a filter may be short, " +
      "even empty, before the end: the list ends where `next_cursor` is null.",
    examples: { failing: { health: "failing", tag: "birds" } },
    responses: page("The sources.", {
      ...feedExample,
      ...polling,
      options: { tags: ["birds"], interval: "2h" },
      muted: [{ text: "Visitors today: 1,204", since: "2026-03-01T08:00:00.000Z", ignore: "Visitors today" }],
      tags: ["birds"],
      tracked_at: "2025-03-01T08:00:00.000Z",
    }),
  },
  {
    ...ofAll,
    name: "listAllSources",
    method: "GET",
    path: "/internal/sources",
    action: contract.listSources,
    aliases: { sources: "source" },
    status: 200,
    summary: "List tracked sources of all keys",
    description:
      "With the state of their polling, in the order of their ids. A page with `query` may be short, even empty, before " +
      "the end: the list ends where `next_cursor` is null.",
    responses: page("The sources.", { ...accountExample, keys: 2, ...polling }),
  },
  {
    ...ofKey,
    name: "pollSource",
    scopes: ["track"],
    method: "POST",
    path: "/track/{source}/poll",
    action: contract.pollNow,
    status: 202,
    summary: "Poll a tracked source now",
    description: `The source is due at once, whatever its interval or its failures. ${spacing}`,
    examples: { feed: { iid: feedExample.id } },
    responses: { 202: { description: "It is due.", example: dueExample } },
    errors: ["not_found"],
  },
  {
    ...ofKey,
    name: "previewSource",
    scopes: ["track"],
    method: "POST",
    path: "/track/{source}/preview",
    action: previewSource,
    tool: previewTool,
    status: 200,
    timeoutMs: () => previewMs,
    summary: "See what tracking a source would watch",
    description:
      "Reads it as a poll would, within 30 s, and stores nothing. A page takes one of the key's scrape slots. The errors " +
      "are those of `POST /track/{source}`.",
    examples: {
      page: { sid: "https://example.com/prices" },
      "part of a page": {
        sid: "https://example.com/prices",
        options: { select: [".price"], when: { value: { below: 20 } } },
        with_page: true,
      },
      feed: { sid: "https://example.com/feed.xml" },
    },
    responses: {
      200: {
        description: "What would be watched.",
        example: {
          data: {
            source: feedExample.source,
            sid: feedExample.externalId,
            name: feedExample.name,
            url: feedExample.externalId,
            text: null,
            items: [
              {
                title: "Nest boxes in use",
                url: "https://example.com/nest-boxes",
                published_at: "2025-03-25T09:30:00.000Z",
              },
            ],
          },
          message: "This is what would be watched.",
        },
      },
    },
    errors: [...reachErrors, "forbidden", "conflict"],
  },
  {
    ...ofAll,
    name: "pollAnySource",
    method: "POST",
    path: "/internal/sources/{id}/poll",
    action: contract.pollSourceNow,
    status: 202,
    summary: "Poll a source now",
    description: `Any source, whatever its interval or its failures. ${spacing}`,
    responses: { 202: { description: "It is due.", example: dueExample } },
    errors: ["not_found", "rate_limited"],
  },
  {
    ...ofAll,
    name: "removeSource",
    method: "DELETE",
    path: "/internal/sources/{id}",
    action: contract.removeSource,
    status: 204,
    summary: "Stop tracking a source for all keys",
    description:
      "As if each key that tracks it had stopped. Events that happened before are still delivered.",
    responses: { 204: { description: "No key tracks it any more." } },
    errors: ["not_found"],
  },
];

import { removeFeed } from "../../contracts/feeds.contract.ts";
import { feedDocument, newFeed, ownFeeds } from "../feeds/feeds.ts";
import { page, type Route } from "./route.ts";

const ofKey = { auth: "key", tag: "Feeds" } as const;

const token = "q8Zr1bL0S0-2mJx7c9VtAg";
const example = {
  id: "5f0c6a52-3d0a-4b7e-9a53-0f8f0b7e2c11",
  name: "Prices",
  tags: ["news"],
  sources: [],
  event_types: ["web.page.changed"],
  meaningful: false,
  token,
  created_at: "2025-03-25T09:30:00.000Z",
  atom_url: `https://magpie.example.com/feeds/${token}.atom`,
  json_url: `https://magpie.example.com/feeds/${token}.json`,
};

/** A key's events as feeds, for feed readers. */
export const feedRoutes: Route[] = [
  {
    ...ofKey,
    name: "listFeeds",
    scopes: ["read", "track"],
    method: "GET",
    path: "/feeds",
    action: ownFeeds,
    status: 200,
    summary: "List feeds",
    description: "The feeds of the calling key, the oldest first, with their addresses.",
    responses: page("The feeds.", example),
  },
  {
    ...ofKey,
    name: "createFeed",
    scopes: ["track"],
    method: "POST",
    path: "/feeds",
    action: newFeed,
    status: 201,
    idempotent: true,
    summary: "Create a feed of events",
    description:
      "A feed that any feed reader can subscribe to: the events of the key, or those of some tags, sources and types. " +
      "An event has to pass each filter that is given. The address is the only secret. A key has at most 50 feeds.",
    examples: {
      everything: { name: "All that is new" },
      prices: { name: "Prices", tags: ["news"], event_types: ["web.page.changed"] },
    },
    responses: {
      201: {
        description: "The feed and its addresses.",
        example: { data: example, message: "Feed created. Who has its address can read it." },
      },
    },
    errors: ["key_limit_reached"],
  },
  {
    ...ofKey,
    name: "deleteFeed",
    scopes: ["track"],
    method: "DELETE",
    path: "/feeds/{feed}",
    action: removeFeed,
    status: 200,
    summary: "Delete a feed",
    description: "Its address leads nowhere any more.",
    responses: { 200: { description: "It is gone.", example: { message: "Feed deleted." } } },
    errors: ["not_found"],
  },
  {
    name: "readFeed",
    method: "GET",
    path: "/feeds/{feed}",
    action: feedDocument,
    auth: "none",
    tag: "Feeds",
    status: 200,
    summary: "Read a feed",
    description:
      "The newest 100 events, newest first, as Atom (`{token}.atom`) or JSON Feed 1.1 (`{token}.json`). For feed readers: " +
      "it needs no key, answers 304 to `If-None-Match`, and 429 to more than 60 readings of a feed a minute, to more than " +
      "600 from one address, and to a client that asks for many addresses of no feed.",
    responses: {
      200: { description: "The feed.", type: "application/atom+xml", also: "application/feed+json" },
    },
    errors: ["key_expired", "insufficient_scope", "not_found", "rate_limited"],
  },
];

import type { PolledConnector } from "../connector.ts";
import { pollFeed } from "./poll-feed.ts";
import { resolveFeed } from "./resolve-feed.ts";

/** Feeds: RSS, Atom, JSON Feed. */
export const rssConnector: PolledConnector = { resolve: resolveFeed, poll: pollFeed };

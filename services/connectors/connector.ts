import type { FetchDocument, FetchedDocument } from "../../mixins/egress/fetch-document.ts";
import type { PollResult, ResolvedSource } from "../contracts/connectors.contract.ts";
import type { Visit } from "../contracts/scraper.contract.ts";
import type { FeedMemory } from "../domain/feed/compare-feed.ts";
import type { FeedDigest } from "../domain/feed/digest-feed.ts";
import type { HubLease } from "./websub/keep-subscription.ts";
import type { Hub } from "./websub/room.ts";

/** A platform of feeds or pages; the social platforms have a port of their own, `social/social-connector.ts`. */
export interface Connector {
  /** Finds what a `sid` means. Throws what `connectors.resolve` answers. */
  resolve(sid: string, tools: ConnectorTools): Promise<ResolvedSource>;
}

/** A platform whose sources are looked at from time to time. */
export interface PolledConnector extends Connector {
  /** Looks at a source once. A trouble of the source is a result; only what is wrong on this side is thrown. */
  poll(source: PolledSource, tools: ConnectorTools): Promise<PollResult>;
}

export interface PolledSource {
  externalId: string;
  /** As the last poll, or `resolve`, left it. */
  state: Record<string, unknown>;
  /** Polls that failed since the last good one. */
  failures: number;
}

/** What connectors work with. */
export interface ConnectorTools {
  /** The rule at the door: throws `invalid_url` or `url_not_allowed`. */
  admit(url: string): URL;
  /** Gets a document, at most two at a time per host. */
  fetchDocument: FetchDocument;
  /** Reads a fetched feed and compares it with what is remembered; without a memory everything in it is old. */
  readFeed(document: FetchedDocument, memory?: FeedMemory): Promise<FeedDigest>;
  /** Reads a page in the scraper room, under the same bound. */
  visit(url: string): Promise<Visit>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Milliseconds: the shortest polling interval. */
  minIntervalMs: number;
  /** Keeps a feed subscribed at its hub; the lease that stands. Absent where no hub can reach this installation. */
  keepSubscription?(externalId: string, hub: Hub): Promise<HubLease | undefined>;
}

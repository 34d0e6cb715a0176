import type { Source, SourceKind } from "./source.ts";

/** What becomes of a post or message after it was written; for keys that ask for `edits`. */
export const revisionTypes = [
  "microblog.post.updated",
  "microblog.post.deleted",
  "chatserver.message.updated",
  "chatserver.message.deleted",
  "messenger.message.updated",
  "messenger.message.deleted",
] as const;
export type RevisionType = (typeof revisionTypes)[number];

export function isRevision({ type }: { type: string }): boolean {
  return revisionTypes.some(each => each === type);
}

/** Events of tracked sources (docs/reference/events.md). */
export const postEventTypes = [
  "microblog.post.created",
  "chatserver.message.created",
  "messenger.message.created",
  ...revisionTypes,
  "rss.item.created",
  "rss.item.updated",
  "web.page.changed",
  "web.item.created",
  "site.page.added",
  "site.page.changed",
  "site.page.removed",
  "site.page.moved",
  "site.changed",
  "site.checked",
  "search.result.found",
] as const;
/** What a post of a source becomes. */
export type PostEventType = (typeof postEventTypes)[number];

/** What becomes of a webhook endpoint of the key. */
export const endpointTypes = ["endpoint.failing", "endpoint.failed", "endpoint.recovered"] as const;

export function isOfEndpoint({ type }: { type: string }): boolean {
  return type.startsWith("endpoint.");
}

export const eventTypes = [
  ...postEventTypes,
  "source.failing",
  "source.recovered",
  "source.gone",
  "source.gap",
  "monitor.page",
  "monitor.checked",
  "quota.warning",
  "quota.exceeded",
  ...endpointTypes,
  "webhook.test",
  "event.erased",
] as const;
export type EventType = (typeof eventTypes)[number];

/** Events of a job's own `webhook`. They are in no log, and their `seq` is null. */
export const jobNoticeTypes = [
  "scrape.started",
  "scrape.completed",
  "scrape.failed",
  "crawl.started",
  "crawl.page",
  "crawl.completed",
  "crawl.failed",
  "batch.started",
  "batch.page",
  "batch.completed",
  "batch.failed",
] as const;
export type JobNoticeType = (typeof jobNoticeTypes)[number];

/** The content of an event; `source` is null where no source is concerned. Under 256 KB as JSON. */
export interface EventData {
  source: Source | null;
  /** An event of a monitor belongs to it, and to no source alone. */
  monitor?: { id: string; name: string };
  [name: string]: unknown;
}

/** An event as webhooks and streams carry it. */
export interface Event {
  /** `evt_…`, a function of key, source, post and revision: a repeated step makes no second event. */
  id: string;
  type: EventType;
  /** ISO 8601. */
  timestamp: string;
  /** Counts per key from 1, without gaps. */
  seq: number;
  data: EventData;
}

/** Broadcast after an append: a hint for readers to read at once. Nothing depends on its arrival. */
export const appended = { name: "log.appended" } as const;
export interface Appended {
  keyIds: string[];
  /** In a cluster: the number of appends so far. */
  count?: number;
}

/** Broadcast after content was taken out of events: a hint to forget what is kept of them in memory. */
export const eventsErased = { name: "log.erased" } as const;

/** Broadcast after a request changed or removed a key's webhook: a hint for the node that delivers to it. */
export const webhookChanged = { name: "webhook.changed" } as const;
export interface WebhookChanged {
  keyId: string;
}

/** Broadcast after a key's tags or tracked sources changed: a hint to ask for the sources of its tags again. */
export const sourcesRetagged = { name: "sources.retagged" } as const;
export interface SourcesRetagged {
  keyId: string;
}

/** Broadcast after a key's feeds were changed: a hint for the node that pings the hub. */
export const feedsChanged = { name: "feeds.changed" } as const;

/** Broadcast after a scrape was cancelled: a hint to stop for the node that works on it outside the queue. */
export const scrapeCancelled = { name: "scrapes.cancelled" } as const;
export interface ScrapeCancelled {
  id: string;
}

/** Broadcast after an API key was deleted: a hint to delete what belonged to it. */
export const keyDeleted = { name: "keys.deleted" } as const;
export interface KeyDeleted {
  keyId: string;
}

/** Broadcast after an API key was changed: a hint to look it up again. */
export const keyChanged = { name: "keys.changed" } as const;
export interface KeyChanged {
  keyId: string;
}

/** Broadcast after the quotas of an API key were changed: a hint to ask for the keys with quotas again. */
export const quotasChanged = { name: "keys.quotas-changed" } as const;
export interface QuotasChanged {
  keyId: string;
}

/** Broadcast after the password of an owner changed: a hint to end the sessions of the former one. */
export const ownerChanged = { name: "keys.owner-changed" } as const;
export interface OwnerChanged {
  owner: string;
}

/** Broadcast among gateways after a client of the Model Context Protocol (2025) changed its session. `by` is a node. */
export const mcpSessionChanged = { name: "api.mcp-session-changed" } as const;
export interface McpSessionChanged {
  what: "begun" | "subscribed" | "unsubscribed" | "ended";
  id: string;
  keyId: string;
  /** The resource, and the position after which its changes are told. */
  uri?: string;
  after?: number;
  by: string;
}

/** Broadcast after somebody signed out: a hint to forget the session. */
export const sessionEnded = { name: "keys.session-ended" } as const;
export interface SessionEnded {
  name: string;
  expiresAt: string;
}

/**
 * Broadcast among the nodes that work with a social platform. Hints: without them the others find out later.
 */
export const platformUpdated = { name: "connectors.platform-updated" } as const;
/** `network` is the network of the source or node; a node of the version before does not name it. */
export type PlatformUpdate = { kind: SourceKind; network?: string } & (
  | { what: "followed" | "unfollowed"; externalId: string }
  /** A source is being read, or was; `reading` identifies one reading. */
  | { what: "reading" | "read"; externalId: string; reading: string }
  /** The state of the node that listens to the platform. `failure` is a plain sentence. */
  | { what: "listening"; isLive: boolean; failure: string | null }
);

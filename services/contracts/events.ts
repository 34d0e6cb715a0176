import type { Source, SourceKind } from "./source.ts";

/** Events of tracked sources (decisions: Events). */
export const postEventTypes = [
  "microblog.post.created",
  "chatserver.message.created",
  "messenger.message.created",
  "rss.item.created",
  "rss.item.updated",
  "web.page.changed",
] as const;
/** What a post of a source becomes. */
export type PostEventType = (typeof postEventTypes)[number];

export const eventTypes = [
  ...postEventTypes,
  "source.failing",
  "source.recovered",
  "source.gone",
  "webhook.test",
] as const;
export type EventType = (typeof eventTypes)[number];

/** What a job's own `webhook` is told; these are in no log, and their `seq` is null. */
export const jobNoticeTypes = [
  "scrape.started",
  "scrape.completed",
  "scrape.failed",
  "crawl.started",
  "crawl.completed",
  "crawl.failed",
] as const;
export type JobNoticeType = (typeof jobNoticeTypes)[number];

/** What an event tells; `source` is null where none is concerned. Under 256 KB as JSON. */
export interface EventData {
  source: Source | null;
  [name: string]: unknown;
}

/** An event as webhooks and streams carry it. */
export interface Event {
  /** `evt_…`, a function of key, source, post and revision: a repeated step makes no second event. */
  id: string;
  type: EventType;
  /** ISO 8601. */
  timestamp: string;
  /** Counts per key, from 1, without gaps. */
  seq: number;
  data: EventData;
}

/** Broadcast after an append; a hint that makes readers look at once. Nothing depends on its arrival. */
export const appended = { name: "log.appended" } as const;
export interface Appended {
  keyIds: string[];
  /** In a cluster, how many appends there were until then. */
  count?: number;
}

/** Broadcast after a request changed or removed the webhook of a key, for the node that delivers to it; a hint. */
export const webhookChanged = { name: "webhook.changed" } as const;
export interface WebhookChanged {
  keyId: string;
}

/** Broadcast after a scrape was cancelled; a hint to whoever works on it outside the queue to stop. */
export const scrapeCancelled = { name: "scrapes.cancelled" } as const;
export interface ScrapeCancelled {
  id: string;
}

/** Broadcast after an API key was deleted; a hint to forget what belonged to it. */
export const keyDeleted = { name: "keys.deleted" } as const;
export interface KeyDeleted {
  keyId: string;
}

/** Broadcast among those who speak to a social platform; hints, without which things are known later. */
export const platformTold = { name: "connectors.platform-told" } as const;
export type PlatformTold = { kind: SourceKind } & (
  | { what: "followed" | "let go"; externalId: string }
  /** A source is being read, or was; `reading` tells one reading from another. */
  | { what: "reading" | "read"; externalId: string; reading: string }
  /** By whoever listens to the platform: how that goes. `trouble` is a plain sentence. */
  | { what: "listening"; isLive: boolean; trouble: string | null }
);

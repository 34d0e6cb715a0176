import type { FeedMemory } from "../../domain/feed/compare-feed.ts";
import type { Hub } from "../websub/room.ts";

/** What is kept of a feed between polls. */
export interface FeedState {
  memory: FeedMemory;
  intervalMs: number;
  /** Usual time between posts, as their dates tell. */
  gapMs?: number;
  name: string;
  /** SHA-256 of the last document: servers that know no conditional requests send the same bytes again. */
  bodyHash?: string;
  etag?: string;
  lastModified?: string;
  /** Where the feed is distributed, as its last document told. */
  hub?: Hub;
  /** What the last document asked for; an answer of 304 has no document to ask again. */
  asked?: { ttlMinutes?: number; skipHours: number[]; skipDays: number[] };
}

/** The state of a source, which only this connector writes. */
export function feedState(state: Record<string, unknown>): Partial<FeedState> {
  return state as Partial<FeedState>;
}

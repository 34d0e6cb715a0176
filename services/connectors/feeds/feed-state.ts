import { createHash } from "node:crypto";
import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { FeedMemory } from "../../domain/feed/feed-memory.ts";
import { dayMs } from "../poll-interval.ts";
import type { Hub } from "../websub/subscriptions.store.ts";
import type { FeedPace } from "./feed-pace.ts";

/** What shows whether a document has changed since it was read. */
export interface Validators {
  etag?: string;
  lastModified?: string;
  /** SHA-256 of the last document: servers without conditional requests send the same bytes again. */
  bodyHash?: string;
}

/** The state of a feed between polls. */
export interface FeedState extends Validators, FeedPace {
  memory: FeedMemory;
  name: string;
  /** The hub that the last document named. */
  hub?: Hub;
  /** Polling hints of the last document, kept because an answer of 304 has no document. */
  asked?: { ttlMinutes?: number; skipHours: number[]; skipDays: number[] };
  /** Requests since the last document that were answered with 304. */
  unread?: number;
  /** When the last document came, in milliseconds since the epoch. */
  readAt?: number;
  /** New items came under the validators of the former document, so these say nothing. */
  isDeceptive?: true;
  /** No known item was left in the last document. */
  isGap?: true;
}

/** The state of a source, which only this connector writes. */
export function feedState(state: Record<string, unknown>): Partial<FeedState> {
  return state as Partial<FeedState>;
}

/** Conditional requests in a row, and how old the last document may be. */
const mostUnread = 9;
const oldestMs = (23 * dayMs) / 24;

/**
 * The headers of the next request. A server that answers 304 for ever would silence a source, so each tenth request is
 * unconditional, and at least one a day.
 */
export function requestHeaders(state: Partial<FeedState>, now: number): Record<string, string> {
  const { unread = 0, readAt = 0, isDeceptive = false } = state;
  const isWhole = isDeceptive || unread >= mostUnread || now - readAt >= oldestMs;
  return isWhole ? {} : conditions(state);
}

/** Marks of a document that is large: only one request a day is unconditional. */
export interface DailyMarks extends Validators {
  /** Milliseconds since the epoch: when the whole document came. */
  wholeAt?: number;
}

/** The headers of the next request for a large document. */
export function dailyHeaders({ wholeAt = 0, ...marks }: DailyMarks, now: number): Record<string, string> {
  return now - wholeAt >= oldestMs ? {} : conditions(marks);
}

/** A time that is written more often would make each poll store a large state again. */
const marksEveryMs = dayMs / 2;

/** The marks after an answer. What came as a whole is known to be so for a day. */
export function marksAfter(document: FetchedDocument, { wholeAt = 0 }: DailyMarks, now: number): DailyMarks {
  if (document.status === 304) return validators(document);
  const isStale = wholeAt < now - marksEveryMs;
  return { ...validators(document), bodyHash: bodyHash(document), wholeAt: isStale ? now : wholeAt };
}

// A longer header is a mistake, and every poll would send it.
const maxLength = 1024;

/** The validators of an answer (RFC 9110, 8.8). */
export function validators({ headers }: FetchedDocument): Validators {
  const { etag = "", "last-modified": lastModified = "" } = headers;
  return {
    ...(isSendable(etag) && { etag }),
    ...(isSendable(lastModified) && { lastModified }),
  };
}

/** The headers of a conditional request (RFC 9110, 13.1). */
export function conditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
}

/** Whether a document has the validators of another one. */
export function hasSameValidators(document: FetchedDocument, { etag, lastModified }: Validators): boolean {
  const now = validators(document);
  if (now.etag === undefined && now.lastModified === undefined) return false;
  return now.etag === etag && now.lastModified === lastModified;
}

function isSendable(value: string): boolean {
  return value !== "" && value.length <= maxLength && /^[\x20-\x7e]+$/.test(value);
}

export function bodyHash({ body }: FetchedDocument): string {
  return createHash("sha256").update(body).digest("base64url");
}

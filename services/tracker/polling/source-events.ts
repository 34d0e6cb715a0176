import { createHash } from "node:crypto";
import type { NewEvent } from "../../../mixins/event-log/event-log.ts";
import type { PollResult, Post } from "../../contracts/connectors.contract.ts";
import type { HealthJudgement } from "../../domain/polling/source-health.ts";
import { isSocial } from "../source-kinds.ts";
import { publicSource, type StoredSource } from "../sources.store.ts";

/** A post, and the time of its event (ms) where that is known: a repeat finds it in the history. */
export type ToldPost = Post & { at?: number };

/**
 * Makes one event per post, for each of the keys. A post's event is the same, once per revision, however
 * often it is read.
 */
export function postEvents(
  source: StoredSource,
  keyIds: string[],
  posts: ToldPost[],
  now: number,
): NewEvent[] {
  if (posts.length === 0) return [];
  const shown = publicSource(source);
  return posts.map(({ postId, revision, type, data, at = now }) => ({
    timestamp: new Date(at).toISOString(),
    keyIds,
    bodyId: bodyIdOf(source._id, { postId, revision }),
    type,
    // Feeds and pages truncate their own posts.
    data: { ...(isSocial(source.kind) ? truncatePost(data) : data), source: shown },
  }));
}

/** The identity of the event that is made of a post. */
export function bodyIdOf(sourceId: string, { postId, revision }: Pick<Post, "postId" | "revision">): string {
  return digest([sourceId, postId, revision]);
}

/** The events of a poll about the source itself. A repeated poll of the source makes the same events. */
export function noticeEvents(
  source: StoredSource,
  keyIds: string[],
  { notice }: HealthJudgement,
  result: PollResult,
  now: number,
): NewEvent[] {
  const event = (type: "source.gap" | NonNullable<typeof notice>, data: Json): NewEvent => ({
    bodyId: digest([source._id, type, String(source.polledAt)]),
    type,
    timestamp: new Date(now).toISOString(),
    data: { source: publicSource(source), ...data },
    keyIds,
  });
  const reason = result.ok ? "The source can be read again." : result.reason;
  return [
    ...(notice === null ? [] : [event(notice, { reason })]),
    ...(result.ok && result.gap ? [event("source.gap", { reason: gapReason, gap: result.gap })] : []),
  ];
}

const gapReason = "The feed holds none of the items of the last poll; others may have come and gone between.";

function digest(parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

type Json = Record<string, unknown>;

/** Bytes of a post as JSON. The rest of the event is small, so that an event stays under 256 KB. */
const maxBytes = 200 * 1024;
/**
 * The first and the last limit that is tried, in characters of a text; an entry of a list or an object counts as so
 * many.
 */
const longest = 2 ** 17;
const shortest = 2 ** 5;
const charactersPerEntry = 16;

/**
 * The post as its event carries it. If it is too large, its texts and lists are cut, and its parts are marked as
 * `truncated`.
 */
export function truncatePost(data: Json): Json {
  if (bytesOf(data) <= maxBytes) return data;
  for (let size = longest; size >= shortest; size /= 2) {
    const cut = marked(shortened(data, size) as Json);
    if (bytesOf(cut) <= maxBytes) return cut;
  }
  return marked(Object.fromEntries(Object.keys(data).map(name => [name, {}])));
}

function shortened(value: unknown, size: number): unknown {
  const entries = size / charactersPerEntry;
  if (typeof value === "string") return value.slice(0, size).replace(/[\ud800-\udbff]$/, "");
  if (Array.isArray(value)) return value.slice(0, entries).map(each => shortened(each, size));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).slice(0, entries);
  return Object.fromEntries(kept.map(([name, each]) => [name, shortened(each, size)]));
}

function marked(data: Json): Json {
  return Object.fromEntries(
    Object.entries(data).map(([name, part]) => [name, { ...Object(part), truncated: true }]),
  );
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

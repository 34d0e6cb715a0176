import { createHash } from "node:crypto";
import type { FeedItem } from "./feed.ts";

/** An item as a dialect tells it: anything may be missing. */
export type Draft = { [name in keyof FeedItem]?: FeedItem[name] | undefined };

/** The item with an id and without fields that say nothing. */
export function toItem(draft: Draft): FeedItem {
  const told = Object.entries(draft).filter(
    ([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0),
  );
  return { id: draft.id ?? draft.url ?? contentId(draft), ...Object.fromEntries(told) };
}

/** For items that name neither guid nor link. */
export function contentId({ title, content_html, content_text, summary }: Draft): string {
  const content = JSON.stringify([title, content_html ?? content_text ?? summary]);
  return `sha256:${createHash("sha256").update(content).digest("hex").slice(0, 32)}`;
}

/** The first value of each key, in order, at most `max`; bounds what a hostile feed can fill an item with. */
export function distinct<T>(values: T[], keyOf: (value: T) => string, max = 50): T[] {
  const kept = new Map<string, T>();
  for (const value of values) if (kept.size < max && !kept.has(keyOf(value))) kept.set(keyOf(value), value);
  return [...kept.values()];
}

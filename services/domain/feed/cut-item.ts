import type { FeedItem } from "./feed.ts";

/** Bytes of an item as JSON; an event has some more around it and stays under 256 KB. */
const maxItemBytes = 200 * 1024;
const maxShortText = 4096;

/** The item, with its texts cut and marked where it would not fit into an event. */
export function cutItem(item: FeedItem): FeedItem {
  if (bytesOf(item) <= maxItemBytes) return item;
  const short: FeedItem = { ...item, truncated: true };
  for (const name of ["title", "summary"] as const) {
    const text = short[name];
    if (text !== undefined) short[name] = text.slice(0, maxShortText);
  }
  const rest = bytesOf({ ...short, content_html: "", content_text: "" });
  if (rest > maxItemBytes / 2) return withoutLists(short);
  return withTexts(short, maxItemBytes - rest);
}

function withTexts(item: FeedItem, bytes: number): FeedItem {
  const cut = { ...item };
  let left = bytes;
  for (const name of ["content_html", "content_text"] as const) {
    const text = cut[name];
    if (text === undefined) continue;
    cut[name] = cutJsonText(text, left);
    left -= bytesOf(cut[name] ?? "");
  }
  return cut;
}

// A list of this size holds links of tens of kilobytes; such an item is left with what can be told in short.
function withoutLists(item: FeedItem): FeedItem {
  const { id, url = "", title, date_published, content_html, content_text } = item;
  const told: FeedItem = { id: id.slice(0, maxShortText), truncated: true };
  if (url !== "" && url.length <= maxShortText) told.url = url;
  if (title !== undefined) told.title = title;
  if (date_published !== undefined) told.date_published = date_published;
  if (content_html !== undefined) told.content_html = content_html;
  if (content_text !== undefined) told.content_text = content_text;
  return withTexts(told, maxItemBytes / 2);
}

/** The longest start of a text that takes at most `bytes` as JSON, whole characters only. */
function cutJsonText(text: string, bytes: number): string {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).replace(/[\ud800-\udbff]$/, "");
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

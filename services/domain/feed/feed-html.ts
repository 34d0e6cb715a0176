import { documentHtml } from "../../../reader/document/document-html.ts";
import { escapeHtml } from "../../../reader/text/escape-html.ts";
import type { Feed, FeedItem } from "./feed.ts";
import { toText } from "./feed-text.ts";

const maxItems = 1000;
const maxSummary = 600;
/** HTML of an item that is read for its text. */
const maxHtml = 20_000;
const maxAttachments = 5;

/** A feed as a page: its title, and a list of its items with their links, dates and the beginnings of their texts. */
export function feedHtml(feed: Feed): string {
  const { title = "", homeUrl, items } = feed;
  const heading = title === "" ? [] : [`<h1>${linkHtml(title, homeUrl)}</h1>`];
  const shown = items.slice(0, maxItems);
  const list = shown.length > 0 ? [`<ul>\n${shown.map(itemHtml).join("\n")}\n</ul>`] : [];
  const left = shown.length < items.length;
  const note = left ? [`<p>The first ${shown.length} of ${items.length} items are shown.</p>`] : [];
  const language = items.find(item => item.language !== undefined)?.language;
  return documentHtml({ title, language }, [...heading, ...list, ...note].join("\n"));
}

function itemHtml(item: FeedItem): string {
  const { title, url, date_published, date_modified, authors = [], attachments = [] } = item;
  const text = textOf(item);
  const name = title ?? (url === undefined ? "" : text === "" ? url : "Untitled");
  const date = (date_published ?? date_modified)?.slice(0, 10);
  const by = authors.flatMap(author => author.name ?? []).join(", ");
  const about = [date, by].filter(Boolean).join(", ");
  const head = [name && linkHtml(name, url), about && `(${escapeHtml(about)})`].filter(Boolean).join(" ");
  const files = attachments
    .slice(0, maxAttachments)
    .map(file => linkHtml(file.title ?? file.mime_type, file.url))
    .join(", ");
  const parts = [head, escapeHtml(text), files].filter(Boolean);
  return `<li>${parts.map(part => `<p>${part}</p>`).join("")}</li>`;
}

function linkHtml(text: string, url: string | undefined): string {
  return url === undefined ? escapeHtml(text) : `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

/** The summary of an item, or the beginning of its text. */
function textOf({ title, summary, content_text, content_html }: FeedItem): string {
  const whole = summary ?? content_text ?? toText(content_html?.slice(0, maxHtml)) ?? "";
  const text = whole
    .slice(0, 4 * maxSummary)
    .replace(/\s+/g, " ")
    .trim();
  if (text === title) return "";
  return text.length <= maxSummary ? text : `${text.slice(0, maxSummary).replace(/\s+\S*$/, "")} …`;
}

import { escapeHtml } from "../../../../reader/text/escape-html.ts";
import { cleanHtml } from "../../feed/clean-html.ts";
import type { News } from "./news.ts";

const longest = 64 * 1024;

/**
 * What an event says as safe HTML: the item of a feed as it is, the lines of a change marked, anything else as text. What a
 * judge says of it comes first.
 */
export function newsHtml(news: News): string {
  const { summary, html } = news;
  const lead = summary === null ? "" : `<p><strong>${escapeHtml(summary)}</strong></p>`;
  if (html === null && summary === news.text) return lead;
  return lead + contentOf(news);
}

function contentOf({ html, text, summary, url, added, removed, fields }: News): string {
  // An item was cleaned when it was read; what shows it must not depend on that, and a cut may have opened a tag.
  if (html !== null) return cleanHtml(html.slice(0, longest), url ?? "");
  const lines = [
    ...fields.map(escapeHtml),
    ...removed.map(line => `<del>${escapeHtml(line)}</del>`),
    ...added.map(line => `<ins>${escapeHtml(line)}</ins>`),
  ];
  const rest = summary === null ? text : text.slice(summary.length + 1);
  const shown = lines.length > 0 ? lines : rest.split("\n").map(escapeHtml);
  return `<p>${shown.join("<br>").slice(0, longest)}</p>`;
}

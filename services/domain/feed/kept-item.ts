import { parseHtml } from "../../../reader/html/parse-html.ts";
import { toMarkdown } from "../../../reader/markdown/to-markdown.ts";
import type { KeptItem } from "../history/item-forms.ts";
import type { FeedItem } from "./feed.ts";

/** An item of a feed as it is kept: what it says, in the same form whatever its feed's. */
export function keptItem(item: FeedItem): KeptItem {
  const { title, url, external_url, authors = [], date_published, attachments = [] } = item;
  const author = authors.flatMap(({ name, url: home }) => name ?? home ?? []).join(", ");
  const text = textOf(item);
  const address = url ?? external_url;
  return {
    ...(title !== undefined && { title }),
    ...(address !== undefined && { url: address }),
    ...(author !== "" && { author }),
    ...(date_published !== undefined && { published: date_published }),
    ...(text !== "" && { text }),
    ...(attachments.length > 0 && { enclosures: attachments.map(({ url: file }) => ({ url: file })) }),
  };
}

function textOf({ content_html, content_text, summary = "" }: FeedItem): string {
  if (content_html === undefined) return (content_text ?? summary).trim();
  return toMarkdown(parseHtml(content_html)).trim();
}

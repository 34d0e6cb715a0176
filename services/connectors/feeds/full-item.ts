import { cleanHtml } from "../../domain/feed/clean-html.ts";
import { truncateItem } from "../../domain/feed/digest-feed.ts";
import { type FeedItem, type FoundPage, ofFeed } from "../../domain/feed/feed.ts";
import { toText } from "../../domain/feed/feed-text.ts";

/** The items with the content of their pages. A page that says less than the feed does leaves the feed's own. */
export function fullItems(found: FoundPage[]): FeedItem[] {
  return found.map(({ item, page }) => {
    if ("problem" in page) return ofFeed(item, page.problem);
    const html = cleanHtml(page.html, page.url);
    const said = lengthOf(toText(html));
    if (said === 0) return ofFeed(item, "The page has no content.");
    const own = toText(item.content_html) ?? item.content_text ?? item.summary;
    if (said < lengthOf(own)) return ofFeed(item, "The page says less than the feed.");
    const { content_text: _, ...rest } = item;
    return truncateItem({ ...rest, content_html: html, content_source: "page" });
  });
}

function lengthOf(text: string | undefined): number {
  return text?.replace(/\s/g, "").length ?? 0;
}

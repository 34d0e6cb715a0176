import { parseHtml } from "../../domain/extract/parse-html.ts";
import { type ElementNode, isElement, walk } from "../../domain/extract/tree.ts";
import { absoluteUrl } from "../../domain/feed/absolute.ts";

const feedType =
  /^\s*(application\/(rss|atom|rdf)\+xml|application\/feed\+json|application\/json|text\/xml|application\/xml)\s*(;|$)/i;
const maxLinks = 3;

/** The feeds that a page names (rssboard.org/rss-autodiscovery), its own first; those of comments are passed over. */
export function findFeedLinks(html: string, url: string): string[] {
  const found: ElementNode[] = [];
  let base = url;
  walk(parseHtml(html), node => {
    if (!isElement(node)) return true;
    if (node.name === "base" && base === url) base = absoluteUrl(node.getAttribute("href"), url) ?? url;
    if (node.name === "link" && isFeedLink(node)) found.push(node);
    return true;
  });
  const links = found.flatMap(link => absoluteUrl(link.getAttribute("href"), base) ?? []);
  return [...new Set(links)].slice(0, maxLinks);
}

function isFeedLink(link: ElementNode): boolean {
  const isAlternate = /(^|\s)alternate(\s|$)/i.test(link.getAttribute("rel"));
  const ofComments = /\bcomments?\b/i.test(`${link.getAttribute("title")} ${link.getAttribute("href")}`);
  return isAlternate && feedType.test(link.getAttribute("type")) && !ofComments;
}

import type { ResolveUrl } from "./page-url.ts";
import { forbidsFollowing } from "./robots-directives.ts";
import { type ElementNode, isElement, walk } from "./tree.ts";

/** What a page tells whoever goes on from it. */
export interface CrawlHints {
  /** Distinct, in document order, at most 10,000. */
  links: PageLink[];
  /** The page asks crawlers not to follow its links. */
  nofollow: boolean;
}

/** A link of a page, absolute and without its fragment. */
export interface PageLink {
  url: string;
  /** `rel=nofollow`, `ugc` or `sponsored`, wherever the page has this link. */
  nofollow: boolean;
  /** `rel=next`: the same list, continued. */
  next: boolean;
}

const maxLinks = 10_000;
const unendorsed = ["nofollow", "ugc", "sponsored"];

/** Reads the whole page: links stand in what is no content as well. */
export function readCrawlHints(root: ElementNode, resolve: ResolveUrl): CrawlHints {
  const links = new Map<string, PageLink>();
  let nofollow = false;
  walk(root, node => {
    if (!isElement(node)) return false;
    if (isRobots(node)) nofollow ||= forbidsFollowing(node.getAttribute("content"));
    const link = linkOf(node, resolve);
    if (link) add(links, link);
    return true;
  });
  return { links: [...links.values()], nofollow };
}

function isRobots(element: ElementNode): boolean {
  return element.name === "meta" && element.getAttribute("name").trim().toLowerCase() === "robots";
}

function linkOf(element: ElementNode, resolve: ResolveUrl): PageLink | undefined {
  const { name, attributes } = element;
  if ((name !== "a" && name !== "area" && name !== "link") || !attributes.has("href")) return undefined;
  const rel = element.getAttribute("rel").toLowerCase().split(/\s+/);
  const next = rel.includes("next");
  if (name === "link" && !next) return undefined;
  const address = resolve(element.getAttribute("href").trim());
  if (!address || !/^https?:/.test(address)) return undefined;
  const url = address.replace(/#.*$/s, "");
  return { url, nofollow: unendorsed.some(word => rel.includes(word)), next };
}

function add(links: Map<string, PageLink>, link: PageLink): void {
  const known = links.get(link.url);
  if (known) {
    known.nofollow &&= link.nofollow;
    known.next ||= link.next;
  } else if (links.size < maxLinks) links.set(link.url, link);
}

import { isServerContent } from "../clean/server-content.ts";
import { isTabList } from "../clean/tab-panels.ts";
import { plainText } from "../html/plain-text.ts";
import { type DocumentNode, type ElementNode, findElement, isElement, walk } from "../html/tree.ts";

/** What a crawler needs of a page. */
export interface CrawlHints {
  /** Distinct, in document order, at most 10,000. */
  links: PageLink[];
  /** The page asks crawlers not to follow its links. */
  nofollow: boolean;
  /** It asks them not to show it. */
  noindex: boolean;
}

/** A link of a page, absolute and without its fragment. */
export interface PageLink {
  url: string;
  /** `rel=nofollow`, `ugc` or `sponsored`, wherever the page has this link. */
  nofollow: boolean;
  /** `rel=next`: the same list, continued. */
  next: boolean;
  /** Only where it is asked for: the words of the link; absent for a link without words. */
  text?: string;
}

const maxLinks = 10_000;
const unendorsed = ["nofollow", "ugc", "sponsored"];

/** Reads the whole page, since links are not only in its content. */
export function readCrawlHints(root: ElementNode, resolve: ResolveUrl, withTexts = false): CrawlHints {
  const links = new Map<string, PageLink>();
  let [nofollow, noindex] = [false, false];
  walk(root, node => {
    if (!isElement(node)) return false;
    if (isRobots(node)) {
      nofollow ||= forbidsFollowing(node.getAttribute("content"));
      noindex ||= forbidsIndexing(node.getAttribute("content"));
    }
    const link = linkOf(node, resolve);
    if (link) add(links, withTexts ? { ...link, ...textOf(node) } : link);
    return true;
  });
  return { links: [...links.values()], nofollow, noindex };
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
    if (known.text === undefined && link.text !== undefined) known.text = link.text;
  } else if (links.size < maxLinks) links.set(link.url, link);
}

const maxLinkText = 200;

/** What a link says: its text, or else its label or title. */
function textOf(element: ElementNode): { text: string } | undefined {
  const image = findElement(element, ({ name }) => name === "img");
  const names = [
    element.getAttribute("aria-label"),
    element.getAttribute("title"),
    image?.getAttribute("alt") ?? "",
  ];
  const shown = [plainText(element), ...names];
  const text = shown.map(each => each.replace(/\s+/g, " ").trim()).find(each => each !== "");
  return text ? { text: text.slice(0, maxLinkText).toWellFormed() } : undefined;
}

/**
 * Every URL that the page links to: absolute, http or https, distinct, in document order. Without links into the page
 * itself.
 */
export function findLinks(root: ElementNode, resolve: ResolveUrl, pageUrl: string): string[] {
  const links = new Set<string>();
  const self = withoutFragment(URL.parse(pageUrl)?.href ?? pageUrl);
  walk(root, node => {
    if (isElement(node) && (node.name === "a" || node.name === "area") && node.attributes.has("href")) {
      const href = node.getAttribute("href").trim();
      const url = href.startsWith("#") ? null : resolve(href);
      if (url?.startsWith("http") && !(url.includes("#") && withoutFragment(url) === self)) links.add(url);
    }
    return true;
  });
  return [...links];
}

function withoutFragment(url: string): string {
  const at = url.indexOf("#");
  return at < 0 ? url : url.slice(0, at);
}

/** Resolves a URL of the page; null for one that a reader cannot follow. */
export type ResolveUrl = (address: string) => string | null;

const cleanPath = /^\/(?!\/)(?:[\w\-~%$+=@,;:!*]|\.(?!\.?(?:\/|$)))[\w\-~%$+=@,;:!*/.?&#]*$/;
const cleanUrl = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]+\/[\w\-~%$+=@,;:!*/?&#]*(?:\.[\w\-~%$+=@,;:!*?&#]+)*$/;
const unsafe = new Set(["javascript:", "vbscript:", "data:", "blob:", "about:", "file:"]);

/** Resolves against `<base href>` of the page, which itself is resolved against the page's final URL. */
export function urlResolver(root: DocumentNode, pageUrl: string): ResolveUrl {
  const base = (root.base && URL.parse(root.base.getAttribute("href").trim(), pageUrl)) ?? URL.parse(pageUrl);
  const origin = base !== null && base.origin !== "null" ? base.origin : null;
  const known = new Map<string, string | null>();
  return address => {
    if (cleanUrl.test(address)) return address;
    if (origin !== null && cleanPath.test(address) && !address.includes("/.")) return origin + address;
    let resolved = known.get(address);
    if (resolved === undefined) {
      resolved = resolve(address, base);
      known.set(address, resolved);
    }
    return resolved;
  };
}

function resolve(address: string, base: URL | null): string | null {
  const url = URL.parse(address.trim(), base ?? undefined);
  return url === null || unsafe.has(url.protocol) ? null : url.href;
}

/** Directives that have a value behind a colon; any other name there is that of a crawler. */
const valued = new Set(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]);

/**
 * Whether robots directives ask every crawler not to follow a page's links: `nofollow` or `none`, in a
 * `<meta name=robots>` or an `X-Robots-Tag` (developers.google.com/search/docs, "Robots meta tag"). A directive after the
 * name of a crawler is for that crawler alone.
 */
export function forbidsFollowing(directives: string): boolean {
  return forbids(directives, "nofollow");
}

/** Whether they ask crawlers not to show the page. */
export function forbidsIndexing(directives: string): boolean {
  return forbids(directives, "noindex");
}

function forbids(directives: string, wish: "nofollow" | "noindex"): boolean {
  let isForAll = true;
  for (const part of directives.toLowerCase().split(",")) {
    const [, name, rest = ""] = /^\s*(?:([\w*-]+)\s*:)?(.*)$/s.exec(part) ?? [];
    if (valued.has(name ?? "")) continue;
    if (name !== undefined) isForAll = name === "*";
    if (isForAll && rest.split(/\s+/).some(word => word === wish || word === "none")) return true;
  }
  return false;
}

/** What the parts of a page refer to within the page. */
export interface PageAnchors {
  /** Links to a part of the page, in order. */
  fragmentLinks: readonly ElementNode[];
  /** What holds the labels of tabs, in order. */
  tabLists: readonly ElementNode[];
  /** Ids of what controls show and hide; not those that open a menu or a dialog. */
  controlled: ReadonlySet<string>;
  /** What may hold content that a page shows without its scripts only, in order. */
  serverContent: readonly ElementNode[];
  /** Whether some element has a shadow tree. */
  hasShadow: boolean;
  /** The element with an id, or with a name where links once went. */
  target(id: string): ElementNode | undefined;
}

/** Reads a page's anchors before the cleaning takes its controls away. */
export function readAnchors(body: ElementNode): PageAnchors {
  const fragmentLinks: ElementNode[] = [];
  const tabLists: ElementNode[] = [];
  const serverContent: ElementNode[] = [];
  const controlled = new Set<string>();
  let hasShadow = false;
  const read = (element: ElementNode): void => {
    const { attributes, name } = element;
    if (isServerContent(element)) serverContent.push(element);
    if (attributes.size === 0) return;
    if (name === "template") hasShadow = true;
    if (isTabList(element)) tabLists.push(element);
    const href = name === "a" ? attributes.get("href") : undefined;
    if (href !== undefined && href.length > 1 && href.startsWith("#")) fragmentLinks.push(element);
    const controls = attributes.get("aria-controls");
    if (controls !== undefined && !attributes.has("aria-haspopup"))
      for (const id of controls.split(/\s+/)) controlled.add(id);
  };
  const visit = (parent: ElementNode): void => {
    for (const child of parent.childNodes) {
      if (!isElement(child)) continue;
      read(child);
      visit(child);
    }
  };
  visit(body);
  controlled.delete("");
  let targets: Map<string, ElementNode> | undefined;
  const target = (id: string): ElementNode | undefined => {
    targets ??= readTargets(body);
    return targets.get(id);
  };
  return { fragmentLinks, tabLists, controlled, serverContent, hasShadow, target };
}

/** The first element with each id counts. */
function readTargets(body: ElementNode): Map<string, ElementNode> {
  const targets = new Map<string, ElementNode>();
  walk(body, node => {
    if (!isElement(node)) return true;
    for (const id of [node.attributes.get("id"), node.name === "a" ? node.attributes.get("name") : undefined])
      if (id && !targets.has(id)) targets.set(id, node);
    return true;
  });
  return targets;
}

/** The element that a link to a part of the page leads to. */
export function targetOf(link: ElementNode, anchors: PageAnchors): ElementNode | undefined {
  const fragment = link.getAttribute("href").slice(1);
  return anchors.target(fragment) ?? (fragment.includes("%") ? anchors.target(decoded(fragment)) : undefined);
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch (error) {
    if (error instanceof URIError) return fragment;
    throw error;
  }
}

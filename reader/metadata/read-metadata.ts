import type { DocumentNode, ElementNode } from "../html/tree.ts";
import type { ResolveUrl } from "../page/page-links.ts";
import { type LinkedFacts, readLinkedFacts } from "./linked-facts.ts";
import { collectHints, type PageHints } from "./page-hints.ts";
import { readAuthor } from "./read-author.ts";
import { modifiedSources, publishedSources, readTime } from "./read-times.ts";
import { readTitle, stated as text } from "./read-title.ts";

/** What a page says about itself; null where it says nothing. */
export interface PageFacts {
  title: string;
  /** The text of `<title>`. */
  page_title: string | null;
  description: string | null;
  /** BCP 47 tag as the page declares it. */
  language: string | null;
  canonical_url: string | null;
  /** Several are separated by commas. */
  author: string | null;
  /** ISO 8601: a date, or a time with its offset. */
  published_time: string | null;
  modified_time: string | null;
  keywords: string[] | null;
  site_name: string | null;
  favicon: string | null;
  image: string | null;
  /** As the page's `<meta name=robots>` says it. */
  robots: string | null;
  /** OpenGraph properties without their `og:` prefix; of a repeated one the first. */
  og: Record<string, string>;
  /** `tdm-reservation` and `tdm-policy` (TDM Reservation Protocol), where the page has them. */
  tdm?: Record<string, string>;
}

/** Facts of what is no page. */
export const noFacts: PageFacts = {
  title: "",
  page_title: null,
  description: null,
  language: null,
  canonical_url: null,
  author: null,
  published_time: null,
  modified_time: null,
  keywords: null,
  site_name: null,
  favicon: null,
  image: null,
  robots: null,
  og: {},
};

/**
 * Reads the metadata wherever the `<head>` is. JSON-LD comes before `meta` elements, those before microdata, and all
 * before what is visible. For the title, OpenGraph (ogp.me) comes before plain HTML.
 */
export function readMetadata(root: DocumentNode, resolve: ResolveUrl, url: string): PageFacts {
  return readStatements(root, resolve, url).facts;
}

/** What a page says about itself, and the article that its JSON-LD has beside the text of the page. */
export interface Statements {
  facts: PageFacts;
  /** Empty where there is none. */
  article: string;
}

export function readStatements(root: DocumentNode, resolve: ResolveUrl, url: string): Statements {
  const linked = readLinkedFacts(root.linkedData, url);
  return { facts: factsOf(root, resolve, url, linked), article: linked.articleBody };
}

function factsOf(root: DocumentNode, resolve: ResolveUrl, url: string, linked: LinkedFacts): PageFacts {
  const hints = collectHints(root);
  const place = placeOf(url);
  // Dates on a start page are those of other pages.
  if (place.isStart || linked.isThing) hints.dates = [];
  if (linked.isThing) hints.bylines = hints.bylines.filter(({ by }) => by !== "text");
  const og = openGraph(hints.metas);
  const content = (name: string) => text(hints.metas.get(name)?.[0]) || null;
  const language = languageOf(hints.html, content("content-language"), og.locale ?? linked.languages[0]);
  const pageTitle = text(hints.title?.textContent);
  const siteNames = [og.site_name, ...linked.siteNames, hints.metas.get("application-name")?.[0]].map(text);
  const canonical = hints.links.find(link => /(?:^|\s)canonical(?:\s|$)/i.test(link.getAttribute("rel")));
  return {
    title: readTitle(hints, linked, { sites: siteNames, ...place }),
    page_title: pageTitle || null,
    description:
      content("description") ??
      (og.description || null) ??
      (content("twitter:description") || text(linked.descriptions[0]) || null),
    language,
    canonical_url: webAddress(canonical?.getAttribute("href"), resolve) ?? webAddress(og.url, resolve),
    author: readAuthor(hints, linked, siteNames),
    published_time: readTime(publishedSources, hints, linked, language),
    modified_time: readTime(modifiedSources, hints, linked, language),
    keywords: keywordsOf(hints, linked),
    site_name: siteNames.find(isNamed) ?? siteNames.find(name => name !== "") ?? null,
    favicon: faviconOf(hints.links, resolve),
    image: imageOf(hints, linked, resolve),
    robots: hints.metas.get("robots")?.map(text).join(", ") ?? null,
    og,
    ...reservation(hints),
  };
}

function reservation({ metas }: PageHints): Pick<PageFacts, "tdm"> {
  const stated = ["tdm-reservation", "tdm-policy"].map(name => [name, text(metas.get(name)?.[0])]);
  const named = stated.filter(([, value]) => value !== "");
  return named.length === 0 ? {} : { tdm: Object.fromEntries(named) };
}

/** The host without `www.`, and whether the page is its start page. */
function placeOf(url: string): { host: string; isStart: boolean } {
  const { hostname, pathname, search } = URL.parse(url) ?? { hostname: "", pathname: "/", search: "" };
  return { host: hostname.replace(/^www\./, ""), isStart: pathname === "/" && search === "" };
}

/** An address is a name only where there is no other. */
function isNamed(name: string): boolean {
  return name !== "" && !/^https?:|\.\p{L}{2,6}\/?$/u.test(name);
}

function openGraph(metas: PageHints["metas"]): Record<string, string> {
  const og: Record<string, string> = {};
  for (const [name, contents] of metas) {
    if (!name.startsWith("og:")) continue;
    const key = name.slice(3);
    const value = contents.map(text).find(content => content !== "");
    if (key !== "" && key !== "__proto__" && value !== undefined) og[key] = value;
  }
  return og;
}

function languageOf(html: ElementNode | undefined, header: string | null, locale?: string): string | null {
  const stated =
    html?.getAttribute("lang") || html?.getAttribute("xml:lang") || header?.split(",")[0] || locale || "";
  const tag = stated.trim().replaceAll("_", "-");
  return /^[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*$/.test(tag) ? tag : null;
}

const keywordMetas = [
  "keywords",
  "news_keywords",
  "citation_keywords",
  "parsely-tags",
  "sailthru.tags",
  "article:tag",
];
const [maxKeywords, maxKeyword] = [50, 100];

/** The keywords of the first source that has any, each once. */
function keywordsOf({ metas }: PageHints, { keywords }: LinkedFacts): string[] | null {
  for (const source of [keywords, ...keywordMetas.map(name => metas.get(name) ?? [])]) {
    const words = new Map<string, string>();
    for (const given of source
      .join(",")
      .slice(0, 10_000)
      .split(/[,;，、；\n]/)) {
      const word = text(given);
      if (word !== "" && word.length <= maxKeyword && !words.has(word.toLowerCase()))
        words.set(word.toLowerCase(), word);
    }
    if (words.size > 0) return [...words.values()].slice(0, maxKeywords);
  }
  return null;
}

/** The first icon, else the one for home screens. */
function faviconOf(links: ElementNode[], resolve: ResolveUrl): string | null {
  for (const rel of [/(?:^|\s)icon(?:\s|$)/i, /(?:^|\s)apple-touch-icon(?:-precomposed)?(?:\s|$)/i]) {
    for (const link of links) {
      const url = rel.test(link.getAttribute("rel")) ? webAddress(link.getAttribute("href"), resolve) : null;
      if (url !== null) return url;
    }
  }
  return null;
}

const imageMetas = [
  "og:image:secure_url",
  "og:image",
  "og:image:url",
  "twitter:image",
  "twitter:image:src",
  "image",
];

function imageOf({ metas, links }: PageHints, { images }: LinkedFacts, resolve: ResolveUrl): string | null {
  const stated = imageMetas.flatMap(name => metas.get(name) ?? []);
  const linked = links.filter(link => /(?:^|\s)image_src(?:\s|$)/i.test(link.getAttribute("rel")));
  for (const address of [...stated, ...images, ...linked.map(link => link.getAttribute("href"))]) {
    const url = webAddress(address, resolve);
    if (url !== null) return url;
  }
  return null;
}

function webAddress(address: string | undefined, resolve: ResolveUrl): string | null {
  const url = address?.trim() ? resolve(address.trim()) : null;
  return url?.startsWith("http") ? url : null;
}

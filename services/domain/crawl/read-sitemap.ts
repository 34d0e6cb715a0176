import { SaxesParser } from "saxes";
import { maxUrlLength } from "../url/admit-url.ts";

/** The pages that a sitemap names, or the sitemaps that an index names. Absolute http or https URLs, each once. */
export interface Sitemap {
  urls: string[];
  sitemaps: string[];
}

/** What a sitemap says of a page, or an index of a sitemap. */
export interface Listed {
  url: string;
  /** As it is written. */
  lastmod?: string;
  /** When it appeared, in a sitemap of news (developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap). */
  published?: string;
  title?: string;
}

export interface ListedUrls {
  /** Undefined for a document that is no sitemap. */
  form: "urlset" | "index" | "text" | undefined;
  pages: Listed[];
  sitemaps: Listed[];
}

/** The limits of sitemaps.org, for pages and for sitemaps. */
const [maxUrls, maxBytes] = [50_000, 50 * 1024 * 1024];
const chunkBytes = 64 * 1024;
/** No sitemap nests deeper; a bomb of open tags does. */
const maxDepth = 100;

/**
 * Reads a sitemap (sitemaps.org): a urlset, an index, RSS or Atom, or a text with one URL per line; not compressed. Of an incomplete
 * or broken document, returns what could be read. A document that declares entities (CWE-776) or is no sitemap gives
 * nothing. Reads no further than the limits of the protocol.
 */
export function readSitemap(bytes: Uint8Array): Sitemap {
  const { pages, sitemaps } = readListed(bytes);
  return { urls: pages.map(({ url }) => url), sitemaps: sitemaps.map(({ url }) => url) };
}

/** Reads up to `most` URLs with what the sitemap says of each. */
export function readListed(bytes: Uint8Array, most = maxUrls): ListedUrls {
  const chunks = decoded(bytes.subarray(0, maxBytes));
  const head = chunks.next().value ?? "";
  return /^\s*</.test(head) ? readXml(head, chunks, most) : readLines(head, chunks, most);
}

function* decoded(bytes: Uint8Array): Generator<string, undefined> {
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let at = 0; at < bytes.length; at += chunkBytes)
    yield decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true });
  yield decoder.decode();
}

/** The protocol allows only UTF-8; other encodings in use have a byte order mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function readXml(head: string, chunks: Iterable<string>, most: number): ListedUrls {
  const found = { url: new Map<string, Listed>(), sitemap: new Map<string, Listed>() };
  const parser = new SaxesParser({ position: false });
  const path: string[] = [];
  let current: Listed = { url: "" };
  let [isRefused, text, root] = [false, "", ""];
  // The parser continues after markup that is not well-formed.
  parser.on("error", () => undefined);
  parser.on("doctype", doctype => {
    isRefused ||= /<!ENTITY/i.test(doctype);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const local = localName(name);
    const { href, rel = "alternate" } = attributes as Record<string, string>;
    if (local === "link" && path.at(-1) === "entry" && rel === "alternate")
      add(found.url, { url: "" }, href ?? "");
    root ||= local;
    if (isEntry(local)) current = { url: "" };
    path.push(local);
    text = "";
  });
  const append = (more: string) => {
    if (readNames.has(path.at(-1) ?? "")) text += more;
  };
  parser.on("text", append);
  parser.on("cdata", more => append(more.replaceAll("&amp;", "&")));
  parser.on("closetag", () => {
    const [name, parent] = [path.pop(), path.at(-1)];
    // The `loc` of an image or a video has another parent.
    if (name === "loc" && isEntry(parent)) add(found[parent], current, text);
    else if (name === "link" && parent === "item") add(found.url, { url: "" }, text);
    else note(current, name, parent, text);
  });
  for (const chunk of escaped(head, chunks)) {
    parser.write(chunk);
    isRefused ||= path.length > maxDepth;
    if (isRefused || found.url.size + found.sitemap.size >= most) break;
  }
  if (isRefused) return { form: undefined, pages: [], sitemaps: [] };
  return { form: formOf(root), pages: listOf(found.url, most), sitemaps: listOf(found.sitemap, most) };
}

const readNames = new Set(["loc", "lastmod", "publication_date", "title", "link"]);
const maxText = 1000;

function isEntry(name: string | undefined): name is "url" | "sitemap" {
  return name === "url" || name === "sitemap";
}

function formOf(root: string): ListedUrls["form"] {
  if (root === "urlset") return "urlset";
  return root === "sitemapindex" ? "index" : undefined;
}

/** Keeps what an element says of the entry that it belongs to. */
function note(current: Listed, name: string | undefined, parent: string | undefined, text: string): void {
  const value = text.trim();
  if (value === "" || value.length > maxText) return;
  if (name === "lastmod" && isEntry(parent)) current.lastmod = value;
  if (name === "publication_date" && parent === "news") current.published = value;
  if (name === "title" && parent === "news") current.title = value;
}

/** Many sitemaps have bare ampersands. The parser would read all that follows as the name of an entity. */
function* escaped(head: string, chunks: Iterable<string>): Generator<string> {
  let rest = head;
  for (const chunk of chunks) {
    const text = rest + chunk;
    const end = /&[#\w]{0,12}$/.exec(text)?.index ?? text.length;
    yield text.slice(0, end).replace(/&(?![#\w]{1,12};)/g, "&amp;");
    rest = text.slice(end);
  }
}

function readLines(head: string, chunks: Iterable<string>, most: number): ListedUrls {
  const urls = new Map<string, Listed>();
  let [rest, areUrls] = [head, true];
  const take = (line: string) => {
    if (line.trim() !== "") areUrls = add(urls, { url: "" }, line) && areUrls;
  };
  for (const chunk of chunks) {
    const lines = (rest + chunk).split(/[\r\n]+/);
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
    if (urls.size >= most || rest.length > chunkBytes) break;
  }
  take(rest);
  const form = areUrls && urls.size > 0 ? "text" : undefined;
  return { form, pages: listOf(urls, most), sitemaps: [] };
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

/** Whether the text is the URL of a page. */
function add(urls: Map<string, Listed>, entry: Listed, text: string): boolean {
  const url = text.trim();
  const isUrl = url.length <= maxUrlLength && /^https?:\/\//i.test(url) && URL.canParse(url);
  entry.url = url;
  if (isUrl && !urls.has(url)) urls.set(url, entry);
  return isUrl;
}

function listOf(urls: Map<string, Listed>, most: number): Listed[] {
  return [...urls.values()].slice(0, most);
}

/** Whether a sitemap is compressed as a file (gzip), apart from what HTTP may do on the way. */
export function isCompressed([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

/** Characters of all URLs of one sitemap. They cross from thread to thread, and are kept until a map is answered. */
export const mostCharacters = 8_000_000;

/** What was read of a sitemap. */
export interface SitemapRead extends Sitemap {
  /** Not compressed. */
  bytes: number;
  /** It names more URLs than are kept. */
  isCut: boolean;
}

/** Reads a sitemap without the URLs that are too many characters. */
export function boundedSitemap(bytes: Uint8Array): SitemapRead {
  const { urls, sitemaps } = readSitemap(bytes);
  const kept = firstWithin(mostCharacters, urls);
  return { urls: kept, sitemaps, bytes: bytes.length, isCut: kept.length < urls.length };
}

/** The first URLs, as many as have together no more characters. */
export function firstWithin(characters: number, urls: string[]): string[] {
  let left = characters;
  const end = urls.findIndex(url => {
    left -= url.length;
    return left < 0;
  });
  return end < 0 ? urls : urls.slice(0, end);
}

import { SaxesParser } from "saxes";
import { maxUrlLength } from "../url/admit-url.ts";

/** The pages that a sitemap names, or the sitemaps that an index names. Absolute http or https URLs, each once. */
export interface Sitemap {
  urls: string[];
  sitemaps: string[];
}

/** The limits of sitemaps.org, for pages and for sitemaps. */
const [maxUrls, maxBytes] = [50_000, 50 * 1024 * 1024];
const chunkBytes = 64 * 1024;
/** No sitemap nests deeper; a bomb of open tags does. */
const maxDepth = 100;

/**
 * Reads a sitemap (sitemaps.org): a urlset, an index, or a text with one URL per line; not compressed. Of an incomplete
 * or broken document, returns what could be read. A document that declares entities (CWE-776) or is no sitemap gives
 * nothing. Reads no further than the limits of the protocol.
 */
export function readSitemap(bytes: Uint8Array): Sitemap {
  const chunks = decoded(bytes.subarray(0, maxBytes));
  const head = chunks.next().value ?? "";
  return /^\s*</.test(head) ? readXml(head, chunks) : readLines(head, chunks);
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

function readXml(head: string, chunks: Iterable<string>): Sitemap {
  const found = { url: new Set<string>(), sitemap: new Set<string>() };
  const parser = new SaxesParser({ position: false });
  const path: string[] = [];
  let [isRefused, text] = [false, ""];
  // The parser continues after markup that is not well-formed.
  parser.on("error", () => undefined);
  parser.on("doctype", doctype => {
    isRefused ||= /<!ENTITY/i.test(doctype);
  });
  parser.on("opentag", ({ name }) => {
    path.push(localName(name));
    text = "";
  });
  const append = (more: string) => {
    if (path.at(-1) === "loc") text += more;
  };
  parser.on("text", append);
  parser.on("cdata", more => append(more.replaceAll("&amp;", "&")));
  parser.on("closetag", () => {
    const [name, parent] = [path.pop(), path.at(-1)];
    // The `loc` of an image or a video has another parent.
    if (name === "loc" && (parent === "url" || parent === "sitemap")) add(found[parent], text);
  });
  for (const chunk of escaped(head, chunks)) {
    parser.write(chunk);
    isRefused ||= path.length > maxDepth;
    if (isRefused || found.url.size + found.sitemap.size >= maxUrls) break;
  }
  return isRefused
    ? { urls: [], sitemaps: [] }
    : { urls: listOf(found.url), sitemaps: listOf(found.sitemap) };
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

function readLines(head: string, chunks: Iterable<string>): Sitemap {
  const urls = new Set<string>();
  let rest = head;
  for (const chunk of chunks) {
    const lines = (rest + chunk).split(/[\r\n]+/);
    rest = lines.pop() ?? "";
    for (const line of lines) add(urls, line);
    if (urls.size >= maxUrls || rest.length > chunkBytes) break;
  }
  add(urls, rest);
  return { urls: listOf(urls), sitemaps: [] };
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

function add(urls: Set<string>, text: string): void {
  const url = text.trim();
  if (url.length <= maxUrlLength && /^https?:\/\//i.test(url) && URL.canParse(url)) urls.add(url);
}

function listOf(urls: Set<string>): string[] {
  return [...urls].slice(0, maxUrls);
}

/** Whether a sitemap is compressed as a file (gzip), apart from what HTTP may do on the way. */
export function isCompressed([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

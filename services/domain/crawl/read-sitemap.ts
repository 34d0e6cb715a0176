import { SaxesParser } from "saxes";
import { maxUrlLength } from "../url/admit-url.ts";

/** What a sitemap names: pages, or other sitemaps when it is an index. Absolute http or https URLs, each once. */
export interface Sitemap {
  urls: string[];
  sitemaps: string[];
}

/** The bounds of sitemaps.org, for pages as for sitemaps. */
const [maxUrls, maxBytes] = [50_000, 50 * 1024 * 1024];
const chunkBytes = 64 * 1024;
/** A bomb of open tags is none of the protocol's documents. */
const maxDepth = 100;

/**
 * Reads a sitemap (sitemaps.org): a urlset, an index, or a text with one URL per line; not compressed. Of documents that
 * break off or are broken what could be read stands. Those that declare entities name nothing (CWE-776), like those that
 * are no sitemap. Reads no further than the protocol's bounds.
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

/** The protocol knows UTF-8 alone; what else is found has a byte order mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function readXml(head: string, chunks: Iterable<string>): Sitemap {
  const found = { url: new Set<string>(), sitemap: new Set<string>() };
  const parser = new SaxesParser({ position: false });
  const path: string[] = [];
  let [isRefused, text] = [false, ""];
  // The parser goes on behind what is not well-formed.
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

/** Many sitemaps hold bare ampersands; the parser would take all that follows for the name of an entity. */
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

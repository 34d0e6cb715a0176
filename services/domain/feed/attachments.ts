import { type Attachment, distinct } from "./feed.ts";
import { absoluteUrl } from "./feed-text.ts";
import { addressOf, attributeOf, childrenOf, firstValue, lineOf, plainOf, textOf } from "./xml-element.ts";
import type { XmlElement } from "./xml-tree.ts";

const maxAttachments = 50;

/** The attachments of an item in RSS, Atom, Media RSS and the podcast namespace: enclosures first, then media contents. */
export function attachmentsOf(item: XmlElement, base: string): Attachment[] {
  const duration = secondsIn(firstValue(item, "itunes:duration"));
  const enclosed = enclosures(item).flatMap(each =>
    attachment(addressOf(each), attributeOf(each, "type"), base, {
      title: attributeOf(each, "title"),
      size_in_bytes: numberIn(attributeOf(each, "length")),
      duration_in_seconds: each.name === "enclosure" ? duration : undefined,
    }),
  );
  const shown = mediaContents(item).flatMap(each =>
    attachment(attributeOf(each, "url"), mediaType(each), base, {
      title: lineOf(childrenOf(each, "media:title")[0]),
      alt: plainOf(childrenOf(each, "media:description")[0]),
      size_in_bytes: numberIn(attributeOf(each, "filesize")),
      duration_in_seconds: numberIn(attributeOf(each, "duration")),
    }),
  );
  const magnets = magnetsOf(item).flatMap(link => attachment(link, undefined, base));
  // Some feeds repeat an enclosure as media content, with fewer details.
  return distinct([...enclosed, ...magnets, ...shown], ({ url }) => url, maxAttachments);
}

/** The item's own picture. */
export function imageOf(item: XmlElement, base: string): string | undefined {
  const contents = mediaContents(item);
  const parents = [item, ...childrenOf(item, "media:group"), ...contents];
  const thumbnails = parents.flatMap(parent => childrenOf(parent, "media:thumbnail"));
  const linked = childrenOf(item, "itunes:link", "link").filter(each => attributeOf(each, "rel") === "image");
  const candidates = [
    ...[...childrenOf(item, "itunes:image"), ...linked].map(
      each => attributeOf(each, "href", "url") ?? textOf(each),
    ),
    ...[...contents.filter(isPicture), ...thumbnails, ...enclosures(item).filter(isPicture)].map(each =>
      attributeOf(each, "url", "href"),
    ),
  ];
  return candidates.map(url => absoluteUrl(url, base)).find(url => url !== undefined);
}

function isPicture(each: XmlElement): boolean {
  return attributeOf(each, "medium") === "image" || attributeOf(each, "type")?.startsWith("image/") === true;
}

function enclosures(item: XmlElement): XmlElement[] {
  const links = childrenOf(item, "link", "atom:link").filter(
    each => attributeOf(each, "rel") === "enclosure",
  );
  return [...childrenOf(item, "enclosure"), ...links];
}

/** Torrents that are an item's link instead of an enclosure. */
function magnetsOf(item: XmlElement): string[] {
  const links = childrenOf(item, "link", "atom:link").filter(
    each => attributeOf(each, "rel") !== "enclosure",
  );
  const written = [...links, ...childrenOf(item, "torrent:magneturi")].flatMap(each => addressOf(each) ?? []);
  return written.filter(isMagnet);
}

function mediaContents(item: XmlElement): XmlElement[] {
  return [item, ...childrenOf(item, "media:group")].flatMap(parent => childrenOf(parent, "media:content"));
}

function mediaType(content: XmlElement): string | undefined {
  const medium = attributeOf(content, "medium");
  return attributeOf(content, "type") ?? (medium === undefined ? undefined : `${medium}/*`);
}

export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** Seconds of `3723`, `62:03` or `1:02:03`. */
function secondsIn(text: string | undefined): number | undefined {
  const parts = text?.split(":").map(part => numberIn(part.trim())) ?? [];
  if (parts.length === 0 || parts.length > 3) return undefined;
  return parts.reduce<number | undefined>(
    (sum, part) => (sum === undefined || part === undefined ? undefined : sum * 60 + part),
    0,
  );
}

type Details = { [name in keyof Attachment]?: Attachment[name] | undefined };

/** Whether an address is that of a torrent (BEP 9), which leads to no host. */
export function isMagnet(link: string | undefined): link is string {
  return link !== undefined && /^\s*magnet:\?/i.test(link);
}

/** JSON Feed 1.1 requires a media type; without one, the extension of the file decides. */
export function attachment(
  link: string | undefined,
  type: string | undefined,
  base: string,
  details: Details = {},
): Attachment[] {
  const url = isMagnet(link) ? URL.parse(link)?.href : absoluteUrl(link, base);
  if (url === undefined) return [];
  const known = Object.entries(details).filter(
    ([, value]) => value !== undefined && value !== "" && !(typeof value === "number" && value <= 0),
  );
  return [{ url, mime_type: type?.includes("/") ? type : typeByName(url), ...Object.fromEntries(known) }];
}

const types: Record<string, string> = {
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  mp4: "video/mp4",
  webm: "video/webm",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
  torrent: "application/x-bittorrent",
};

function typeByName(url: string): string {
  const name = isMagnet(url) ? ".torrent" : new URL(url).pathname;
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return types[ending] ?? "application/octet-stream";
}

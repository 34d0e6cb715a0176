import type { ItunesNs, MediaNs } from "feedsmith";
import { absoluteUrl } from "./absolute.ts";
import type { Attachment } from "./feed.ts";
import { toLine } from "./feed-text.ts";
import { distinct } from "./item.ts";

interface Enclosure {
  url?: string;
  length?: number;
  type?: string;
}

/** What RSS, Media RSS and the podcast namespaces attach to an item. */
export interface MediaParts {
  enclosures?: Enclosure[];
  media?: MediaNs.ItemOrFeed;
  itunes?: ItunesNs.Item;
}

/** Enclosures first, then media contents that are not among them. */
export function attachmentsOf({ enclosures = [], media, itunes }: MediaParts, base: string): Attachment[] {
  const enclosed = enclosures.flatMap(({ url, type, length }) =>
    attachment(url, type, base, { size_in_bytes: length, duration_in_seconds: itunes?.duration }),
  );
  const contents = [
    ...(media?.contents ?? []),
    ...(media?.groups ?? []).flatMap(group => group.contents ?? []),
  ];
  const shown = contents.flatMap(({ url, type, medium, fileSize, duration, title }) =>
    attachment(url, type ?? (medium === undefined ? undefined : `${medium}/*`), base, {
      title: toLine(title?.value),
      size_in_bytes: fileSize,
      duration_in_seconds: duration,
    }),
  );
  // Some feeds repeat an enclosure as media content, with less said about it.
  return distinct([...enclosed, ...shown], ({ url }) => url);
}

/** The item's own picture. */
export function imageOf({ enclosures = [], media, itunes }: MediaParts, base: string): string | undefined {
  const contents = [
    ...(media?.contents ?? []),
    ...(media?.groups ?? []).flatMap(group => group.contents ?? []),
  ];
  const thumbnails = [media, ...(media?.groups ?? []), ...contents].flatMap(each => each?.thumbnails ?? []);
  const pictures = contents.filter(({ type, medium }) => medium === "image" || type?.startsWith("image/"));
  const enclosed = enclosures.filter(({ type }) => type?.startsWith("image/"));
  const candidates = [itunes?.image, ...[...pictures, ...thumbnails, ...enclosed].map(({ url }) => url)];
  return candidates.map(url => absoluteUrl(url, base)).find(url => url !== undefined);
}

type Details = { [name in keyof Attachment]?: Attachment[name] | undefined };

/** JSON Feed 1.1 asks for a media type; where none is told the name's ending decides. */
export function attachment(
  link: string | undefined,
  type: string | undefined,
  base: string,
  details: Details = {},
): Attachment[] {
  const url = absoluteUrl(link, base);
  if (url === undefined) return [];
  const told = Object.entries(details).filter(
    ([, value]) => value !== undefined && value !== "" && !(typeof value === "number" && value <= 0),
  );
  return [{ url, mime_type: type?.includes("/") ? type : typeByName(url), ...Object.fromEntries(told) }];
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
};

function typeByName(url: string): string {
  const ending = /\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? "";
  return types[ending] ?? "application/octet-stream";
}

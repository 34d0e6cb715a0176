import { present } from "../json/fields.ts";
import { changeTrackingOf, type PageChanges } from "./change-tracking.ts";

/** A page as Firecrawl's clients read it. Both versions have one form; only v1 uses `extract`. */
export interface Document {
  markdown?: string;
  metadata: Record<string, unknown>;
  [name: string]: unknown;
}

/** A page as Magpie has it; of one that failed only the little that is known. */
export interface PageData {
  markdown?: string;
  html?: string;
  raw_html?: string;
  links?: string[];
  images?: string[];
  summary?: string;
  json?: Record<string, unknown>;
  changes?: PageChanges;
  screenshot?: string;
  actions?: { screenshots: string[] };
  metadata: {
    title?: string;
    status_code?: number;
    final_url?: string;
    source_url?: string;
    description?: string | null;
    language?: string | null;
    keywords?: string[] | null;
    robots?: string | null;
    author?: string | null;
    favicon?: string | null;
    published_time?: string | null;
    modified_time?: string | null;
    content_type?: string;
    og?: Record<string, string>;
    cached_at?: string;
    warning?: string;
  };
}

interface From {
  /** The URL as the client asked for it, where the page does not say. */
  sourceUrl?: string;
  scrapeId?: string;
  /** The address of a picture, by its key. */
  pictures?: ReadonlyMap<string, string>;
  /** v1 calls JSON so where it was asked for by this name. */
  asExtract?: boolean;
}

/** Keys of the pictures in pages. */
export function pictureKeys(pages: PageData[]): string[] {
  return pages.flatMap(({ screenshot, actions }) => [
    ...(screenshot ? [screenshot] : []),
    ...(actions?.screenshots ?? []),
  ]);
}

export function documentOf(
  data: PageData,
  { sourceUrl, scrapeId, pictures, asExtract = false }: From = {},
): Document {
  const picture = (key: string) => pictures?.get(key) ?? key;
  return {
    ...present({
      markdown: data.markdown,
      html: data.html,
      rawHtml: data.raw_html,
      links: data.links,
      images: data.images,
      summary: data.summary,
      [asExtract ? "extract" : "json"]: data.json,
      changeTracking: data.changes && changeTrackingOf(data.changes),
      screenshot: data.screenshot === undefined ? undefined : picture(data.screenshot),
      actions: actionsOf(data, picture),
      warning: data.metadata.warning,
    }),
    metadata: metadataOf(data.metadata, sourceUrl, scrapeId),
  };
}

/** Magpie has no scripts of users and no PDF of pages; clients expect the lists. */
function actionsOf({ actions }: PageData, picture: (key: string) => string): unknown {
  return (
    actions && { screenshots: actions.screenshots.map(picture), scrapes: [], javascriptReturns: [], pdfs: [] }
  );
}

/** The reason phrases of answers that pages give (RFC 9110). */
const reasons: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  410: "Gone",
  429: "Too Many Requests",
  451: "Unavailable For Legal Reasons",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

function metadataOf(
  metadata: PageData["metadata"],
  sourceUrl: string | undefined,
  scrapeId: string | undefined,
) {
  const status = metadata.status_code;
  return present({
    ...openGraphOf(metadata.og ?? {}),
    title: metadata.title,
    description: metadata.description ?? undefined,
    language: metadata.language ?? undefined,
    // A list in one of their clients, a text in the others; all of them read a text.
    keywords: metadata.keywords?.join(", "),
    robots: metadata.robots ?? undefined,
    author: metadata.author ?? undefined,
    favicon: metadata.favicon ?? undefined,
    publishedTime: metadata.published_time ?? undefined,
    modifiedTime: metadata.modified_time ?? undefined,
    sourceURL: metadata.source_url ?? sourceUrl ?? metadata.final_url,
    url: metadata.final_url,
    statusCode: status,
    contentType: metadata.content_type,
    error: status !== undefined && status >= 400 ? (reasons[status] ?? String(status)) : undefined,
    scrapeId,
    proxyUsed: "basic",
    cacheState: metadata.cached_at === undefined ? "miss" : "hit",
    cachedAt: metadata.cached_at,
    creditsUsed: 1,
  });
}

/** `site_name` becomes `ogSiteName`. */
function openGraphOf(og: Record<string, string>): Record<string, string> {
  const camel = (name: string) =>
    `og${name.replace(/(?:^|[:_-])(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  const known = Object.entries(og).map(([name, value]): [string, string | string[]] => [camel(name), value]);
  // Clients expect this field as a list.
  return Object.fromEntries(
    known.map(([name, value]) => [name, name === "ogLocaleAlternate" ? [value].flat() : value]),
  ) as Record<string, string>;
}

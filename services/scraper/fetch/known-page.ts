import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import type { KnownPage } from "../../contracts/page-reads.contract.ts";
import type { Use } from "../../domain/crawl/content-usage.ts";
import { noiseRules } from "../../domain/page-diff/noise.ts";
import type { FetchedPage, FetchOptions } from "./fetch-page.ts";

const { version } = createRequire(import.meta.url)("../../../package.json") as { version: string };

/** The rules by which pages are read and views taken. After an update each page is read once more. */
const rules = `${version} ${noiseRules}`;

/** Headers by which an answer is told from a bot wall (`reader/page/detect-wall.ts`). */
const wallHeaders = ["cf-mitigated", "x-amzn-waf-action"];

/** A header that is longer is a mistake, and every poll would send it. */
const maxLength = 1024;

/** What tells at the next visit that a page is unchanged. Only a page that was read as it was sent can be known so. */
export function knownPage(fetched: FetchedPage, uses?: readonly Use[]): KnownPage {
  const fingerprint = [fingerprintOf(fetched), ...(uses ?? [])].join(" ");
  return { url: fetched.finalUrl, fingerprint, ...validators(fetched.headers) };
}

/** Whether it was read for these uses: what the page itself says of others is not known. */
export function isKnownFor(uses: readonly Use[] = [], { fingerprint }: KnownPage): boolean {
  return fingerprint.split(" ").slice(1).join() === uses.join();
}

/** The page as it was known, with its newest validators, where the answer shows that it is unchanged; else undefined. */
export function stillKnown(
  known: KnownPage,
  fetched: FetchedPage,
  uses?: readonly Use[],
): KnownPage | undefined {
  if (fetched.finalUrl !== known.url) return undefined;
  // A 304 may carry newer validators than the request did. Without a question it is no answer.
  if (fetched.status === 304 && conditionsOf(known)) return { ...known, ...validators(fetched.headers) };
  if (fetched.status < 200 || fetched.status > 299) return undefined;
  const now = knownPage(fetched, uses);
  return now.fingerprint === known.fingerprint ? now : undefined;
}

/** The conditions of a request for a known page; undefined for one without validators. */
export function conditionsOf({ url, etag, lastModified }: KnownPage): FetchOptions["conditions"] {
  if (etag === undefined && lastModified === undefined) return undefined;
  const headers = {
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
  return { url, headers };
}

/** All that a page's reading depends on. Its status and address decide what a login form or an error page is. */
function fingerprintOf({ body, contentType, status, finalUrl, redirects, headers }: FetchedPage): string {
  const walls = wallHeaders.map(name => headers[name] ?? null);
  return createHash("sha256")
    .update(JSON.stringify([rules, status, contentType, redirects[0] ?? finalUrl, finalUrl, walls]))
    .update(body)
    .digest("base64url");
}

/** The validators of an answer (RFC 9110, 8.8). */
function validators(headers: Record<string, string>): Pick<KnownPage, "etag" | "lastModified"> {
  const { etag = "", "last-modified": lastModified = "" } = headers;
  return {
    ...(isSendable(etag) && { etag }),
    ...(isSendable(lastModified) && { lastModified }),
  };
}

function isSendable(value: string): boolean {
  return value !== "" && value.length <= maxLength && /^[\x20-\x7e]+$/.test(value);
}

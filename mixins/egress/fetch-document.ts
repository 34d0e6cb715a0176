import { CookieJar } from "tough-cookie";
import type { Dispatcher } from "undici";
import { fail } from "../../services/contracts/errors.ts";
import { untilAborted } from "../async/timeout.ts";
import type { Egress } from "./egress.ts";
import { fetchFailure, fetchHop, joinHeaders, readOff } from "./fetch-hop.ts";
import { programAgent } from "./identity.ts";
import { readBody, unpacked } from "./read-body.ts";

export interface FetchedDocument {
  status: number;
  /** The final address. */
  url: string;
  /** Where the next fetch starts: the last address that permanent redirects alone led to (RFC 9110, 15.4). */
  canonicalUrl: string;
  /** Lower-case names; several values are joined by a comma. */
  headers: Record<string, string>;
  contentType: string;
  /** Without content codings, and gzip that is not declared, up to 10 MB; empty unless the status is 2xx. */
  body: Buffer;
}

/**
 * Fetches a document of at most `maxBytes`, 10 MB by default. Throws as the scraper's fetch does; `target_unreachable`
 * when it takes more than 30 s.
 */
export type FetchDocument = (
  url: string,
  headers?: Record<string, string>,
  maxBytes?: number,
) => Promise<FetchedDocument>;

export interface FetchTools {
  egress: Egress;
  /** Ends the fetch when the service stops, and after its deadline. */
  signal: AbortSignal;
  maxBytes?: number | undefined;
  /** Headers with lower-case names for the origin of the URL alone: a redirect to another site does not get them. */
  secretHeaders?: Record<string, string>;
}

const maxRedirects = 5;
const usualBytes = 10 * 1024 * 1024;
const permanentStatuses = new Set([301, 308]);

const ownHeaders = {
  "user-agent": programAgent,
  accept:
    "application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, text/html;q=0.8, */*;q=0.5",
  "accept-encoding": "gzip, br, deflate",
};

export async function fetchDocument(
  url: string,
  headers: Record<string, string>,
  tools: FetchTools,
): Promise<FetchedDocument> {
  const first = tools.egress.admit(url);
  first.hash = "";
  try {
    return await follow(first, { ...ownHeaders, ...headers }, tools);
  } catch (error) {
    const failure = fetchFailure(error, tools.signal);
    if ((failure as Error).name !== "TimeoutError") throw failure;
    throw fail("target_unreachable", "The site did not answer in time.", {}, error);
  }
}

async function follow(
  first: URL,
  headers: Record<string, string>,
  { egress, signal, maxBytes = usualBytes, secretHeaders = {} }: FetchTools,
): Promise<FetchedDocument> {
  let canonicalUrl = first.href;
  let isMoved = true;
  let url = first;
  // Some servers answer only who brings back the cookie that their redirect to the same address has set.
  const cookies = new CookieJar();
  // Lookups count against the host, since many keys may want the document.
  const dispatcher = egress.agent({ tenant: first.hostname });
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const own = url.origin === first.origin ? { ...headers, ...secretHeaders } : headers;
    const cookie = [own.cookie, cookies.getCookieStringSync(url.href)].filter(Boolean).join("; ");
    const sent = cookie === "" ? own : { ...own, cookie };
    const isRedirect = hop > 0;
    const { response, next } = await fetchHop(url, { dispatcher, headers: sent, signal, isRedirect });
    if (!next) return await toDocument({ url, canonicalUrl }, response, maxBytes, signal);
    for (const value of [response.headers["set-cookie"] ?? []].flat())
      cookies.setCookieSync(value, url.href, { ignoreError: true });
    next.hash = "";
    url = egress.admit(next.href, { subject: "redirect" });
    isMoved &&= permanentStatuses.has(response.statusCode);
    if (isMoved) canonicalUrl = url.href;
  }
  throw fail("upstream_error", "The site redirects in a loop or too many times.");
}

async function toDocument(
  { url, canonicalUrl }: { url: URL; canonicalUrl: string },
  response: Dispatcher.ResponseData,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FetchedDocument> {
  const { statusCode: status } = response;
  const isGood = status >= 200 && status < 300;
  if (!isGood) await readOff(response, signal);
  return {
    status,
    url: url.href,
    canonicalUrl,
    headers: joinHeaders(response.headers),
    contentType: [response.headers["content-type"]].flat()[0] ?? "",
    body: isGood
      ? await untilAborted(
          readBody(response, maxBytes).then(body => unpacked(body, Math.min(maxBytes, usualBytes))),
          signal,
        )
      : Buffer.alloc(0),
  };
}

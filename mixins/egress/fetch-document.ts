import { type Dispatcher, request } from "undici";
import { fail } from "../../services/contracts/errors.ts";
import { maxUrlLength } from "../../services/domain/url/admit-url.ts";
import type { Egress } from "./egress.ts";
import { fetchFailure, isStaleConnection } from "./fetch-failure.ts";
import { readBody } from "./read-body.ts";

export interface FetchedDocument {
  status: number;
  /** Where it was found in the end. */
  url: string;
  /** Where the next fetch is to begin: the last address that permanent redirects alone led to (RFC 9110, 15.4). */
  canonicalUrl: string;
  /** Lower-case names; several values are joined by a comma. */
  headers: Record<string, string>;
  contentType: string;
  /** Without content codings; empty unless the status is 2xx. */
  body: Buffer;
}

/** Gets a document. Throws as the scraper's fetch does; `target_unreachable` when it takes more than 30 s. */
export type FetchDocument = (url: string, headers?: Record<string, string>) => Promise<FetchedDocument>;

export interface FetchTools {
  egress: Egress;
  /** Ends the fetch when the room closes, and after its deadline. */
  signal: AbortSignal;
}

const maxRedirects = 5;
const maxBytes = 10 * 1024 * 1024;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const permanentStatuses = new Set([301, 308]);

const ownHeaders = {
  "user-agent": "Mozilla/5.0 (compatible; Magpie/0.1; feed reader)",
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
  tools: FetchTools,
): Promise<FetchedDocument> {
  let canonicalUrl = first.href;
  let isMoved = true;
  let url = first;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const response = await send(url, headers, tools);
    const next = redirectTarget(url, response, tools);
    if (next === undefined) return await toDocument(url, canonicalUrl, response, tools);
    await untilAborted(response.body.dump({ limit: 64 * 1024 }), tools.signal);
    isMoved &&= permanentStatuses.has(response.statusCode);
    if (isMoved) canonicalUrl = next.href;
    url = next;
  }
  throw fail("upstream_error", "The site redirects in a loop or too many times.");
}

async function send(
  url: URL,
  headers: Record<string, string>,
  { egress, signal }: FetchTools,
): Promise<Dispatcher.ResponseData> {
  // undici heeds the signal only once it is connected.
  const get = () => untilAborted(request(url, { dispatcher: egress.agent(), headers, signal }), signal);
  return get().catch(error => {
    if (isStaleConnection(error)) return get();
    throw error;
  });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function redirectTarget(
  from: URL,
  { statusCode, headers }: Dispatcher.ResponseData,
  { egress }: FetchTools,
): URL | undefined {
  const location = [headers.location].flat()[0];
  if (!redirectStatuses.has(statusCode) || location === undefined) return undefined;
  // Header bytes come as Latin-1; servers write UTF-8.
  const target = URL.parse(Buffer.from(location, "latin1").toString(), from);
  if (!target || target.href.length > maxUrlLength)
    throw fail("upstream_error", "The site redirects to what is not a URL, or to one that is too long.");
  target.hash = "";
  return egress.admit(target.href);
}

async function toDocument(
  url: URL,
  canonicalUrl: string,
  response: Dispatcher.ResponseData,
  { signal }: FetchTools,
): Promise<FetchedDocument> {
  const { statusCode: status } = response;
  const isGood = status >= 200 && status < 300;
  if (!isGood) await untilAborted(response.body.dump({ limit: 64 * 1024 }), signal);
  const entries = Object.entries(response.headers).map(([name, value]) => [
    name,
    [value ?? []].flat().join(", "),
  ]);
  return {
    status,
    url: url.href,
    canonicalUrl,
    headers: Object.fromEntries(entries) as Record<string, string>,
    contentType: [response.headers["content-type"]].flat()[0] ?? "",
    body: isGood ? await untilAborted(readBody(response, maxBytes), signal) : Buffer.alloc(0),
  };
}

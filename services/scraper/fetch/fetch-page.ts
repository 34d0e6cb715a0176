import type { Dispatcher } from "undici";
import { untilAborted } from "../../../mixins/deadline/until-aborted.ts";
import type { Egress } from "../../../mixins/egress/egress.ts";
import { fetchFailure } from "../../../mixins/egress/fetch-failure.ts";
import { fetchHop } from "../../../mixins/egress/fetch-hop.ts";
import { joinHeaders } from "../../../mixins/egress/join-headers.ts";
import { readBody } from "../../../mixins/egress/read-body.ts";
import { fail } from "../../contracts/errors.ts";
import type { Cookie } from "../../contracts/page-options.ts";
import { type CookieStore, createCookieStore } from "./cookie-store.ts";
import { headersForHop } from "./headers-for-hop.ts";

export interface FetchedPage {
  status: number;
  finalUrl: string;
  /** The URLs that redirected on, in order; empty when the first one answered. */
  redirects: string[];
  /** Lower-case names; several values are joined by a comma. Cookies stand in `setCookies`. */
  headers: Record<string, string>;
  /** As the server sent it; "" when it did not. */
  contentType: string;
  /** Without content codings. */
  body: Buffer;
  /** `Set-Cookie` values of all hops with the URL that set each. */
  setCookies: { url: string; value: string }[];
}

export interface FetchOptions {
  egress: Egress;
  /** Browser-like ones go with every hop; all others to the first URL's origin only. */
  headers: Record<string, string>;
  /** A map is for the first URL's own host. */
  cookies?: Cookie[] | Record<string, string>;
  signal: AbortSignal;
  /** Bound of the body, both as it is sent and decoded. */
  maxBytes: number;
  skipTlsVerification: boolean;
  proxyUrl?: string;
}

const maxRedirects = 10;

/** Where a server leads to. */
export interface Redirect {
  redirect: string;
}

/**
 * Gets a page over HTTP/1.1, following redirects; every hop is admitted and vetted. Throws `invalid_url`,
 * `url_not_allowed`, `target_unreachable`, `tls_error`, `upstream_error`, or the signal's reason.
 */
export async function fetchPage(url: string, options: FetchOptions): Promise<FetchedPage> {
  return await begin<never>(url, options, () => null);
}

/**
 * As `fetchPage`, but where the server leads to another page, that is told in place of going there. A page may lead to
 * itself, once it has set a cookie or in another spelling.
 */
export async function fetchOnePage(
  url: string,
  options: FetchOptions,
  isSamePage: (url: string, other: string) => boolean,
): Promise<FetchedPage | Redirect> {
  const leave = (from: URL, to: URL) =>
    isSamePage(from.href, to.href) ? null : { redirect: to.href.replace(/#.*$/s, "") };
  return await begin(url, options, leave);
}

/** What is told in place of going from one URL to another; null: go there. */
type Leave<Told> = (from: URL, to: URL) => Told | null;

async function begin<Told>(
  url: string,
  options: FetchOptions,
  leave: Leave<Told>,
): Promise<FetchedPage | Told> {
  const first = options.egress.admit(url);
  const cookies = createCookieStore(options.cookies, first);
  try {
    return await follow(first, cookies, options, leave);
  } catch (error) {
    throw fetchFailure(error, options.signal);
  }
}

async function follow<Told>(
  first: URL,
  cookies: CookieStore,
  options: FetchOptions,
  leave: Leave<Told>,
): Promise<FetchedPage | Told> {
  const { egress, signal, skipTlsVerification, proxyUrl } = options;
  const dispatcher = egress.agent({ skipTlsVerification, proxyUrl });
  const redirects: string[] = [];
  const seen = new Set<string>();
  for (let url = first; ; ) {
    const headers = headersForHop(options.headers, first, url, cookies);
    const { response, next } = await fetchHop(url, { dispatcher, headers, signal });
    cookies.keep(url, response.headers["set-cookie"]);
    if (!next) return toPage(url, response, redirects, cookies, options);
    const target = egress.admit(next.href);
    const told = leave(url, target);
    if (told) return told;
    // A page may well redirect to itself once it has set a cookie.
    seen.add(`${url.href} ${headers.cookie ?? ""}`);
    redirects.push(url.href);
    url = target;
    if (redirects.length > maxRedirects || seen.has(`${url.href} ${cookies.header(url)}`))
      throw fail("upstream_error", "The page redirects in a loop or too many times.");
  }
}

async function toPage(
  url: URL,
  response: Dispatcher.ResponseData,
  redirects: string[],
  cookies: CookieStore,
  { maxBytes, signal }: FetchOptions,
): Promise<FetchedPage> {
  const { "set-cookie": _, ...headers } = response.headers;
  return {
    status: response.statusCode,
    finalUrl: url.href,
    redirects,
    headers: joinHeaders(headers),
    contentType: [headers["content-type"]].flat()[0] ?? "",
    body: await untilAborted(readBody(response, maxBytes), signal),
    setCookies: cookies.received,
  };
}

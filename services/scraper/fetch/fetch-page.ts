import { CookieJar, Cookie as JarCookie } from "tough-cookie";
import type { Dispatcher } from "undici";
import { untilAborted } from "../../../mixins/async/timeout.ts";
import type { Egress } from "../../../mixins/egress/egress.ts";
import { fetchFailure, fetchHop, joinHeaders } from "../../../mixins/egress/fetch-hop.ts";
import { cutOff, readBody } from "../../../mixins/egress/read-body.ts";
import { fail } from "../../contracts/errors.ts";
import type { Cookie } from "../../contracts/page-options.ts";
import type { Posted } from "../../contracts/page-reads.contract.ts";
import { admitStart, admitType } from "../extract/admit-type.ts";
import { addTo, type VisitJar } from "../sessions/jar.ts";
import { refreshTarget } from "./refresh-target.ts";

export interface FetchedPage {
  status: number;
  finalUrl: string;
  /** The URLs that redirected, in order; empty if the first one answered. */
  redirects: string[];
  /** The last address that permanent redirects alone led to (RFC 9110, 15.4); the first URL without any. */
  permanentUrl?: string;
  /** Lower-case names; several values are joined by a comma. Cookies are in `setCookies`. */
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
  /** Name lookups are counted against this tenant. */
  tenant?: string;
  /** Headers that every browser sends go with every hop; all others to the first URL's origin only. */
  headers: Record<string, string>;
  /** A map holds cookies for the host of the first URL. */
  cookies?: Cookie[] | Record<string, string>;
  /** The jar of the session: its cookies go with each hop at its site, and it takes what is set there. */
  jar?: VisitJar | undefined;
  /** Asks the first URL by POST; redirects keep that only within its origin. */
  post?: Posted | undefined;
  signal: AbortSignal;
  /** Limit of the body, both encoded and decoded. */
  maxBytes: number;
  skipTlsVerification: boolean;
  proxyUrl?: string;
  /** Conditions (RFC 9110, 13.1) for one address: validators are those of what was found there. */
  conditions?: { url: string; headers: Record<string, string> };
}

const maxRedirects = 10;
const permanentStatuses = new Set([301, 308]);

/** A redirect to another page. */
export interface Redirect {
  redirect: string;
}

/**
 * Fetches a page over HTTP/1.1 and follows redirects, also those of a page that leads on by itself (`refreshTarget`). The guard checks the URL and the address of every hop. Throws
 * `invalid_url`, `url_not_allowed`, `target_unreachable`, `tls_error`, `upstream_error`, `unsupported_media_type` before the
 * body of what is no page is read, or the signal's reason.
 */
export async function fetchPage(url: string, options: FetchOptions): Promise<FetchedPage> {
  return await begin<never>(url, options, () => null);
}

/**
 * Like `fetchPage`, but returns a redirect to another page instead of following it. A page may redirect to itself, to
 * set a cookie or in another spelling of its URL.
 */
export async function fetchOnePage(
  url: string,
  options: FetchOptions,
  isSamePage: (url: string, other: string) => boolean,
): Promise<FetchedPage | Redirect> {
  const stopAt = (from: URL, to: URL) =>
    isSamePage(from.href, to.href) ? null : { redirect: to.href.replace(/#.*$/s, "") };
  return await begin(url, options, stopAt);
}

/** What to return instead of following a redirect; null: follow it. */
type StopAt<Result> = (from: URL, to: URL) => Result | null;

async function begin<Result>(
  url: string,
  options: FetchOptions,
  stopAt: StopAt<Result>,
): Promise<FetchedPage | Result> {
  const first = options.egress.admit(url);
  const cookies = createCookieStore(options, first);
  try {
    return await follow(first, cookies, options, stopAt);
  } catch (error) {
    throw fetchFailure(error, options.signal);
  }
}

async function follow<Result>(
  first: URL,
  cookies: CookieStore,
  options: FetchOptions,
  stopAt: StopAt<Result>,
): Promise<FetchedPage | Result> {
  const { egress, tenant, signal, skipTlsVerification, proxyUrl } = options;
  const dispatcher = egress.agent({ tenant, skipTlsVerification, proxyUrl });
  const redirects: string[] = [];
  const seen = new Set<string>();
  let [permanentUrl, isPermanent] = [first.href, true];
  let { post } = options;
  for (let url = first; ; ) {
    const headers = headersForHop({ ...options, sent: post }, first, url, cookies);
    const { response, next } = await fetchHop(url, {
      dispatcher,
      headers,
      signal,
      isRedirect: redirects.length > 0,
      post,
    });
    cookies.keep(url, response.headers["set-cookie"]);
    let to = next;
    if (!to) {
      const page = await toPage(url, response, { redirects, permanentUrl }, cookies, options);
      to = ledOn(page);
      if (!to) return page;
    }
    const target = egress.admit(to.href, { subject: next ? "redirect" : "page" });
    const result = stopAt(url, target);
    if (result) return result;
    // A page may redirect to itself after it has set a cookie, or has taken what was posted.
    seen.add(`${post ? "POST " : ""}${url.href} ${headers.cookie ?? ""}`);
    redirects.push(url.href);
    isPermanent &&= next !== undefined && permanentStatuses.has(response.statusCode);
    if (isPermanent) permanentUrl = target.href;
    post = next && post && keptPost(post, response.statusCode, url, target);
    url = target;
    if (
      redirects.length > maxRedirects ||
      seen.has(`${post ? "POST " : ""}${url.href} ${cookies.header(url)}`)
    )
      throw fail("upstream_error", "The page redirects in a loop or too many times.");
  }
}

/**
 * What is posted after a redirect: the same after a 307 or 308, else nothing, by GET (Fetch standard, "HTTP-redirect fetch").
 * A body is for its own origin; another one would be asked for something else than what was wanted.
 */
function keptPost(post: Posted, status: number, from: URL, to: URL): Posted | undefined {
  if (status !== 307 && status !== 308) return undefined;
  if (from.origin === to.origin) return post;
  throw fail(
    "upstream_error",
    `The site redirects a POST to ${to.origin}, where its body is not sent. Name that address itself.`,
  );
}

/** Where a page leads by itself; undefined where that is a circle: then the page itself is what there is. */
function ledOn(page: FetchedPage): URL | undefined {
  const { redirects } = page;
  const target = redirects.length < maxRedirects ? refreshTarget(page) : undefined;
  return target && redirects.includes(target.href) ? undefined : target;
}

async function toPage(
  url: URL,
  response: Dispatcher.ResponseData,
  way: Pick<FetchedPage, "redirects" | "permanentUrl">,
  cookies: CookieStore,
  { maxBytes, signal }: FetchOptions,
): Promise<FetchedPage> {
  const { "set-cookie": _, ...headers } = response.headers;
  const contentType = admittedType(response, maxBytes);
  const inspect = (start: Buffer) => admitStart(contentType, start, url.href);
  return {
    status: response.statusCode,
    finalUrl: url.href,
    ...way,
    headers: joinHeaders(headers),
    contentType,
    body: await untilAborted(readBody(response, maxBytes, inspect), signal),
    setCookies: cookies.received,
  };
}

/** The declared type. Closes the connection to what is no page. */
function admittedType({ headers, body }: Dispatcher.ResponseData, maxBytes: number): string {
  const contentType = [headers["content-type"]].flat()[0] ?? "";
  try {
    admitType(contentType, Number(headers["content-length"]) > maxBytes);
  } catch (error) {
    cutOff(body);
    throw error;
  }
  return contentType;
}

// What every browser sends to every site. Any other header comes from the user and may be a secret for one site.
const forEveryone =
  /^(accept|accept-language|user-agent|dnt|priority|upgrade-insecure-requests|sec-(ch-ua.*|fetch-.*|gpc))$/;

export function isForEveryone(header: string): boolean {
  return forEveryone.test(header.toLowerCase());
}

// What a body has says nothing of a request without one (Fetch standard, "request-body-header name").
const ofBody = /^content-(encoding|language|location|type)$/;

/** The headers of one hop. Those of the user go to the origin of the first URL only. */
function headersForHop(
  { headers: given, conditions, post, sent }: FetchOptions & { sent: Posted | undefined },
  first: URL,
  hop: URL,
  cookies: CookieStore,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (post && !sent && ofBody.test(key)) continue;
    if (hop.origin === first.origin || isForEveryone(key)) headers[key] = value;
  }
  if (sent?.contentType !== undefined) headers["content-type"] ??= sent.contentType;
  const cookie = [headers.cookie ?? "", cookies.header(hop)].filter(part => part !== "").join("; ");
  if (cookie !== "") headers.cookie = cookie;
  // The codings that are decoded here, whatever the user asked for.
  headers["accept-encoding"] = "gzip, deflate, br, zstd";
  return conditions?.url === hop.href ? { ...headers, ...conditions.headers } : headers;
}

/** The cookies of one fetch: those of the request, and those set by the servers on the way (RFC 6265bis). */
interface CookieStore {
  /** The `Cookie` header for a URL; "" for none. */
  header(url: URL): string;
  keep(url: URL, setCookie: string | string[] | undefined): void;
  /** Every `Set-Cookie` value with the URL that set it, valid or not. */
  readonly received: { url: string; value: string }[];
}

function createCookieStore(
  { cookies: given = [], jar: kept }: Pick<FetchOptions, "cookies" | "jar">,
  first: URL,
): CookieStore {
  // Most pages set none.
  let jar: CookieJar | undefined;
  const received: CookieStore["received"] = [];
  const opened = () => (jar ??= new CookieJar());
  for (const cookie of kept?.cookies ?? []) addTo(opened(), cookie);
  for (const cookie of asList(given)) addGiven(opened(), cookie, first);
  return {
    header: url => jar?.getCookieStringSync(url.href) ?? "",
    keep: (url, setCookie = []) => {
      kept?.receive(url.href, [setCookie].flat(), Date.now());
      for (const value of [setCookie].flat()) {
        received.push({ url: url.href, value });
        opened().setCookieSync(value, url.href, { ignoreError: true });
      }
    },
    received,
  };
}

function asList(given: Cookie[] | Record<string, string>): Cookie[] {
  return Array.isArray(given) ? given : Object.entries(given).map(([name, value]) => ({ name, value }));
}

// A cookie for another host is set as if by that host: a redirect there sends it.
function addGiven(jar: CookieJar, cookie: Cookie, first: URL): void {
  const domain = cookie.domain?.replace(/^\./, "").toLowerCase();
  const host = domain === undefined || isWithin(first.hostname, domain) ? first.hostname : domain;
  const path = cookie.path ?? "/";
  const kept = new JarCookie({
    key: cookie.name,
    value: cookie.value,
    path,
    ...(domain !== undefined && { domain }),
    ...(cookie.expires !== undefined && cookie.expires > 0 && { expires: new Date(cookie.expires * 1000) }),
    secure: cookie.secure ?? false,
    httpOnly: cookie.httpOnly ?? false,
  });
  const url = `${cookie.secure ? "https:" : first.protocol}//${host}${path}`;
  if (URL.canParse(url)) jar.setCookieSync(kept, url, { ignoreError: true });
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

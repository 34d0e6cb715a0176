import type { IncomingHttpHeaders } from "node:http";
import { sendsKey } from "../http/admission.ts";

/** What the rules of the cookie depend on. */
export interface CookieRequest {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
}

/** What a request's cookie comes to: a token that counts, or why it does not; neither where there is no cookie. */
export interface CookieReading {
  token?: string;
  refusal?: string;
}

const secureName = "__Host-magpie";
const plainName = "magpie";
/** What the names of a device's cookie have more than those of a session's. */
const ofDevice = "-device";
const csrfHeader = "x-magpie-csrf";

/**
 * The token of the session cookie, where it counts: never beside a key, only for requests that a page of this origin made,
 * and for writes only with the header `x-magpie-csrf`, which no form and no page of another origin can send.
 */
export function readSessionCookie(req: CookieRequest): CookieReading {
  const token = tokenOf(req.headers);
  if (token === undefined || hasKey(req.headers)) return {};
  const refusal = refusalOf(req);
  return refusal === undefined ? { token } : { refusal };
}

/** Why a cookie of this request does not count; undefined where it does. */
export function refusalOf({ method = "GET", headers }: CookieRequest): string | undefined {
  if (!isOwnPage(headers))
    return "The session cookie counts only in requests of a page of this origin (Sec-Fetch-Site: same-origin).";
  if (method !== "GET" && method !== "HEAD" && headers[csrfHeader] !== "1")
    return `With the session cookie a ${method} needs the header ${csrfHeader}: 1.`;
  return undefined;
}

/** Whether a page of another origin made the request. Programs send neither header. */
export function isForeignPage(headers: IncomingHttpHeaders): boolean {
  const names = headers["sec-fetch-site"] !== undefined || headers.origin !== undefined;
  return names && !isOwnPage(headers);
}

/** Tells by `Sec-Fetch-Site`, which pages cannot set (W3C Fetch Metadata), else by an equal `Origin`. */
function isOwnPage({ "sec-fetch-site": site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === "same-origin";
  return origin !== undefined && host !== undefined && hostOf(origin) === host.toLowerCase();
}

function hostOf(origin: string): string | undefined {
  const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return host?.toLowerCase();
}

function hasKey(headers: IncomingHttpHeaders): boolean {
  return sendsKey(headers) || headers["x-admin-key"] !== undefined;
}

/**
 * The cookie with the prefix first: only this host can have set it, over https. The one without counts where the browser
 * speaks to its own machine: elsewhere a page of a sibling domain, or anybody on the way, could have set it.
 */
function tokenOf({ cookie, host }: IncomingHttpHeaders, suffix = ""): string | undefined {
  const cookies = parseCookies(cookie ?? "");
  return cookies.get(secureName + suffix) ?? (isLoopback(host) ? cookies.get(plainName + suffix) : undefined);
}

/** The token of the cookie by which a device is known. It opens nothing, so it counts in any request. */
export function deviceToken(headers: IncomingHttpHeaders): string | undefined {
  return tokenOf(headers, ofDevice);
}

/** A name that comes twice has its first value, which belongs to the longer path or the older cookie (RFC 6265, 5.4). */
function parseCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name !== "" && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}

/** A host of this machine, by its name: browsers take `localhost` and names below it for loopback. */
function isLoopback(host = ""): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, "");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(name)
  );
}

/** Whether a browser would drop the cookie: the page came over plain http, and not from this machine. */
export function cannotKeepCookie({ origin }: IncomingHttpHeaders): boolean {
  return origin !== undefined && /^http:/i.test(origin) && !isLoopback(hostOf(origin));
}

/** The header `Set-Cookie` of a new session. */
export function sessionCookie(headers: IncomingHttpHeaders, token: string, maxAgeS: number): string {
  return `${attributes(headers, token)}; Max-Age=${maxAgeS}`;
}

/** The header `Set-Cookie` of a device where somebody has signed in. */
export function deviceCookie(headers: IncomingHttpHeaders, token: string, maxAgeS: number): string {
  return `${attributes(headers, token, ofDevice)}; Max-Age=${maxAgeS}`;
}

/** The header `Set-Cookie` that deletes the session's cookie. */
export function expiredCookie(headers: IncomingHttpHeaders): string {
  return `${attributes(headers, "")}; Max-Age=0`;
}

function attributes(headers: IncomingHttpHeaders, value: string, suffix = ""): string {
  const common = "Path=/; HttpOnly; SameSite=Strict";
  return isPlain(headers)
    ? `${plainName}${suffix}=${value}; ${common}`
    : `${secureName}${suffix}=${value}; Secure; ${common}`;
}

/** Over plain http on this machine. Behind a proxy that speaks https `Origin` says so, even where `Host` was replaced. */
function isPlain({ origin, host }: IncomingHttpHeaders): boolean {
  return origin === undefined ? isLoopback(host) : /^http:/i.test(origin) && isLoopback(hostOf(origin));
}

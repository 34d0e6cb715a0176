import { type Dispatcher, request } from "undici";
import { codeOf, fail } from "../../services/contracts/errors.ts";
import { maxUrlLength } from "../../services/domain/url/admit-url.ts";
import { untilAborted } from "../async/timeout.ts";
import { isStaleConnection } from "./connections.ts";
import { errorsIn, refusalOf } from "./egress.ts";

interface HopOptions {
  dispatcher: Dispatcher;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Whether a page led here. */
  isRedirect?: boolean;
}

interface Hop {
  response: Dispatcher.ResponseData;
  /** Where the server redirects to, not yet admitted; the response's body is then discarded. */
  next?: URL;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Requests one admitted URL. Throws `upstream_error` for a redirect to what is not a URL. */
export async function fetchHop(url: URL, options: HopOptions): Promise<Hop> {
  const response = await send(url, options).catch((error: unknown) => {
    throw refusalOf(error, options.isRedirect ? "redirect" : "url") ?? error;
  });
  const location = [response.headers.location].flat()[0];
  if (!redirectStatuses.has(response.statusCode) || location === undefined) return { response };
  await readOff(response, options.signal);
  return { response, next: redirectTarget(url, location) };
}

/** Discards a body, which frees its connection. */
export async function readOff({ body }: Dispatcher.ResponseData, signal: AbortSignal): Promise<void> {
  await untilAborted(body.dump({ limit: 64 * 1024 }), signal);
}

async function send(url: URL, { dispatcher, headers, signal }: HopOptions): Promise<Dispatcher.ResponseData> {
  // undici obeys the signal only once it is connected.
  const get = () => untilAborted(request(url, { dispatcher, headers, signal }), signal);
  return get().catch(error => {
    if (isStaleConnection(error)) return get();
    throw error;
  });
}

/** A redirect without a fragment keeps the old one (Fetch standard, "HTTP-redirect fetch"). */
function redirectTarget(from: URL, location: string): URL {
  // Header bytes arrive as Latin-1; servers write UTF-8.
  const target = URL.parse(Buffer.from(location, "latin1").toString(), from);
  if (target?.hash === "") target.hash = from.hash;
  if (!target || target.href.length > maxUrlLength)
    throw fail("upstream_error", "The site redirects to what is not a URL, or to one that is too long.");
  return target;
}

/** A response's headers under lower-case names, several values joined by a comma. */
export function joinHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]);
  return Object.fromEntries(entries) as Record<string, string>;
}

const tlsError =
  /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO$)/;
const timedOut = /TIMEOUT|ETIMEDOUT/;
const noName = /^(ENOTFOUND|EAI_|ENODATA)/;

/** The client's error for a failed fetch. For an abort it is the signal's own reason. */
export function fetchFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (codeOf(error)) return error;
  const refusal = refusalOf(error);
  if (refusal) return refusal;
  const codes = errorsIn(error).map(({ code }) => String(code));
  const has = (pattern: RegExp) => codes.some(code => pattern.test(code));
  if (has(tlsError)) return fail("tls_error", "The site's TLS handshake or certificate failed.", {}, error);
  if (has(noName)) return fail("target_unreachable", "The site's name does not resolve.", {}, error);
  if (has(timedOut)) return fail("target_unreachable", "The site did not answer in time.", {}, error);
  return fail("target_unreachable", "The site refused or broke the connection.", {}, error);
}

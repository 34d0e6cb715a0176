import { type Dispatcher, request } from "undici";
import { codeOf, type ErrorCode, fail } from "../../services/contracts/errors.ts";
import type { FailureClass } from "../../services/contracts/failure-classes.ts";
import { maxUrlLength } from "../../services/domain/url/admit-url.ts";
import { untilAborted } from "../async/timeout.ts";
import { isStaleConnection } from "./connections.ts";
import { refusalOf } from "./egress.ts";
import { failureClass } from "./failure-class.ts";

interface HopOptions {
  dispatcher: Dispatcher;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Whether a page led here. */
  isRedirect?: boolean;
  /** It is asked for by POST. */
  post?: { body?: string } | undefined;
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

async function send(
  url: URL,
  { dispatcher, headers, signal, post }: HopOptions,
): Promise<Dispatcher.ResponseData> {
  const how = post && { method: "POST" as const, body: post.body ?? null };
  // undici obeys the signal only once it is connected.
  const ask = () => untilAborted(request(url, { dispatcher, headers, signal, ...how }), signal);
  return ask().catch(error => {
    if (isStaleConnection(error)) return ask();
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

const failures: Record<FailureClass, [ErrorCode, string]> = {
  dns: ["target_unreachable", "The site's name does not resolve."],
  not_allowed: ["url_not_allowed", "The site's address is not allowed."],
  refused: ["target_unreachable", "The site refused the connection."],
  unreachable: ["target_unreachable", "No route leads to the site's address."],
  timeout_connect: ["target_unreachable", "The site did not answer in time."],
  timeout_answer: ["target_unreachable", "The site did not answer in time."],
  tls_expired: ["tls_error", "The site's certificate has expired."],
  tls_host: ["tls_error", "The site's certificate is for another name."],
  tls_other: ["tls_error", "The site's TLS handshake or certificate failed."],
  reset: ["target_unreachable", "The site broke the connection off."],
  malformed: ["target_unreachable", "The site's answer is not HTTP."],
  interrupted: ["target_unreachable", "The fetch was ended."],
};

/** The client's error for a failed fetch. For an abort it is the signal's own reason. */
export function fetchFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (codeOf(error)) return error;
  const [code, message] = failures[failureClass(error)];
  return refusalOf(error) ?? fail(code, message, {}, error);
}

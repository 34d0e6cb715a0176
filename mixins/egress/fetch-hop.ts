import { type Dispatcher, request } from "undici";
import { fail } from "../../services/contracts/errors.ts";
import { maxUrlLength } from "../../services/domain/url/admit-url.ts";
import { untilAborted } from "../deadline/until-aborted.ts";
import { isStaleConnection } from "./fetch-failure.ts";

export interface HopOptions {
  dispatcher: Dispatcher;
  headers: Record<string, string>;
  signal: AbortSignal;
}

export interface Hop {
  response: Dispatcher.ResponseData;
  /** Where the server leads to, not admitted yet; the response's body is read off then. */
  next?: URL;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Gets one URL, of which it is known that it may be gone to. `upstream_error` for a redirect to what is no URL. */
export async function fetchHop(url: URL, options: HopOptions): Promise<Hop> {
  const response = await send(url, options);
  const location = [response.headers.location].flat()[0];
  if (!redirectStatuses.has(response.statusCode) || location === undefined) return { response };
  await readOff(response, options.signal);
  return { response, next: redirectTarget(url, location) };
}

/** Frees the connection of what nobody wants to read. */
export async function readOff({ body }: Dispatcher.ResponseData, signal: AbortSignal): Promise<void> {
  await untilAborted(body.dump({ limit: 64 * 1024 }), signal);
}

async function send(url: URL, { dispatcher, headers, signal }: HopOptions): Promise<Dispatcher.ResponseData> {
  // undici heeds the signal only once it is connected.
  const get = () => untilAborted(request(url, { dispatcher, headers, signal }), signal);
  return get().catch(error => {
    if (isStaleConnection(error)) return get();
    throw error;
  });
}

/** The fragment outlives a redirect that has none of its own (Fetch standard, "HTTP-redirect fetch"). */
function redirectTarget(from: URL, location: string): URL {
  // Header bytes come as Latin-1; servers write UTF-8.
  const target = URL.parse(Buffer.from(location, "latin1").toString(), from);
  if (target?.hash === "") target.hash = from.hash;
  if (!target || target.href.length > maxUrlLength)
    throw fail("upstream_error", "The site redirects to what is not a URL, or to one that is too long.");
  return target;
}

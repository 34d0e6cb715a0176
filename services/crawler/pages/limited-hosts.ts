import type { CrawledPage } from "../../contracts/page-reads.contract.ts";
import type { CrawlerContext } from "../context.ts";

/** A host that refuses requests for longer, without taking one in between, is given up. */
const longestRefusalMs = 15 * 60_000;
/** A host that has taken no request of the crawl, and names no time, is given up sooner: it may refuse all there are. */
const longestFirstRefusalMs = 2 * 60_000;
/** A host that asks for a longer wait is given up. */
const longestAskedMs = 60 * 60_000;
/** Pauses where the host names none: they double. */
const [firstPauseMs, longestPauseMs] = [1000, 60_000];
/** What was refused waits for another pause, up to this long, so that others of its host come first. */
const longestLagMs = 10_000;
/** An address that is refused so often after its host has taken others is given up alone; by then a limit per minute is over. */
const mostRefusals = 7;

/** An answer that may refuse a request for a limit of its host. */
export interface Answer {
  status: number;
  /** The wait that it asks for; null when it asks for none. */
  retryAfterMs: number | null;
}

/** The answer that a page came with. */
export function answerOf({ data, retryAfterMs }: Extract<CrawledPage, { kind: "page" }>): Answer {
  return { status: data.metadata.status_code, retryAfterMs };
}

/** Whether an answer says that the host has a limit (RFC 6585, 4; RFC 9110, 15.6.4). */
export function isLimit({ status, retryAfterMs }: Answer): boolean {
  return status === 429 || (status === 503 && retryAfterMs !== null);
}

/** Ends the waiting of a page whose host is paused. */
export class HostPaused extends Error {}

/**
 * Pauses a host, for all crawls, after an answer that says that it has a limit. Returns how many milliseconds the refused
 * address waits, which is longer than the pause; undefined when the host or the address is given up.
 */
export async function pauseHost(
  url: string,
  answer: Answer,
  limits: LimitedHosts,
  { hosts, onError }: Pick<CrawlerContext, "hosts" | "onError">,
): Promise<number | undefined> {
  const pauseMs = limits.refused(url, answer);
  // What was read does not fail because the pause could not be stored.
  if (pauseMs !== undefined)
    await hosts.backOff(url, pauseMs).catch(error => onError("host_pause.failed", url, error));
  return pauseMs === undefined ? undefined : pauseMs + Math.min(pauseMs, longestLagMs);
}

interface Host {
  /** When it began to refuse; undefined while it takes requests. */
  since: number | undefined;
  /** It has taken a request, or has named a time. */
  isKnown: boolean;
  /** Since it began to refuse. */
  pauses: number;
  pausedUntil: number;
  /** Requests that it has taken. */
  taken: number;
  /** The refusals of each address that the host has refused, and not taken since. */
  refusals: Map<string, Refusals>;
  /** Why it is given up. */
  reason: string | undefined;
  /** Fires at its next pause. */
  pausing: AbortController;
}

interface Refusals {
  /** After the host has taken others. */
  times: number;
  /** Requests that the host had taken at the first refusal. */
  taken: number;
  /** Why the address is given up. */
  reason?: string;
}

/**
 * The hosts of a crawl or a map, and which of them refuse requests for a limit. A limit is the host's, not the page's: the
 * page waits and is asked for again, unless its host takes all others. Times are by the clock `now`.
 */
export class LimitedHosts {
  readonly #hosts = new Map<string, Host>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the pause that the host gets, in milliseconds; undefined when it, or the address alone, is given up. */
  refused(url: string, { status, retryAfterMs }: Answer): number | undefined {
    const [host, now] = [this.#hostOf(url), this.#now()];
    if (countRefusal(host, url, status).reason !== undefined) return undefined;
    host.since ??= now;
    host.isKnown ||= retryAfterMs !== null;
    // Several requests may be under way when the host begins to refuse.
    if (now >= host.pausedUntil) host.pauses += 1;
    const pauseMs = retryAfterMs || Math.min(firstPauseMs * 2 ** (host.pauses - 1), longestPauseMs);
    host.reason ??= reasonAgainst(host, status, pauseMs, now);
    if (host.reason !== undefined) return undefined;
    host.pausedUntil = Math.max(host.pausedUntil, now + pauseMs);
    host.pausing.abort(new HostPaused("The host has asked for a pause."));
    host.pausing = new AbortController();
    return pauseMs;
  }

  /** The host has taken a request. */
  taken(url: string): void {
    const host = this.#hostOf(url);
    Object.assign(host, { since: undefined, isKnown: true, pauses: 0, reason: undefined });
    host.taken += 1;
    host.refusals.delete(url);
  }

  /** Milliseconds until the pause of a URL's host ends; 0 without one. */
  pauseMs(url: string): number {
    return Math.max(this.#hostOf(url).pausedUntil - this.#now(), 0);
  }

  /** Why a URL is not asked for any more: its host is given up, or the URL alone. */
  reasonAgainst(url: string): string | undefined {
    const { reason, refusals } = this.#hostOf(url);
    return reason ?? refusals.get(url)?.reason;
  }

  /** Fires when a URL's host is paused. */
  pausing(url: string): AbortSignal {
    return this.#hostOf(url).pausing.signal;
  }

  #hostOf(url: string): Host {
    const { host: name } = new URL(url);
    const known = this.#hosts.get(name);
    if (known) return known;
    const usual = {
      since: undefined,
      isKnown: false,
      pauses: 0,
      pausedUntil: 0,
      taken: 0,
      reason: undefined,
    };
    const fresh = { ...usual, refusals: new Map<string, Refusals>(), pausing: new AbortController() };
    this.#hosts.set(name, fresh);
    return fresh;
  }
}

function countRefusal({ taken, refusals }: Host, url: string, status: number): Refusals {
  const first = refusals.get(url) ?? { times: 0, taken };
  const times = taken > first.taken ? first.times + 1 : 0;
  const reason = `The site answered ${status} to this page ${times} times, and took others.`;
  const counted = { times, taken: first.taken, ...(times >= mostRefusals && { reason }) };
  refusals.set(url, counted);
  return counted;
}

function reasonAgainst(
  { since = 0, isKnown }: Host,
  status: number,
  pauseMs: number,
  now: number,
): string | undefined {
  if (pauseMs > longestAskedMs)
    return `The site answered ${status} and asks for a pause of more than an hour.`;
  const longestMs = isKnown ? longestRefusalMs : longestFirstRefusalMs;
  if (now - since < longestMs) return undefined;
  return `The site answered ${status} to every request for ${Math.round((now - since) / 60_000)} minutes.`;
}

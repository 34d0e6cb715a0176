import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../../../mixins/async/timeout.ts";
import { type FetchedDocument, fetchDocument } from "../../../mixins/egress/fetch-document.ts";
import { errorsIn } from "../../../mixins/egress/guard.ts";
import { programAgent } from "../../../mixins/egress/identity.ts";
import { codeOf } from "../../contracts/errors.ts";
import { type RobotsRules, robotsRules } from "../../domain/crawl/robots-rules.ts";
import { retryAfterMs } from "../../domain/url/retry-after.ts";
import type { CrawlerContext } from "../context.ts";
import { isLimit, type LimitedHosts, pauseHost } from "../pages/limited-hosts.ts";

/** Fetches a document when its host has a slot. */
export type Get = (url: string) => Promise<FetchedDocument>;

/** The rules of a host's robots.txt; `failure` when the host could not be reached at all. */
export type HostRules = { rules: RobotsRules } | { failure: unknown };

const manyHosts = 1000;
/** Bytes of all files of a crawl whose rules are kept; with more all are forgotten, and fetched again when needed. */
const manyBytes = 32 * 1024 * 1024;
/** Enough for all characters that count. */
const mostBytes = 2 * 1024 * 1024;
/** Pauses before a robots.txt is requested again after a server or its connection has failed. */
const retryPausesMs = [1000, 4000];
/** How long such a failure counts for all pages of the host; then the next page asks again. */
const failureKeptMs = 60_000;

/** What is known of a host. */
interface Known {
  rules: Promise<HostRules>;
  /** A failure is forgotten then. */
  until: number;
}

/** The robots.txt of every host that a crawl visits, each fetched once (RFC 9309), unless that fails. */
export class RobotsCache {
  readonly #get: Get;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  readonly #byOrigin = new Map<string, Known>();
  #bytes = 0;

  constructor(get: Get, signal: AbortSignal, now: () => number = Date.now) {
    this.#get = get;
    this.#signal = signal;
    this.#now = now;
  }

  rulesFor(url: string): Promise<HostRules> {
    const { origin } = new URL(url);
    const known = this.#byOrigin.get(origin);
    if (known && this.#now() < known.until) return known.rules;
    if (this.#byOrigin.size >= manyHosts || this.#bytes >= manyBytes) this.#forgetAll();
    const rules = this.#read(`${origin}/robots.txt`, () => {
      fresh.until = this.#now() + failureKeptMs;
    });
    const fresh: Known = { rules, until: Number.POSITIVE_INFINITY };
    this.#byOrigin.set(origin, fresh);
    return rules;
  }

  #rulesIn(body: Buffer, status: number, url: string): RobotsRules {
    const read = body.subarray(0, mostBytes);
    this.#bytes += read.length;
    return robotsRules(read.toString(), status, url);
  }

  #forgetAll(): void {
    this.#byOrigin.clear();
    this.#bytes = 0;
  }

  /** `onFailure` is called when what is returned may soon be otherwise. */
  async #read(url: string, onFailure: () => void, waits = retryPausesMs): Promise<HostRules> {
    const [waitMs, ...later] = waits;
    const found = await this.#readOnce(url);
    if (!found.isPassing) return found;
    if (waitMs === undefined) {
      onFailure();
      return found;
    }
    await sleep(waitMs, undefined, { signal: this.#signal });
    return await this.#read(url, onFailure, later);
  }

  /** `isPassing`: the server or its connection has failed. */
  async #readOnce(url: string): Promise<HostRules & { isPassing: boolean }> {
    try {
      const { status, body } = await this.#get(url);
      return { rules: this.#rulesIn(body, status, url), isPassing: status >= 500 };
    } catch (failure) {
      this.#signal.throwIfAborted();
      // Endless redirects or an endless file count as unavailable, which forbids nothing (RFC 9309, 2.3.1.3).
      return codeOf(failure) === "upstream_error"
        ? { rules: robotsRules("", 404, url), isPassing: false }
        : { failure, isPassing: isPassing(failure) };
    }
  }
}

/** A connection that was refused, reset or late may work soon; a name that does not exist will not. */
function isPassing(failure: unknown): boolean {
  const isNameless = errorsIn(failure).some(({ code }) => code === "ENOTFOUND");
  return codeOf(failure) === "target_unreachable" && !isNameless;
}

const timeoutMs = 30_000;
const headers = {
  "user-agent": programAgent,
  accept: "text/plain, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5",
};

/** The caller for whom documents are fetched. */
interface FetchedFor {
  /** Keys that wait for the same host are served in rotation. */
  keyId: string;
  skipTlsVerification: boolean;
  limits: LimitedHosts;
}

/** Fetches robots.txt and sitemaps when their host has a slot, and again when a limit of the host is over. */
export function fetcherFor(
  context: Pick<CrawlerContext, "egress" | "hosts" | "now" | "onError">,
  { keyId, skipTlsVerification, limits }: FetchedFor,
  signal: AbortSignal,
): Get {
  const { egress, hosts, now } = context;
  const guarded = { ...egress, agent: () => egress.agent({ tenant: keyId, skipTlsVerification }) };
  const fetchInTurn = (url: string) =>
    hosts.request({ group: keyId, url, spacingMs: 0 }, signal, () =>
      withTimeout(timeoutMs, signal, inTime =>
        fetchDocument(url, headers, { egress: guarded, signal: inTime }),
      ),
    );
  return async url => {
    for (;;) {
      const document = await fetchInTurn(url);
      const asked = retryAfterMs(document.headers["retry-after"], now());
      const answer = { status: document.status, retryAfterMs: asked ?? null };
      if (!isLimit(answer)) {
        limits.taken(url);
        return document;
      }
      const waitMs = await pauseHost(url, answer, limits, context);
      if (waitMs === undefined) return document;
      await sleep(waitMs, undefined, { signal });
    }
  };
}

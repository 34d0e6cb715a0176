import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../../../mixins/async/timeout.ts";
import { type FetchedDocument, fetchDocument } from "../../../mixins/egress/fetch-document.ts";
import { codeOf } from "../../contracts/errors.ts";
import { type RobotsRules, robotsRules } from "../../domain/crawl/robots-rules.ts";
import type { CrawlerContext } from "../context.ts";

/** Fetches a document when its host's turn comes. */
export type Get = (url: string) => Promise<FetchedDocument>;

/** The rules of a host's robots.txt; `failure` when the host could not be reached at all. */
type HostRules = { rules: RobotsRules } | { failure: unknown };

const manyHosts = 1000;
/** Bytes of all files of a crawl whose rules are kept; with more all are forgotten, and fetched again when needed. */
const manyBytes = 32 * 1024 * 1024;
/** Enough for all characters that count. */
const mostBytes = 2 * 1024 * 1024;
/** Pauses before a robots.txt is requested again after a server error. Until it arrives no page is fetched. */
const retryAfterMs = [1000, 4000];

/** The robots.txt of every host that a crawl visits, each fetched once (RFC 9309). */
export class RobotsCache {
  readonly #get: Get;
  readonly #signal: AbortSignal;
  readonly #byOrigin = new Map<string, Promise<HostRules>>();
  #bytes = 0;

  constructor(get: Get, signal: AbortSignal) {
    this.#get = get;
    this.#signal = signal;
  }

  rulesFor(url: string): Promise<HostRules> {
    const { origin } = new URL(url);
    const known = this.#byOrigin.get(origin);
    if (known) return known;
    if (this.#byOrigin.size >= manyHosts || this.#bytes >= manyBytes) this.#forgetAll();
    const fetched = this.#read(`${origin}/robots.txt`);
    this.#byOrigin.set(origin, fetched);
    return fetched;
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

  async #read(url: string, waits = retryAfterMs): Promise<HostRules> {
    try {
      const { status, body } = await this.#get(url);
      const [waitMs, ...later] = waits;
      if (status < 500 || waitMs === undefined) return { rules: this.#rulesIn(body, status, url) };
      await sleep(waitMs, undefined, { signal: this.#signal });
      return await this.#read(url, later);
    } catch (failure) {
      this.#signal.throwIfAborted();
      // Endless redirects or an endless file count as unavailable, which forbids nothing (RFC 9309, 2.3.1.3).
      return codeOf(failure) === "upstream_error" ? { rules: robotsRules("", 404, url) } : { failure };
    }
  }
}

const timeoutMs = 30_000;
const headers = {
  "user-agent": "Mozilla/5.0 (compatible; Magpie/0.1; crawler)",
  accept: "text/plain, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5",
};

/** For whom documents are fetched. */
interface FetchedFor {
  /** A crawl or a map: those that wait for the same host take turns. */
  group: string;
  keyId: string;
  skipTlsVerification: boolean;
}

/** Fetches robots.txt and sitemaps when their host's turn comes. */
export function fetcherFor(
  { egress, hosts }: CrawlerContext,
  { group, keyId, skipTlsVerification }: FetchedFor,
  signal: AbortSignal,
): Get {
  const guarded = { ...egress, agent: () => egress.agent({ tenant: keyId, skipTlsVerification }) };
  return url =>
    hosts.request({ group, url, spacingMs: 0 }, signal, () =>
      withTimeout(timeoutMs, signal, inTime =>
        fetchDocument(url, headers, { egress: guarded, signal: inTime }),
      ),
    );
}

import { setTimeout as delay } from "node:timers/promises";
import type { FetchedDocument } from "../../mixins/egress/fetch-document.ts";
import { codeOf } from "../contracts/errors.ts";
import { type RobotsRules, robotsRules } from "../domain/crawl/robots-rules.ts";

/** Gets a document from a host, in turn. */
export type Get = (url: string) => Promise<FetchedDocument>;

/** What a host's robots.txt says; `failure` instead, when the host could not be reached at all. */
export type HostRules = { rules: RobotsRules } | { failure: unknown };

const manyHosts = 1000;
/** Before a robots.txt that a server could not give is asked for again: until it is there nothing is fetched. */
const retryAfterMs = [1000, 4000];

/** The robots.txt of every host that a crawl visits, each fetched once (RFC 9309). */
export class RobotsBook {
  readonly #get: Get;
  readonly #signal: AbortSignal;
  readonly #byOrigin = new Map<string, Promise<HostRules>>();

  constructor(get: Get, signal: AbortSignal) {
    this.#get = get;
    this.#signal = signal;
  }

  rulesFor(url: string): Promise<HostRules> {
    const { origin } = new URL(url);
    const known = this.#byOrigin.get(origin);
    if (known) return known;
    if (this.#byOrigin.size >= manyHosts) this.#byOrigin.clear();
    const fetched = this.#read(`${origin}/robots.txt`);
    this.#byOrigin.set(origin, fetched);
    return fetched;
  }

  async #read(url: string, waits = retryAfterMs): Promise<HostRules> {
    try {
      const { status, body } = await this.#get(url);
      const [waitMs, ...later] = waits;
      if (status < 500 || waitMs === undefined) return { rules: robotsRules(body.toString(), status, url) };
      await delay(waitMs, undefined, { signal: this.#signal });
      return await this.#read(url, later);
    } catch (failure) {
      this.#signal.throwIfAborted();
      // Redirects without end, or a file without end: unavailable, which forbids nothing (RFC 9309, 2.3.1.3).
      return codeOf(failure) === "upstream_error" ? { rules: robotsRules("", 404, url) } : { failure };
    }
  }
}

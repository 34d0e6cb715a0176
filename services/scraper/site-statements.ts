import { untilAborted, withTimeout } from "../../mixins/async/timeout.ts";
import type { Egress } from "../../mixins/egress/egress.ts";
import { fetchDocument } from "../../mixins/egress/fetch-document.ts";
import { codeOf, fail } from "../contracts/errors.ts";
import type { UsageStatement } from "../domain/crawl/content-usage.ts";
import { robotsRules } from "../domain/crawl/robots-rules.ts";
import { tdmRules } from "../domain/crawl/tdmrep.ts";

/** How long what a host says counts, and how long a failure to read it. */
const [keptMs, failureKeptMs] = [3_600_000, 60_000];
const timeoutMs = 15_000;
const mostBytes = 1024 * 1024;
const manyHosts = 1000;

type StatementsOn = (url: string) => UsageStatement[];

interface Known {
  statements: Promise<StatementsOn>;
  until: number;
}

/** Who asks: `signal` ends the wait. */
interface Asking {
  skipTlsVerification: boolean;
  signal: AbortSignal;
}

/** What sites say of the use of their content outside of their pages: in robots.txt and in `/.well-known/tdmrep.json`. */
export class SiteStatements {
  readonly #egress: Egress;
  readonly #closing: AbortSignal;
  readonly #now: () => number;
  readonly #byHost = new Map<string, Known>();

  constructor(egress: Egress, closing: AbortSignal, now: () => number = Date.now) {
    this.#egress = egress;
    this.#closing = closing;
    this.#now = now;
  }

  /** What a page's host says of it. Throws where that cannot be known, since the host or its file fails. */
  async about(url: string, { skipTlsVerification, signal }: Asking): Promise<UsageStatement[]> {
    const { protocol, origin } = new URL(url);
    if (!/^https?:$/.test(protocol)) return [];
    const name = `${origin} ${skipTlsVerification}`;
    const known = this.#byHost.get(name);
    const isFresh = known !== undefined && this.#now() < known.until;
    const { statements } = isFresh ? known : this.#ask(name, origin, skipTlsVerification);
    return (await untilAborted(statements, signal))(url);
  }

  #ask(name: string, origin: string, skipTlsVerification: boolean): Known {
    if (this.#byHost.size >= manyHosts) this.#byHost.clear();
    const statements = this.#read(origin, skipTlsVerification);
    const fresh = { statements, until: this.#now() + keptMs };
    this.#byHost.set(name, fresh);
    statements.catch(() => {
      fresh.until = this.#now() + failureKeptMs;
    });
    return fresh;
  }

  async #read(origin: string, skipTlsVerification: boolean): Promise<StatementsOn> {
    const [robotsUrl, tdmUrl] = [`${origin}/robots.txt`, `${origin}/.well-known/tdmrep.json`];
    const [robots, tdm] = await Promise.all([
      this.#textAt(robotsUrl, skipTlsVerification),
      this.#textAt(tdmUrl, skipTlsVerification),
    ]);
    const rules = robotsRules(robots, 200, robotsUrl);
    const reservedOn = tdmRules(tdm);
    return url => [...rules.usage(url), ...reservedOn(url)];
  }

  /** The text of a file; nothing where the host has none. */
  async #textAt(url: string, skipTlsVerification: boolean): Promise<string> {
    const egress = {
      ...this.#egress,
      agent: ({ tenant }: { tenant?: string }) => this.#egress.agent({ tenant, skipTlsVerification }),
    };
    try {
      const { status, body } = await withTimeout(timeoutMs, this.#closing, signal =>
        fetchDocument(url, {}, { egress, signal, maxBytes: mostBytes }),
      );
      if (status < 500 && status !== 429) return body.toString();
      throw unknown(url, `it answered with status ${status}`);
    } catch (error) {
      // Endless redirects or an endless file say nothing.
      if (codeOf(error) === "upstream_error") return "";
      throw codeOf(error) === undefined ? unknown(url, "it did not answer", error) : error;
    }
  }
}

function unknown(url: string, why: string, cause?: unknown): Error {
  const file = new URL(url).pathname.slice(1);
  const message = `What the site says of the use of its content cannot be known, since its ${file} cannot be read: ${why}.`;
  return fail("target_unreachable", message, {}, cause);
}

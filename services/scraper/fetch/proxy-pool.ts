import { createHash, randomInt } from "node:crypto";
import { failureClass } from "../../../mixins/egress/failure-class.ts";
import { errorsIn } from "../../../mixins/egress/guard.ts";
import type { ProxyOptions } from "../../contracts/page-options.ts";

/** Milliseconds that a proxy rests after its first failure; each further one in a row doubles them. */
const [firstRestMs, longestRestMs] = [15_000, 10 * 60_000];
/** Proxies that one request tries at most. */
const mostTries = 3;

interface Health {
  /** In a row. */
  failures: number;
  /** Milliseconds since the epoch. */
  restsUntil: number;
}

/** What came of a request through a proxy. */
export type ProxyOutcome = "served" | "failed";

interface PoolOptions {
  onEnded?: (outcome: ProxyOutcome) => void;
  now?: () => number;
  /** A whole number from 0, below `count`. */
  pick?: (count: number) => number;
}

/**
 * The proxies of each country. A request goes through one that works: a proxy that fails rests for a while, its request is
 * tried through others, and then it is tried again. Health is what this process has seen.
 */
export class ProxyPool {
  readonly #byCountry: Record<string, string[]>;
  readonly #health = new Map<string, Health>();
  readonly #onEnded: (outcome: ProxyOutcome) => void;
  readonly #now: () => number;
  readonly #pick: (count: number) => number;

  /** `byCountry`: country code to proxy URLs. */
  constructor(byCountry: Record<string, string[]>, options: PoolOptions = {}) {
    this.#byCountry = byCountry;
    this.#onEnded = options.onEnded ?? (() => undefined);
    this.#now = options.now ?? Date.now;
    this.#pick = options.pick ?? randomInt;
  }

  /**
   * Does work through a proxy of the country, or with undefined where it has none. The same tenant and session name have the
   * same proxy on every node as long as the list is unchanged and the proxy works: the choice is a hash, and nothing is stored.
   */
  async through<Result>(
    { location, sticky_session }: ProxyOptions,
    tenant: string,
    signal: AbortSignal,
    work: (proxyUrl: string | undefined) => Promise<Result>,
  ): Promise<Result> {
    const all = this.#byCountry[location.toUpperCase()] ?? [];
    if (all.length === 0) return await work(undefined);
    const order = this.#order(all, sticky_session === undefined ? undefined : `${tenant}\n${sticky_session}`);
    const suspects: string[] = [];
    for (const [tried, proxyUrl] of order.slice(0, mostTries).entries())
      try {
        const result = await work(proxyUrl);
        this.#served(proxyUrl);
        // Where another proxy could serve the request, they were to blame.
        for (const suspect of suspects) this.#failed(suspect);
        return result;
      } catch (error) {
        const blame = signal.aborted ? "site" : blameFor(error);
        if (blame === "proxy") this.#failed(proxyUrl);
        if (blame === "either") suspects.push(proxyUrl);
        if (blame === "site") this.#served(proxyUrl);
        if (blame === "site" || tried + 1 >= Math.min(mostTries, order.length)) throw error;
      }
    throw new TypeError("the last proxy either serves or throws");
  }

  /** How many proxies of each country work, and how many rest. */
  states(): { country: string; working: number; resting: number }[] {
    return Object.entries(this.#byCountry).map(([country, all]) => {
      const resting = all.filter(url => this.#isResting(url)).length;
      return { country, working: all.length - resting, resting };
    });
  }

  /** Those that work first, beginning with the one that was drawn; then those whose rest ends first. */
  #order(all: readonly string[], session: string | undefined): string[] {
    const first = session === undefined ? this.#pick(all.length) : hashOf(session) % all.length;
    const ring = [...all.slice(first), ...all.slice(0, first)];
    const until = (url: string) => (this.#isResting(url) ? (this.#health.get(url)?.restsUntil ?? 0) : 0);
    return ring.sort((a, b) => until(a) - until(b));
  }

  #isResting(url: string): boolean {
    return (this.#health.get(url)?.restsUntil ?? 0) > this.#now();
  }

  #served(url: string): void {
    this.#health.delete(url);
    this.#onEnded("served");
  }

  #failed(url: string): void {
    const failures = (this.#health.get(url)?.failures ?? 0) + 1;
    const restMs = Math.min(firstRestMs * 2 ** (failures - 1), longestRestMs);
    this.#health.set(url, { failures, restsUntil: this.#now() + restMs });
    this.#onEnded("failed");
  }
}

function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE();
}

/** Whose fault an error is. A proxy answers 5xx for a site that it cannot reach, and where it does not work itself. */
function blameFor(error: unknown): "proxy" | "site" | "either" {
  const errors = errorsIn(error) as { code?: unknown; message?: unknown }[];
  const [, status] =
    errors
      .map(({ message }) => /^Proxy response \((\d{3})\)/.exec(String(message)))
      .find(found => found !== null) ?? [];
  if (status !== undefined) return status.startsWith("5") ? "either" : "proxy";
  if (errors.some(({ code }) => /^UND_ERR_PRX/.test(String(code)))) return "proxy";
  const kind = failureClass(error);
  // Connections are made to the proxy alone; the site's TLS within one may be late, and its name unknown.
  if (kind === "refused" || kind === "unreachable") return "proxy";
  return kind === "timeout_connect" || kind === "dns" ? "either" : "site";
}

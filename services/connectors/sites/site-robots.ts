import { codeOf, fail } from "../../contracts/errors.ts";
import { type RobotsRules, robotsRules } from "../../domain/crawl/robots-rules.ts";
import type { ConnectorTools } from "../connector.ts";

/** Enough for all characters that count. */
const mostBytes = 2 * 1024 * 1024;
/** The steps of one round share what was read; each round reads it anew. */
const keptMs = 10 * 60_000;
const manyHosts = 500;
/** Bytes of all files whose rules are kept; with more all are forgotten, and fetched again when needed. */
const manyBytes = 32 * 1024 * 1024;

type Tools = Pick<ConnectorTools, "fetchDocument" | "now">;

interface Known {
  rules: Promise<RobotsRules>;
  until: number;
}

/** The robots.txt of the hosts of all tracked sites (RFC 9309), which the steps of a round share. */
export class SiteRobots {
  readonly #byOrigin = new Map<string, Known>();
  #bytes = 0;

  /** Throws what keeps the host from answering: a site whose rules are unknown is not visited. */
  async rulesFor(url: string, tools: Tools): Promise<RobotsRules> {
    const { origin } = new URL(url);
    const known = this.#byOrigin.get(origin);
    if (known && tools.now() < known.until) return await known.rules;
    return await this.refresh(url, tools);
  }

  /** Reads the file again. */
  async refresh(url: string, tools: Tools): Promise<RobotsRules> {
    const { origin } = new URL(url);
    if (this.#byOrigin.size >= manyHosts || this.#bytes >= manyBytes) this.#forgetAll();
    const rules = this.#read(`${origin}/robots.txt`, tools);
    const fresh = { rules, until: tools.now() + keptMs };
    this.#byOrigin.set(origin, fresh);
    return await rules.catch(error => {
      if (this.#byOrigin.get(origin) === fresh) this.#byOrigin.delete(origin);
      throw error;
    });
  }

  #forgetAll(): void {
    this.#byOrigin.clear();
    this.#bytes = 0;
  }

  async #read(url: string, { fetchDocument }: Tools): Promise<RobotsRules> {
    try {
      const { status, body } = await fetchDocument(url);
      if (status >= 500 || status === 429)
        throw fail(
          "target_unreachable",
          `The site's robots.txt cannot be read: it answered with status ${status}.`,
        );
      const read = body.subarray(0, mostBytes);
      this.#bytes += read.length;
      return robotsRules(read.toString(), status, url);
    } catch (error) {
      // Endless redirects or an endless file count as unavailable, which forbids nothing (RFC 9309, 2.3.1.3).
      if (codeOf(error) === "upstream_error") return robotsRules("", 404, url);
      throw error;
    }
  }
}

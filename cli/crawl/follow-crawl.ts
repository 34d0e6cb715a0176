import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import type { CrawlProgress, CrawlStatus } from "../../services/contracts/crawler.contract.ts";
import type { ScrapeData } from "../../services/contracts/scraper.contract.ts";

const pollEveryMs = 500;

/** Receives the results of a crawl. */
interface Follower {
  onPage(page: ScrapeData): Promise<void>;
  onProgress(crawl: CrawlStatus): void;
}

/** Reads the pages of a crawl as they arrive. Resolves with the final status after the last page. */
export async function followCrawl(server: Server, id: string, follower: Follower): Promise<CrawlStatus> {
  for (let cursor = ""; ; ) {
    const crawl = await ask<CrawlStatus>(server, "GET", `/web/crawl/${id}?limit=100${cursor}`);
    for (const page of crawl.data) if (!("error" in page)) await follower.onPage(page);
    follower.onProgress(crawl);
    if (crawl.next_cursor === null) return crawl;
    if (crawl.data.length === 0) await sleep(pollEveryMs);
    cursor = `&cursor=${crawl.next_cursor}`;
  }
}

const timeoutMs = 60_000;

/** A running service, and the API key to use. */
export interface Server {
  url: string;
  key: string;
}

/** Sends a request to the service. Rejects with the service's own message when it refuses. */
export async function ask<Body>(
  { url, key }: Server,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
): Promise<Body> {
  const { statusCode, body: answer } = await request(url + path, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (statusCode >= 300) throw new Error(`${statusCode}: ${messageIn(text)}`);
  return JSON.parse(text) as Body;
}

function messageIn(text: string): string {
  try {
    const { message, details } = JSON.parse(text) as { message: string; details?: { field: string }[] };
    const fields = (details ?? []).map(({ field }) => field).join(", ");
    return fields === "" ? message : `${message} (${fields})`;
  } catch {
    return text.slice(0, 200);
  }
}

interface Screen {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows progress: on a terminal in one line that is rewritten, elsewhere as a new line for each change. */
export class ProgressLine {
  readonly #screen: Screen;
  #shown = "";

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(progress: CrawlProgress): void {
    const line = describe(progress);
    if (line === this.#shown) return;
    this.#screen.write(this.#screen.isTTY ? `\r${line.padEnd(this.#shown.length)}` : `${line}\n`);
    this.#shown = line;
  }

  end(): void {
    if (this.#screen.isTTY && this.#shown !== "") this.#screen.write("\n");
  }
}

export function describe({ discovered, completed, failed, skipped }: CrawlProgress): string {
  return `${discovered} found, ${completed} read, ${failed} failed, ${skipped} skipped`;
}

import type { CrawlEnd } from "./judge-crawl.ts";

/** Asks the gateway for something and gives the body of a 200. */
export type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

/** A page of results, written by hand from the interface. */
interface Status {
  status: string;
  stop_reason: string | null;
  progress: CrawlEnd["progress"];
  data: { metadata: { final_url: string } }[];
  next_cursor: string | null;
  error?: { code: string; message: string };
}

interface Errors {
  data: { url: string; code: string }[];
  next_cursor: string | null;
}

/** A crawl of everything below a page, as far as it goes; options stand above that. */
export async function beginCrawl(ask: Ask, url: string, crawler: object = {}): Promise<string> {
  const body = { url, crawler: { limit: 100_000, max_depth: 100, ...crawler } };
  return ((await ask("POST", "/web/crawl", body)) as { crawl_id: string }).crawl_id;
}

/** Reads the results of a crawl page by page while it goes on, and its errors once it has ended. */
export async function followCrawl(ask: Ask, id: string): Promise<CrawlEnd & { stopReason: string | null }> {
  const results: string[] = [];
  let [cursor, status] = ["", undefined as Status | undefined];
  while (status === undefined || status.next_cursor !== null) {
    status = (await ask("GET", `/web/crawl/${id}?limit=50${cursor}`)) as Status;
    results.push(...status.data.map(({ metadata }) => metadata.final_url));
    cursor = `&cursor=${status.next_cursor}`;
    if (status.data.length === 0 && status.next_cursor !== null) await pause();
  }
  const errors = await errorsOf(ask, id);
  return {
    status: status.status,
    stopReason: status.stop_reason,
    progress: status.progress,
    results,
    errors,
    ...(status.error && { error: status.error }),
  };
}

async function errorsOf(ask: Ask, id: string): Promise<string[]> {
  const urls: string[] = [];
  let [cursor, page] = ["", undefined as Errors | undefined];
  while (page === undefined || page.next_cursor !== null) {
    page = (await ask("GET", `/web/crawl/${id}/errors?limit=100${cursor}`)) as Errors;
    urls.push(...page.data.map(({ url }) => url));
    cursor = `&cursor=${page.next_cursor}`;
  }
  return urls;
}

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 50));
}

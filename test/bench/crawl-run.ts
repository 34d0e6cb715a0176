import { setTimeout as delay } from "node:timers/promises";
import type { Program } from "./program.ts";

/** A crawl, written by hand from the interface. */
interface Crawl {
  crawl_id: string;
  status: string;
  progress: { discovered: number; completed: number; running: number };
  data: { markdown: string; metadata: { engine: string } }[];
  next_cursor: string | null;
}

export interface CrawlJob {
  url: string;
  /** Pages of the whole site. */
  pages: number;
}

const pollMs = 100;

/** Crawls a whole site over HTTP; answers how many pages were read per second, from the request to the last page. */
export async function crawlRate(program: Program, { url, pages }: CrawlJob, engine: string): Promise<number> {
  const { id, perSecond } = await crawlAll(program, { url, pages });
  await checkCrawl(program, id, engine);
  return perSecond;
}

/** The same without a look at what was read. */
export async function crawlAll(
  program: Program,
  { url, pages }: CrawlJob,
): Promise<{ id: string; perSecond: number }> {
  const started = performance.now();
  const id = await beginCrawl(program, url, pages);
  const { progress } = await untilCrawl(program, id, ({ status }) => status !== "crawling");
  const seconds = (performance.now() - started) / 1000;
  if (progress.completed !== pages) throw new Error(`${progress.completed} pages of ${pages}`);
  return { id, perSecond: pages / seconds };
}

export async function beginCrawl(program: Program, url: string, limit: number): Promise<string> {
  const crawler = { limit, max_depth: 100 };
  return ((await program.ask("POST", "/web/crawl", { url, crawler })) as Crawl).crawl_id;
}

/** Asks how it stands, again and again, without its pages but one. */
export async function untilCrawl(
  program: Program,
  id: string,
  condition: (crawl: Crawl) => boolean,
): Promise<Crawl> {
  for (;;) {
    const crawl = (await program.ask("GET", `/web/crawl/${id}?limit=1`)) as Crawl;
    if (condition(crawl)) return crawl;
    await delay(pollMs);
  }
}

/** Every page was read in the way that is measured, and has its text. */
export async function checkCrawl(program: Program, id: string, engine: string): Promise<void> {
  for (let cursor: string | null = "0"; cursor !== null; ) {
    const { data, next_cursor } = (await program.ask(
      "GET",
      `/web/crawl/${id}?limit=100&cursor=${cursor}`,
    )) as Crawl;
    for (const { markdown, metadata } of data)
      if (markdown.length < 1000 || metadata.engine !== engine)
        throw new Error(`a page of ${markdown.length} characters was read by ${metadata.engine}`);
    cursor = next_cursor;
  }
}

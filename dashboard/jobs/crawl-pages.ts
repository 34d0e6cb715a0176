/*
 * Follows a crawl and its pages. The cursor of the API gives each page once.
 *
 *   const crawl = useCrawl(id);   crawl.status, crawl.pages (in the order in which they ended), crawl.error
 *
 * Only the facts for the list are kept of each page; `loadPage` gets its contents again.
 */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { CrawlStatus } from "../../services/contracts/crawler.contract.ts";
import type { ScrapeData } from "../../services/contracts/page.contract.ts";
import { ApiError, get } from "../shell/client.ts";
import { whileVisible } from "../shell/live.ts";

export interface CrawledPage {
  title: string;
  url: string;
  status_code: number;
  words: number | undefined;
  /** The cursor of the answer that had the page, and its index there. */
  cursor: string;
  at: number;
}

export interface Crawl {
  status: Omit<CrawlStatus, "data"> | undefined;
  pages: CrawledPage[];
  error: ApiError | undefined;
  renew: () => Promise<void>;
}

/** The number of pages in the list, at most. The API has all of them. */
export const mostPages = 1000;
const atOnce = 20;
const pauseMs = 1500;
const endedPauseMs = 3_600_000;

/** The pages that are read so far, and the cursor of the next ones. */
interface Reading {
  cursor: string;
  pages: CrawledPage[];
  /** Whether the list has ended. */
  isDone: boolean;
}

type Answer = Omit<CrawlStatus, "data"> & { data: ScrapeData[] };

export function useCrawl(id: string): Crawl {
  const [crawl, setCrawl] = useState<Omit<Crawl, "renew">>({
    status: undefined,
    pages: [],
    error: undefined,
  });
  const [isEnded, setEnded] = useState(false);
  const reading = useRef<Reading>({ cursor: "", pages: [], isDone: false });
  const renewNow = useRef<() => Promise<void>>(async () => undefined);
  useEffect(() => {
    const end = new AbortController();
    const ask = async () => {
      try {
        const { data: _, ...status } = await readOn(id, reading.current, end.signal);
        if (end.signal.aborted) return;
        setCrawl({ status, pages: reading.current.pages, error: undefined });
        setEnded(status.status !== "crawling");
      } catch (error) {
        if (!end.signal.aborted) setCrawl(before => ({ ...before, error: asApiError(error) }));
      }
    };
    renewNow.current = ask;
    const stop = whileVisible(ask, isEnded ? endedPauseMs : pauseMs);
    return () => {
      end.abort();
      stop();
    };
  }, [id, isEnded]);
  const renew = useCallback(() => renewNow.current(), []);
  return { ...crawl, renew };
}

/** Reads the pages that have ended since the last time, and resolves to the latest status of the crawl. */
async function readOn(id: string, reading: Reading, end: AbortSignal): Promise<Answer> {
  while (true) {
    const { cursor, pages } = reading;
    const isFull = reading.isDone || pages.length >= mostPages;
    const answer = await ask(id, cursor, isFull ? 1 : atOnce, end);
    // A second reader of the same crawl must not add these pages again.
    if (isFull || end.aborted) return answer;
    reading.pages = [...pages, ...answer.data.map((data, at) => summary(data, cursor, at))];
    reading.cursor = answer.next_cursor ?? cursor;
    reading.isDone = answer.next_cursor === null;
    if (reading.isDone || answer.data.length === 0) return answer;
  }
}

async function ask(id: string, cursor: string, limit: number, end: AbortSignal): Promise<Answer> {
  const signal = AbortSignal.any([end, AbortSignal.timeout(30_000)]);
  return await get<Answer>(`/web/crawl/${encodeURIComponent(id)}`, { query: { cursor, limit }, signal });
}

function summary({ metadata }: ScrapeData, cursor: string, at: number): CrawledPage {
  const { title, final_url, status_code, word_count } = metadata;
  return { title, url: final_url, status_code, words: word_count, cursor, at };
}

/** Gets the contents of a page of the list. */
export async function loadPage(id: string, page: CrawledPage, end: AbortSignal): Promise<ScrapeData> {
  const { data } = await ask(id, page.cursor, page.at + 1, end);
  const found = data[page.at];
  if (!found) throw new ApiError(404, { message: "This page is no longer kept." });
  return found;
}

/** Pages that are asked for at a time where all are. */
const manyAtOnce = 100;

/** All pages of a crawl that are kept, as JSON Lines: a page, as the API has it, in each line. */
export async function pagesAsLines(id: string): Promise<Blob> {
  const end = new AbortController();
  const parts: string[] = [];
  for (let cursor = ""; ; ) {
    const { data, next_cursor } = await ask(id, cursor, manyAtOnce, end.signal);
    for (const page of data) parts.push(`${JSON.stringify(page)}\n`);
    if (next_cursor === null || data.length === 0) return new Blob(parts);
    cursor = next_cursor;
  }
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, { message: "The service does not answer." }, { cause: error });
}

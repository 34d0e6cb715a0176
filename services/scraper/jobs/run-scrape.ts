import type { ScrapeRequest } from "../../contracts/scraper.contract.ts";
import { chooseProxy } from "../choose-proxy.ts";
import type { JobsRoom } from "./room.ts";
import type { Run, RunOptions } from "./runs.ts";

const minuteMs = 60_000;

/** What a run is for. */
export interface Assignment extends Pick<RunOptions, "signal" | "isPatient" | "anewBy"> {
  id: string;
  keyId: string;
  owner: string;
  request: ScrapeRequest;
}

/** Begins to scrape a page. Until the request's timeout it waits for the page to settle; it ends at its bound. */
export function runScrape(jobs: JobsRoom, assignment: Assignment): Run {
  const { id, keyId, owner, request, ...rest } = assignment;
  const proxyUrl = chooseProxy(jobs.tools.proxies, request.proxy, keyId);
  const deadline = jobs.now() + request.timeout;
  return jobs.runs.start({ id, keyId, boundMs: boundMs(request), ...rest }, signal =>
    jobs.read(request, { keyId, owner, proxyUrl, deadline, signal }),
  );
}

/** What the work on a scrape may take: twice its timeout, a minute at least, ten at most. A page that hangs holds a place. */
export function boundMs({ timeout }: ScrapeRequest): number {
  return Math.min(Math.max(2 * timeout, minuteMs), 10 * minuteMs);
}

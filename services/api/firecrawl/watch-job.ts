import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "../../contracts/errors.ts";
import type { PageData } from "../../domain/firecrawl/document.ts";
import { sentKey } from "../http/admission.ts";
import { publicError } from "../response/public-error.ts";
import { type Asked, ask, picturesOf } from "./ask.ts";
import { type JobWatcher, noMessage } from "./job-watcher.ts";
import { batches, crawls, documentsOf, type JobKind, pagesAtATime, stateOf } from "./jobs.ts";

/** A crawl or batch that a client watches. */
export interface WatchedJob {
  kind: JobKind;
  id: string;
}

/** Between two looks at a job that runs. */
const pauseMs = 1000;
/** Jobs that one key may watch on a node at a time. */
const mostOfKey = 50;
const watching = new Map<string, number>();

/** The job whose address a WebSocket opens, the one that its state has; undefined for any other address. */
export function watchedJob(url: string): WatchedJob | undefined {
  const [, path, id] = /^\/v[12]\/(crawl|batch\/scrape)\/([\w-]{1,64})\/?(?:\?|$)/.exec(url) ?? [];
  if (path === undefined || id === undefined || id === "active" || id === "ongoing") return undefined;
  // Version 1 of their client watches a batch at the address of a crawl.
  return { kind: path === "crawl" && !id.startsWith("bat_") ? crawls : batches, id };
}

/** The key that a client sends. Browsers set no header of a WebSocket, so clients send it as the subprotocol, too. */
export function keyOfWatcher(headers: IncomingHttpHeaders): string | undefined {
  return sentKey(headers) ?? headers["sec-websocket-protocol"]?.split(",")[0]?.trim();
}

/** Throws what the state of the job would be refused with, and 429 for a key that watches many jobs. */
export async function admitWatcher(asked: Asked, { kind, id }: WatchedJob): Promise<void> {
  await ask(asked, kind.status, { ...kind.idOf(id), limit: 1 });
  if ((watching.get(asked.caller.keyId) ?? 0) >= mostOfKey)
    throw fail("rate_limited", `A key may watch ${mostOfKey} jobs at a time.`, { retry_after: 30 });
}

/** Tells of a job until its end: first what there is, then each page that ends. */
export async function watchJob(asked: Asked, job: WatchedJob, watcher: JobWatcher): Promise<void> {
  const { keyId } = asked.caller;
  watching.set(keyId, (watching.get(keyId) ?? 0) + 1);
  try {
    await follow(asked, job, watcher);
  } catch (error) {
    // Its state can still be asked for: clients do so when the connection ends.
    watcher.close(1013, publicError(error).code);
  } finally {
    const left = (watching.get(keyId) ?? 1) - 1;
    if (left > 0) watching.set(keyId, left);
    else watching.delete(keyId);
  }
}

async function follow(asked: Asked, { kind, id }: WatchedJob, watcher: JobWatcher): Promise<void> {
  let cursor: string | null = null;
  for (let isFirst = true; ; isFirst = false) {
    const from: object = cursor === null ? {} : { cursor };
    const job = await ask(asked, kind.status, { ...kind.idOf(id), ...from, limit: pagesAtATime });
    const pages = job.data as PageData[];
    const data = documentsOf(pages, await picturesOf(asked, pages));
    const isOver = job.next_cursor === null;
    const state = stateOf(job, asked);
    // A client ends with what the first message has where that says that the job is over.
    if (isFirst) await watcher.send({ type: "catchup", data: { ...state, ...(!isOver && running), data } });
    else for (const each of data) await watcher.send({ type: "document", data: each });
    if (isOver) return await sayEnd(watcher, state);
    cursor = job.next_cursor;
    if (pages.length < pagesAtATime) await sleep(pauseMs, undefined, { signal: watcher.closed });
  }
}

const running = { status: "scraping" };

/** A cancelled job has neither completed nor failed: its last state says so. */
async function sayEnd(watcher: JobWatcher, state: ReturnType<typeof stateOf>): Promise<void> {
  const { status, error = "The job failed." } = state;
  if (status === "failed") await watcher.send({ type: "error", error });
  else await watcher.send({ type: status === "completed" ? "done" : "status", data: { ...state, data: [] } });
  watcher.close(1000, noMessage);
}

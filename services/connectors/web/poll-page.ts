import type { PollResult, Post } from "../../contracts/connectors.contract.ts";
import { comparePage, type PageChange } from "../../domain/page-change/compare-page.ts";
import type { ConnectorTools, PolledSource } from "../connector.ts";
import { pageWait } from "../hints.ts";
import { jittered, nextInterval } from "../pace.ts";
import { errorTrouble, statusTrouble, trouble } from "../trouble.ts";
import { packed, pageState, unpacked } from "./page-state.ts";
import { type ReadPage, readPage } from "./read-page.ts";

/** Looks at a page once. A page that is empty, or not there, is in trouble; it has not changed. */
export async function pollPage(source: PolledSource, tools: ConnectorTools): Promise<PollResult> {
  try {
    const { job, headers } = await tools.visit(source.externalId);
    const read = readPage(job);
    if (read.ok) return compared(source, read, headers, tools);
    if (read.status < 200 || read.status > 299) return statusTrouble(source, tools, read.status, headers);
    return trouble(source, tools, read.reason);
  } catch (error) {
    return errorTrouble(source, tools, error);
  }
}

function compared(
  source: PolledSource,
  { page, title, url }: Extract<ReadPage, { ok: true }>,
  headers: Record<string, string>,
  { minIntervalMs, now, random }: ConnectorTools,
): PollResult {
  const state = pageState(source.state);
  const before = unpacked(state);
  const change = before && comparePage(before, page);
  const changes = (state.changes ?? 0) + (change ? 1 : 0);
  const intervalMs = nextInterval(state.intervalMs ?? minIntervalMs, {
    found: change !== undefined,
    minMs: minIntervalMs,
  });
  const name = title || (state.name ?? new URL(url).host);
  return {
    ok: true,
    posts: change ? [toPost(change, changes, title, url)] : [],
    state: { ...packed(page), intervalMs, name, changes },
    nextInMs: jittered(Math.max(intervalMs, pageWait(headers, now())), random()),
    ...(name !== state.name && { source: { name } }),
  };
}

function toPost(change: PageChange, changes: number, title: string, url: string): Post {
  return {
    postId: "page",
    revision: `${changes}.${change.currentHash.slice(0, 16)}`,
    type: "web.page.changed",
    data: { change: { ...change, title, url } },
  };
}

import { gunzipSync, gzipSync } from "node:zlib";
import type { PollResult, Post } from "../../contracts/connectors.contract.ts";
import type { FinishedScrape } from "../../contracts/scraper.contract.ts";
import {
  comparePage,
  isMaintenance,
  keysOf,
  type PageChange,
  type PageText,
  readPageText,
} from "../../domain/page-diff/compare-page.ts";
import { noiseRules } from "../../domain/page-diff/noise.ts";
import { ignoredBlocks, type Rotation, trackRotation } from "../../domain/page-diff/rotation.ts";
import {
  type ConnectorTools,
  failedByError,
  failedByStatus,
  failedPoll,
  type PolledSource,
} from "../connector.ts";
import { jittered, nextInterval, pageWait } from "../poll-interval.ts";

/** Polls a page once. An empty or missing page is a failed poll, not a change. */
export async function pollPage(source: PolledSource, tools: ConnectorTools): Promise<PollResult> {
  try {
    const { job, headers } = await tools.scrapePage(source.externalId);
    const read = readPage(job);
    if (read.ok) return comparedPoll(source, read, headers, tools);
    if (read.status < 200 || read.status > 299) return failedByStatus(source, tools, read.status, headers);
    return failedPoll(source, tools, read.reason);
  } catch (error) {
    return failedByError(source, tools, error);
  }
}

function comparedPoll(
  source: PolledSource,
  { page, title, url }: Extract<ReadPage, { ok: true }>,
  headers: Record<string, string>,
  tools: ConnectorTools,
): PollResult {
  const state = pageState(source.state);
  const { before, after } = comparablePair(state, page);
  if (before && isMaintenance({ title, text: page.text }, before.text))
    return failedPoll(source, tools, "The site shows a maintenance page.");
  const isSame = before?.hash === after.hash;
  const follows = before && (!isSame || state.turns !== undefined);
  const turns = follows ? trackRotation(state.turns, keysOf(before), keysOf(after)) : undefined;
  const change = before && comparePage(before, after, ignoredBlocks(turns));
  const changes = (state.changes ?? 0) + (change ? 1 : 0);
  const { minIntervalMs, now, random } = tools;
  const intervalMs = nextInterval(state.intervalMs ?? minIntervalMs, {
    found: change !== undefined,
    minMs: minIntervalMs,
  });
  const name = title || (state.name ?? new URL(url).host);
  // Rotating blocks are compared with the last published text, whatever the page showed in between.
  const kept = before && !isSame && !change ? packText(before) : packText(page);
  return {
    ok: true,
    posts: change ? [toPost(change, changes, title, url)] : [],
    state: { ...kept, intervalMs, name, changes, ...(turns && { turns }) },
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

/** The state of a page between polls. */
interface PageState {
  hash: string;
  /** The page's text: gzip, base64. */
  text: string;
  /** The version of the noise rules that made `hash`. */
  rules: number;
  /** The blocks that the page rotates; absent while none does. */
  turns?: Rotation;
  intervalMs: number;
  name: string;
  /** Number of changes seen, so that a page which changes back gets a new revision. */
  changes: number;
}

/** The state of a source, which only this connector writes. */
function pageState(state: Record<string, unknown>): Partial<PageState> {
  return state as Partial<PageState>;
}

export function packText({ hash, text }: PageText): Pick<PageState, "hash" | "text" | "rules"> {
  return { hash, text: gzipSync(text).toString("base64"), rules: noiseRules };
}

/**
 * The stored page and the page to compare it with. Where other noise rules made the stored hash, both are hashed again,
 * from the part of the text that is stored.
 */
function comparablePair(
  { hash, text, rules }: Partial<PageState>,
  page: PageText,
): { before: PageText | undefined; after: PageText } {
  if (hash === undefined || text === undefined) return { before: undefined, after: page };
  const kept = gunzipSync(Buffer.from(text, "base64")).toString();
  if (rules === noiseRules) return { before: { hash, text: kept }, after: page };
  return { before: readPageText(kept), after: readPageText(page.text) ?? page };
}

/** A page that was read, or why it could not be: its status, or because it is empty. */
export type ReadPage =
  | { ok: true; page: PageText; markdown: string; title: string; url: string }
  | { ok: false; status: number; reason: string };

/** The main content of a scraped page. */
export function readPage({ data, url }: FinishedScrape): ReadPage {
  const { metadata, markdown = "" } = data;
  const { status_code: status } = metadata;
  if (status < 200 || status > 299)
    return { ok: false, status, reason: `The site answered with status ${status}.` };
  const page = readPageText(markdown);
  if (page === undefined || lettersOf(page.text) === lettersOf(metadata.title))
    return { ok: false, status, reason: "The page has no content." };
  return {
    ok: true,
    page,
    markdown,
    title: metadata.title.trim().slice(0, 300),
    url: metadata.final_url || url,
  };
}

// The scraper puts a page's title above its content: a text of the title alone is an empty page.
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

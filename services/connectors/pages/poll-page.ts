import type { Checked, CheckedVersion, PollResult, Post } from "../../contracts/connectors.contract.ts";
import type {
  ChangePictures,
  KeptPage,
  PolledPage,
  UnchangedPage,
} from "../../contracts/page-reads.contract.ts";
import type { FinishedScrape } from "../../contracts/scraper.contract.ts";
import type { ItemNews } from "../../domain/feed/compare-feed.ts";
import type { Verdict, WatchChange } from "../../domain/watch/judge.ts";
import type { Learned, Seen, Snapshot } from "../../domain/watch/snapshot.ts";
import { hasShareLeft, spend } from "../../domain/watch/watch-pictures.ts";
import {
  type ConnectorTools,
  failedByError,
  failedByStatus,
  failedPoll,
  type PageAsked,
  type PolledSource,
  readingOf,
} from "../connector.ts";
import { knownAfter, knownTo, unchangedPoll } from "./known-page.ts";
import { checkOf } from "./page-check.ts";
import { nextPageCheck } from "./page-pace.ts";
import { type ComparedSnapshot, type PageState, pageState } from "./page-state.ts";

/** Polls a page once. An empty or missing page is a failed poll, not a change. */
export async function pollPage(source: PolledSource, tools: ConnectorTools): Promise<PollResult> {
  const [result] = await pollPageViews([source], tools);
  return result as PollResult;
}

/** Polls a page once for several views of it, which want it rendered alike. A view that sees nothing fails alone. */
export async function pollPageViews(sources: PolledSource[], tools: ConnectorTools): Promise<PollResult[]> {
  const [first] = sources;
  if (first === undefined) return [];
  const startedAt = tools.now();
  let polled: PolledPage | UnchangedPage;
  try {
    polled = await visitPage(sources, tools);
  } catch (error) {
    return sources.map(source => failedByError(source, tools, error));
  }
  if ("unchanged" in polled) {
    const unchanged = polled;
    return sources.map(source => unchangedPoll(source, unchanged, startedAt, tools));
  }
  const results: PollResult[] = [];
  // Sources are read one after another: each may take a picture in the browser.
  for (const [at, source] of sources.entries())
    results.push(await resultOf(source, { ...polled, at: startedAt }, polled.snapshots?.[at], tools));
  return results;
}

/** Asks for a page once for several views of it. Throws what `scrapePage` does. */
export async function visitPage(
  sources: readonly PolledSource[],
  tools: Pick<ConnectorTools, "now" | "revisitPage" | "scrapePage">,
  how: Pick<PageAsked, "withPlace" | "spacingMs"> = {},
): Promise<PolledPage | UnchangedPage> {
  const [{ externalId = "", view = {} } = {}] = sources;
  const asked = { ...readingOf(view), views: sources.map(wantedView), ...how };
  const known = knownTo(sources, tools.now());
  return await (known ? tools.revisitPage(externalId, known, asked) : tools.scrapePage(externalId, asked));
}

function wantedView({ view = {}, state }: PolledSource) {
  const { page } = pageState(state);
  return { view, ...learnedBy(state), ...(page !== undefined && { page }) };
}

/** What the checks before have learned of a page. */
export function learnedBy(state: Record<string, unknown>): Learned {
  const { recipe, main, list } = pageState(state);
  return { ...(recipe && { recipe }), ...(main && { main }), ...(list && { entries: list.selector }) };
}

/** A page as a poll that began `at` found it. */
interface Visit extends PolledPage {
  at: number;
}

async function resultOf(
  source: PolledSource,
  visit: Visit,
  snapshot: Snapshot | undefined,
  tools: ConnectorTools,
): Promise<PollResult> {
  const { job, headers } = visit;
  const read = readView(job, snapshot);
  if (read.ok) return await comparedPoll(source, read, visit, tools);
  if (read.status < 200 || read.status > 299) return failedByStatus(source, tools, read.status, headers);
  return failedPoll(source, tools, read.reason);
}

async function comparedPoll(
  source: PolledSource,
  { page, title, url }: Extract<ReadPage, { ok: true }>,
  { job, headers, page: sent, known, at }: Visit,
  tools: ConnectorTools,
): Promise<PollResult> {
  const { view = {} } = source;
  const state = pageState(source.state);
  let compared: ComparedSnapshot;
  try {
    compared = await tools.compareSnapshot(source.externalId, { state, snapshot: page, view, title, at });
  } catch (error) {
    return failedByError(source, tools, error);
  }
  if (!compared.ok) return failedPoll(source, tools, compared.reason);
  const { verdict, kept, words, isSettled } = compared;
  const { change, news = [], isMore, confirm } = verdict;
  const isNews = change !== undefined || news.length > 0;
  const changes = (state.changes ?? 0) + (change ? 1 : 0);
  const name = title || (state.name ?? new URL(url).host);
  const { pictures, ...taken } = await picturesOf(source, change !== undefined, tools);
  const reported = change && { ...change, title, url, ...(pictures && { screenshot: pictures }) };
  const made = { isNews, headers, ...(confirm && { confirm }) };
  const { pace, nextInMs } = nextPageCheck(source, made, tools);
  const check = checkOf(job, page, verdict, tools.now() - at);
  const isNew = sent !== undefined && sent.hash !== state.page;
  return {
    ok: true,
    posts: reported ? [toPost(reported, changes)] : news.map(toItemPost),
    state: {
      ...kept,
      ...keptHash(sent?.hash ?? state.page),
      ...toldPage(state, kept, sent, verdict),
      ...pace,
      name,
      changes,
      ...taken,
      ...knownAfter(known, check, isSettled, tools.now()),
    },
    nextInMs: isMore ? tools.minIntervalMs : nextInMs,
    ...(isMore && { more: true }),
    ...(confirm && { confirm: true as const }),
    check: {
      ...check,
      ...(isNew ? { version: versionOf(sent, verdict, words) } : isNews && keptAs(state)),
      ...(isNews && state.toldPage !== undefined && { against: state.toldPage }),
    },
    ...(name !== state.name && { source: { name } }),
  };
}

/**
 * The page with which the next one is compared, among those that are kept. What waits, for a condition or to be confirmed,
 * leaves what is known as it was.
 */
function toldPage(
  before: Partial<PageState>,
  kept: Pick<PageState, "hash">,
  sent: KeptPage | undefined,
  { outcome }: Pick<Verdict, "outcome">,
): Pick<PageState, "toldPage"> {
  const isWaiting = outcome === "held" && kept.hash === before.hash;
  const told = isWaiting ? (before.toldPage ?? before.page) : (sent?.hash ?? before.page);
  return told === undefined ? {} : { toldPage: told };
}

/** What a check is about that saw the page as it was kept before. */
function keptAs({ page }: Partial<PageState>): Pick<Checked, "keptAs"> {
  return page === undefined ? {} : { keptAs: page };
}

/** The page that is kept now. */
export function keptHash(page: string | undefined): Pick<PageState, "page"> {
  return page === undefined ? {} : { page };
}

/** The page that is kept. Where the view sees no difference, other options may see one in it. */
export function versionOf(
  { hash, html, title }: KeptPage,
  { change, differs }: Pick<Verdict, "change" | "differs">,
  words: string,
): CheckedVersion {
  const counts = change ? { added: change.added.length, removed: change.removed.length } : differs;
  return { hash, title, content: html, words, ...counts };
}

function toPost(change: WatchChange, changes: number): Post {
  return {
    postId: "page",
    revision: `${changes}.${change.currentHash.slice(0, 16)}`,
    type: "web.page.changed",
    data: { change },
  };
}

function toItemPost({ postId, revision, item }: ItemNews): Post {
  return { postId, revision, type: "web.item.created", data: { item } };
}

/**
 * A picture with each change, and one to compare the first change with. A change goes out without, where none is made, and
 * where the pictures of this watch have spent their share.
 */
async function picturesOf(
  { externalId, id, state, view = {} }: PolledSource,
  isChanged: boolean,
  tools: ConnectorTools,
): Promise<Pick<PageState, "picture" | "pictured"> & { pictures?: ChangePictures }> {
  const { picture: kept, pictured } = pageState(state);
  if (!view.screenshot || id === undefined || !tools.pictureChange) return {};
  const former = { ...(kept !== undefined && { picture: kept }), ...(pictured && { pictured }) };
  const now = tools.now();
  if ((kept !== undefined && !isChanged) || !hasShareLeft(pictured, now)) return former;
  try {
    const { pictures, bytes, ...taken } = await tools.pictureChange(externalId, id, readingOf(view), kept);
    const next = { picture: taken.kept, pictured: spend(pictured, bytes, now) };
    return { ...next, ...(isChanged && { pictures }) };
  } catch {
    // The event does not wait for a browser; the picture before the next change is the last one that was taken.
    return former;
  }
}

/** A page that was read, or why it could not be: its status, or because it is empty. */
export type ReadPage =
  | { ok: true; page: Seen; markdown: string; title: string; url: string }
  | { ok: false; status: number; reason: string };

const noContent: Snapshot = { ok: false, reason: "The page has no content." };

/** What a view sees of a scraped page. */
export function readView({ data, url }: FinishedScrape, snapshot: Snapshot = noContent): ReadPage {
  const { metadata, markdown = "" } = data;
  const { status_code: status, title, final_url } = metadata;
  if (status < 200 || status > 299)
    return { ok: false, status, reason: `The site answered with status ${status}.` };
  if (!snapshot.ok) return { ok: false, status, reason: snapshot.reason };
  return { ok: true, page: snapshot, markdown, title: title.trim().slice(0, 300), url: final_url || url };
}

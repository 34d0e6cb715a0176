import type { Checked, PollResult, Post, ResolvedSource } from "../../contracts/connectors.contract.ts";
import { codeOf, fail, invalid } from "../../contracts/errors.ts";
import type { Found } from "../../contracts/search.contract.ts";
import type { View } from "../../contracts/watch.contract.ts";
import type { ItemNews } from "../../domain/feed/compare-feed.ts";
import {
  isOfDomains,
  longestWords,
  questionsOf,
  searchAddress,
  wordsOf,
} from "../../domain/search/search-words.ts";
import { type NewResult, newResults } from "../../domain/search/seen-results.ts";
import {
  type Aim,
  type ConnectorTools,
  failedByError,
  type PolledSource,
  type Previewed,
} from "../connector.ts";
import { jittered } from "../poll-interval.ts";

/** What a search remembers: the addresses that it has shown. */
interface SearchState {
  seen?: string;
}

/** Results that a poll asks for, and that count as known from the beginning: what rises from below them is not new. */
const [polledResults, baselineResults] = [30, 100];
const previewedResults = 10;
/** Milliseconds between two polls without `interval`. */
const usualIntervalMs = 3_600_000;

type SearchView = Pick<View, "domains" | "window">;

/** A search of the web; its present results are the baseline. */
export async function resolveSearch(
  sid: string,
  tools: ConnectorTools,
  { view = {} }: Aim = {},
): Promise<ResolvedSource> {
  const words = admittedWords(sid);
  const startedAt = tools.now();
  const found = await results(words, view, baselineResults, tools).catch(error => {
    throw asSidError(error);
  });
  const { seen, fresh } = newResults("", found);
  const reason = `This is the first check: ${resultsAre(fresh.length)} there.`;
  return {
    kind: "search",
    externalId: searchAddress(words),
    username: words,
    name: words,
    state: { seen },
    check: { outcome: "same", reason, tookMs: tools.now() - startedAt, engine: "http" },
  };
}

/** What a search finds now. */
export async function previewSearch(
  sid: string,
  tools: ConnectorTools,
  { view = {} }: Aim = {},
): Promise<Previewed> {
  const words = admittedWords(sid);
  const found = await results(words, view, previewedResults, tools).catch(error => {
    throw asSidError(error);
  });
  const items = newResults("", found).fresh.map(({ url, result: { title, date } }) => ({
    title,
    url,
    published_at: timeOf(date),
  }));
  return { source: "SEARCH", name: words, url: null, text: null, items: items.slice(0, previewedResults) };
}

/** Polls a search once: each address that it shows for the first time is news. */
export async function pollSearch(source: PolledSource, tools: ConnectorTools): Promise<PollResult> {
  const view: SearchView = source.view ?? {};
  const { seen: before = "" } = source.state as SearchState;
  const startedAt = tools.now();
  try {
    const found = await results(wordsOf(source.externalId), view, polledResults, tools);
    const { seen, fresh } = newResults(before, found);
    const told = await counted(source, fresh, tools);
    return {
      ok: true,
      // The best result comes first in an answer, and last in a log.
      posts: told.toReversed().map(postOf),
      state: { seen },
      check: { ...checkOf(fresh.length, told.length), tookMs: tools.now() - startedAt, engine: "http" },
      nextInMs: jittered(Math.max(usualIntervalMs, tools.minIntervalMs), tools.random()),
    };
  } catch (error) {
    return failedByError(source, tools, error);
  }
}

function admittedWords(sid: string): string {
  const words = wordsOf(sid);
  if (words === "") throw invalid("sid", "required", "Say what to search for.");
  if (words.length <= longestWords) return words;
  throw invalid("sid", "too_long", `A search has ${longestWords} characters at most.`);
}

/** What is wrong with a search is wrong with its words: without a search engine, too. */
function asSidError(error: unknown): unknown {
  const { message } = error as Error;
  return codeOf(error) === "validation_failed" ? invalid("sid", "not_configured", message) : error;
}

/** The results of the domains that are wanted, the best first. */
async function results(
  words: string,
  { domains = [], window }: SearchView,
  limit: number,
  { searchWeb }: ConnectorTools,
): Promise<Found[]> {
  if (!searchWeb) throw fail("connector_unavailable", "Searches cannot be asked for here.");
  const found: Found[] = [];
  for (const query of questionsOf(words, domains))
    found.push(...(await searchWeb({ query, limit, ...(window && { within: window }) })));
  return found.filter(({ url }) => isOfDomains(url, domains));
}

/** Those that the options do not leave out; each result is judged once. */
async function counted(
  { externalId, view }: PolledSource,
  fresh: NewResult<Found>[],
  tools: ConnectorTools,
): Promise<NewResult<Found>[]> {
  const isPlain = !view?.ignore && !view?.when;
  if (isPlain || fresh.length === 0) return fresh;
  const news = fresh.map(({ key, url, result: { title, description } }): ItemNews => {
    const item = { id: key, url, ...(title && { title }), ...(description && { summary: description }) };
    return { kind: "created", postId: key, revision: "", item };
  });
  const left = new Set((await tools.countingNews(externalId, news, view)).map(({ postId }) => postId));
  return fresh.filter(({ key }) => left.has(key));
}

function postOf({ key, url, result: { title, description, date } }: NewResult<Found>): Post {
  return {
    postId: key,
    revision: "found",
    type: "search.result.found",
    data: { result: { url, title, description, date } },
  };
}

function checkOf(fresh: number, told: number): Pick<Checked, "outcome" | "reason"> {
  if (fresh === 0) return { outcome: "same", reason: "No result is new." };
  if (told === 0)
    return { outcome: "held", reason: `${resultsAre(fresh)} new, and the options leave them out.` };
  return { outcome: "changed", reason: `${resultsAre(told)} new.` };
}

function resultsAre(count: number): string {
  return count === 1 ? "1 result is" : `${count} results are`;
}

function timeOf(date: string | null): string | null {
  const time = Date.parse(date ?? "");
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

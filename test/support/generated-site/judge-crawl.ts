import { type Expectation, fetchedOf } from "./expect-crawl.ts";
import type { Graph } from "./node.ts";
import type { Visit } from "./serve.ts";

/** How a crawl ended, as its client sees it. */
export interface CrawlEnd {
  status: string;
  progress: {
    discovered: number;
    queued: number;
    running: number;
    completed: number;
    failed: number;
    skipped: number;
  };
  /** Addresses of the pages among its results, in their order. */
  results: string[];
  /** Addresses of the pages among its errors. */
  errors: string[];
  /** Why it failed. */
  error?: { code: string; message: string };
}

export interface CrawlBounds {
  limit: number;
  /** Pages that may have been in flight when a life of the crawler ended. */
  inFlight: number;
}

/** Everything about a crawl that is not as it must be, in sentences. */
export function judgeCrawl(
  graph: Graph,
  expected: Expectation,
  visits: Visit[],
  end: CrawlEnd,
  bounds: CrawlBounds,
): string[] {
  return [
    ...(end.status === "completed" ? [] : [`the crawl has ${end.status}: ${JSON.stringify(end.error)}`]),
    ...strangers(expected, visits),
    ...again(visits, bounds.inFlight),
    ...sums(end, bounds.limit),
    ...listings(graph, end),
    ...extent(graph, expected, visits, end, bounds.limit),
  ];
}

/** What a crawler may ask for on every site. */
const ofCrawlers = new Set(["/robots.txt", "/sitemap.xml"]);

/** What the site does not have, and what a crawl must leave alone. */
function strangers(expected: Expectation, visits: Visit[]): string[] {
  const fetched = fetchedOf(expected);
  return visits.flatMap(({ id, target, status }) => {
    if (id === null)
      return status === 404 && !ofCrawlers.has(target) ? [`${target} is nowhere on the site`] : [];
    return fetched.has(id) ? [] : [`${target} must not be fetched`];
  });
}

/** A page comes again after it was busy, or when a life ended while it was in flight. */
function again(visits: Visit[], inFlight: number): string[] {
  const before = new Map<string, Visit>();
  const perLife = new Map<number, number>();
  return visits.flatMap(visit => {
    const name = visit.id ?? `${visit.host}${visit.target}`;
    const earlier = before.get(name);
    before.set(name, visit);
    if (!earlier || earlier.status === 429 || earlier.status === 503) return [];
    if (earlier.life === visit.life)
      return [`${name} was fetched twice, as ${earlier.target} and ${visit.target}`];
    // Robots rules and sitemaps are read anew by each life.
    if (visit.id === null) return [];
    const count = (perLife.get(visit.life) ?? 0) + 1;
    perLife.set(visit.life, count);
    return count <= inFlight ? [] : [`${name} came again after a kill, beyond what was in flight`];
  });
}

function sums({ progress, results }: CrawlEnd, limit: number): string[] {
  const { discovered, queued, running, completed, failed, skipped } = progress;
  const text = JSON.stringify(progress);
  return [
    ...(queued === 0 && running === 0 ? [] : [`something is left over: ${text}`]),
    ...(discovered === completed + failed + skipped ? [] : [`counts do not add up: ${text}`]),
    ...(completed + failed <= limit ? [] : [`more than ${limit} pages: ${text}`]),
    ...(results.length === completed ? [] : [`${results.length} results of ${completed}`]),
  ];
}

/** Each page is among the results or the errors once. */
function listings(graph: Graph, { results, errors }: CrawlEnd): string[] {
  const seen = new Set<string>();
  return [...results, ...errors].flatMap(url => {
    const id = idOf(graph, url);
    if (id === undefined) return [`${url} is listed and not of the site`];
    if (seen.has(id)) return [`${id} is listed twice`];
    seen.add(id);
    return [];
  });
}

/** Everything is found when the limit allows; else the limit is used up. */
function extent(
  graph: Graph,
  expected: Expectation,
  visits: Visit[],
  { progress, results }: CrawlEnd,
  limit: number,
): string[] {
  const used = progress.completed + progress.failed;
  const countable = expected.pages.size + expected.missing.size;
  const due = Math.min(limit, countable);
  if (used !== due) return [`${used} pages completed or failed of ${due}`];
  if (limit < countable) return [];
  const fetched = new Set(visits.map(({ id }) => id));
  const listed = new Set(results.map(url => idOf(graph, url)));
  return [
    ...[...fetchedOf(expected)].filter(id => !fetched.has(id)).map(id => `${id} was never fetched`),
    ...[...expected.pages].filter(id => !listed.has(id)).map(id => `${id} is not among the results`),
  ];
}

function idOf(graph: Graph, url: string): string | undefined {
  const { pathname, search } = new URL(url);
  return graph.spellings.get(pathname + search);
}

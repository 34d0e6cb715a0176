import { setTimeout as delay } from "node:timers/promises";
import { changes } from "../fixtures/watching/changes.ts";
import { noises } from "../fixtures/watching/noise.ts";
import { startSite } from "../support/http-site.ts";
import { type Bench, type Outcome, verdict } from "./compare.ts";
import { startChangedetection } from "./peers/changedetection.ts";
import { cpuSecondsOfTrees } from "./processes.ts";
import { type Program, startProgram } from "./program.ts";

/** A program that watches pages. */
interface Watcher {
  pids: number[];
  watch(urls: string[]): Promise<void>;
  /** Has it check its pages soon. Undefined: it does so by itself. */
  recheck?(): Promise<void>;
  /** The addresses of which it told a change. */
  told(): Promise<Set<string>>;
  stop(): Promise<void>;
}

const cpuPages = 60;
const measuredMs = 15_000;
const settledAfter = 8;
const patienceMs = 300_000;
/** A change outside the main content is confirmed after half a minute. */
const confirmationMs = 40_000;
const heard = noises.filter(({ isObserved }) => !isObserved);

/** Changes told, kinds of noise silent and CPU time of a check, beside changedetection.io on the same pages. */
export const watch: Bench = async () => {
  const ours = await measure(startMagpie);
  const theirs = await measure(startChangedetection).catch((error: Error) => error);
  const line = ({ told, silent, unchangedMs, changedMs }: Measured) =>
    `${told} of ${changes.length} changes told, ${silent} of ${heard.length} kinds of noise silent, ${unchangedMs.toFixed(2)} ms of CPU an unchanged check of 55 KB, ${changedMs.toFixed(2)} a changed one`;
  const own: Outcome[] = [
    { line: `watch, Magpie: ${line(ours)}` },
    verdict("watch: changes told", ours.told / changes.length, ">=", 0.95),
    verdict("watch: kinds of noise silent", ours.silent / heard.length, ">=", 0.95),
  ];
  if (theirs instanceof Error)
    return [...own, { line: `changedetection.io could not be run: ${theirs.message}` }];
  return [
    ...own,
    { line: `watch, changedetection.io: ${line(theirs)}` },
    verdict("watch: CPU of an unchanged check over theirs", ours.unchangedMs / theirs.unchangedMs, "<=", 0.5),
    { line: `watch: CPU of a changed check over theirs ${(ours.changedMs / theirs.changedMs).toFixed(2)}` },
  ];
};

interface Measured {
  told: number;
  silent: number;
  unchangedMs: number;
  changedMs: number;
}

async function measure(start: () => Promise<Watcher>): Promise<Measured> {
  const found = await withPages(start, judged);
  // In a process of its own: no other pages are checked meanwhile.
  const unchangedMs = await withPages(start, (watcher, pages) => cpuOf(watcher, pages, "same"));
  const changedMs = await withPages(start, (watcher, pages) => cpuOf(watcher, pages, "other"));
  return { ...found, unchangedMs, changedMs };
}

async function withPages<Result>(
  start: () => Promise<Watcher>,
  work: (watcher: Watcher, pages: Pages) => Promise<Result>,
): Promise<Result> {
  const pages = await startPages();
  const watcher = await start();
  try {
    return await work(watcher, pages);
  } finally {
    await watcher.stop();
    await pages.close();
  }
}

/** The pages of a side; each on an address of its own, so that no politeness delays them. */
async function startPages() {
  const fetches = new Map<string, number>();
  let state: "before" | "after" = "before";
  const site = await startSite(
    (request, response) => {
      const path = request.url ?? "";
      const fetch = fetches.get(path) ?? 0;
      fetches.set(path, fetch + 1);
      const [, kind = "", number = ""] = path.split("/");
      const body = pageOf(kind, Number(number), fetch, state);
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);
    },
    undefined,
    "0.0.0.0",
  );
  const urls = (kind: string, count: number) =>
    Array.from({ length: count }, (_, n) => `http://127.0.0.${(n % 200) + 1}:${site.port}/${kind}/${n}`);
  const fetched = (kind: string) =>
    [...fetches].filter(([path]) => path.startsWith(`/${kind}/`)).map(([, count]) => count);
  return {
    urls,
    change: () => {
      state = "after";
    },
    checks: (kind: string) => fetched(kind).reduce((sum, count) => sum + count, 0),
    /** Resolves when each page of a kind was fetched so often. */
    untilFetched: async (watcher: Watcher, kind: string, count: number, least: number) => {
      const end = Date.now() + patienceMs;
      while (fetched(kind).length < count || fetched(kind).some(times => times < least)) {
        if (Date.now() > end) throw new Error(`pages were not checked ${least} times`);
        await watcher.recheck?.();
        await delay(1000);
      }
    },
    close: () => site.close(),
  };
}

type Pages = Awaited<ReturnType<typeof startPages>>;

function pageOf(kind: string, number: number, fetch: number, state: "before" | "after"): string {
  if (kind === "change") return changes[number]?.[state] ?? "";
  if (kind === "noise") return heard[number]?.at(fetch) ?? "";
  const line =
    kind === "other" ? `<p>Version ${"abcdefghij"[fetch % 10]} ${fetch} of this page is out.</p>` : "";
  const texts = Array.from({ length: 75 }, (_, at) => `<p>${words(number * 100 + at)}.</p>`).join("\n");
  return `<!doctype html><html lang="en"><title>Page ${number}</title><main><h1>Page ${number}</h1>${line}${texts}</main></html>`;
}

function words(seed: number): string {
  return Array.from({ length: 90 }, (_, at) => `word${(at * 7919 + seed * 31) % 997}`).join(" ");
}

async function judged(watcher: Watcher, pages: Pages): Promise<Pick<Measured, "told" | "silent">> {
  const [real, noise] = [pages.urls("change", changes.length), pages.urls("noise", heard.length)];
  await watcher.watch([...real, ...noise]);
  await pages.untilFetched(watcher, "change", real.length, 2);
  await delay(confirmationMs);
  const before = await watcher.told();
  pages.change();
  const since = pages.checks("change");
  await pages.untilFetched(watcher, "noise", noise.length, 7);
  while (pages.checks("change") < since + 3 * real.length) {
    await watcher.recheck?.();
    await delay(1000);
  }
  await delay(confirmationMs);
  const after = await watcher.told();
  const tooEarly = real.filter(url => before.has(url));
  if (tooEarly.length > 0) throw new Error(`told before it changed: ${tooEarly.join(", ")}`);
  return {
    told: real.filter(url => after.has(url)).length,
    silent: noise.filter(url => !after.has(url)).length,
  };
}

/** Milliseconds of CPU time a check of pages, which are unchanged or another at each fetch. */
async function cpuOf(watcher: Watcher, pages: Pages, kind: "same" | "other"): Promise<number> {
  await watcher.watch(pages.urls(kind, cpuPages));
  // A watch is looked up, and then read until it has come to rest.
  await pages.untilFetched(watcher, kind, cpuPages, settledAfter);
  const [checks, seconds] = [pages.checks(kind), cpuSecondsOfTrees(watcher.pids)];
  const end = Date.now() + measuredMs;
  while (Date.now() < end) {
    await watcher.recheck?.();
    await delay(1000);
  }
  return ((cpuSecondsOfTrees(watcher.pids) - seconds) * 1000) / (pages.checks(kind) - checks);
}

async function startMagpie(): Promise<Watcher> {
  const program = await startProgram([], { EGRESS_ALLOW: "127.0.0.0/8", POLL_MIN_INTERVAL: "1s" });
  return {
    pids: [program.pid],
    watch: async urls => {
      // The other side asks for pages without a browser, too.
      const options = { render: "never" };
      for (const sid of urls) await track(program, { sid, options });
    },
    told: async () => {
      const told = new Set<string>();
      for (let cursor = ""; ; ) {
        const page = (await program.ask("GET", `/track?limit=100${cursor}`)) as Listed;
        for (const { externalId, last_event_at } of page.data)
          if (last_event_at !== null) told.add(externalId);
        if (page.next_cursor === null) return told;
        cursor = `&cursor=${page.next_cursor}`;
      }
    },
    stop: () => program.stop(),
  };
}

/** A busy machine may refuse one for a moment. */
async function track(program: Program, wanted: object, triesLeft = 5): Promise<void> {
  await program.ask("POST", "/track/web", wanted).catch(async error => {
    if (triesLeft === 0) throw error;
    await delay(2000);
    await track(program, wanted, triesLeft - 1);
  });
}

interface Listed {
  data: { externalId: string; last_event_at: string | null }[];
  next_cursor: string | null;
}

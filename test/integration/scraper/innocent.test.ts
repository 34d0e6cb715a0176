import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../support/folders.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { startArgs, startEnv, withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";
import type { Crawl, Listed } from "../crawler/crawler.ts";
import type { Job, Refusal } from "./scraper.ts";

const root = join(import.meta.dirname, "../../..");

/** What each life of the program reads until it ends, and what it has read before. */
const heldPages = ["/held", "/site/held"];
const killers = ["/kills", "/bad/kills"];

let site: Site;
let waiting: ServerResponse[];
let isHeld: boolean;
let dataDir: string;
let program: Program | undefined;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-innocent-"));
  waiting = [];
  isHeld = true;
  const held = (_: unknown, response: ServerResponse) =>
    isHeld ? waiting.push(response) : response.end(page());
  site = await startSite({
    ...Object.fromEntries([...heldPages, ...killers].map(path => [path, held])),
    "/site/": page("/site/held", "/site/other"),
    "/site/other": page(),
    "/bad/": page("/bad/kills", "/bad/other"),
    "/bad/other": page(),
  });
});

afterEach(async () => {
  program?.child.kill("SIGKILL");
  await program?.exit;
  await site.close();
  await removeFolder(dataDir);
});

test("pages that end the program twice fail; jobs of others that were at work complete", async () => {
  program = await start();
  const [own, key] = [await newKey("own"), await newKey("other")];
  const innocent = await begin(own, "/held", "/site/");
  const culprit = await begin(key, "/kills", "/bad/");
  await asked([...heldPages, ...killers], 1);
  await fall(program);
  await asked([...heldPages, ...killers], 2);
  await fall(program);
  await asked(heldPages, 3);
  giveHeld();

  expect(await scraped(key, culprit.scrape)).toMatchObject({
    status: "failed",
    error: { code: "internal_error", message: expect.stringContaining("died twice") },
  });
  expect(await crawled(key, culprit.crawl)).toMatchObject({
    ...{ status: "completed", stop_reason: "finished" },
    progress: { completed: 2, failed: 1 },
  });
  const errors = await ask<{ data: Listed[] }>(key, `/web/crawl/${culprit.crawl}/errors`);
  const message = expect.stringContaining("died again and again");
  expect(errors.data).toEqual([
    { url: `${site.url}/bad/kills`, status: "failed", code: "internal_error", message },
  ]);
  await expectCompleted(own, innocent);
  expect(killers.map(timesAsked)).toEqual([2, 2]);
});

test("jobs that were at work when the program ended twice, nobody knows why, complete", async () => {
  program = await start();
  const [own, key] = [await newKey("own"), await newKey("other")];
  const innocent = await begin(own, "/held", "/site/");
  const other = await begin(key, "/held", "/site/");
  await asked([...heldPages, ...heldPages], 1);
  await fall(program);
  await asked([...heldPages, ...heldPages], 2);
  program.child.kill("SIGKILL");
  await program.exit;
  giveHeld();
  program = await start();
  await expectCompleted(own, innocent);
  await expectCompleted(key, other);
});

interface Jobs {
  scrape: string;
  crawl: string;
}

async function begin(key: string, page: string, entry: string): Promise<Jobs> {
  const usual = { js_render: { enabled: false } };
  // A page that is held takes as long as the machine takes to start the program: the scrape may, too.
  const scrape = { url: site.url + page, mode: "async", timeout: 300_000, ...usual };
  const crawl = { url: site.url + entry, crawler: { sitemaps: false }, ...usual };
  const { scrape_id } = await ask<Job>(key, "/web/scrape", scrape);
  const { crawl_id } = await ask<Crawl>(key, "/web/crawl", crawl);
  return { scrape: scrape_id, crawl: crawl_id };
}

async function expectCompleted(key: string, jobs: Jobs): Promise<void> {
  expect(await scraped(key, jobs.scrape)).toMatchObject({ status: "completed" });
  expect(await crawled(key, jobs.crawl)).toMatchObject({
    ...{ status: "completed", stop_reason: "finished" },
    progress: { completed: 3, failed: 0 },
  });
}

const scraped = (key: string, id: string) => ended<Job & Refusal>(key, `/web/scrape/${id}`, "pending");
const crawled = (key: string, id: string) => ended<Crawl>(key, `/web/crawl/${id}`, "crawling");

/** What a job is once it is no more in its first state. */
async function ended<State extends { status: string }>(
  key: string,
  path: string,
  first: string,
): Promise<State> {
  let state = await ask<State>(key, path);
  await until(`${path} ends`, async () => {
    state = await ask<State>(key, path);
    return state.status !== first;
  });
  return state;
}

/** Of an owner of its own; one that may ask as often as a test that waits does. */
async function newKey(owner: string): Promise<string> {
  const { adminKey } = credentials();
  const limits = { requestsPerMinute: 1_000_000 };
  const made = await fetch(`${program?.url()}/internal/keys`, {
    method: "POST",
    headers: { "x-admin-key": adminKey, "content-type": "application/json" },
    body: JSON.stringify({ owner, name: "n", limits }),
  });
  const { data } = (await made.json()) as { data: { key: string } };
  return data.key;
}

async function ask<Answer>(key: string, path: string, body?: object): Promise<Answer> {
  const reply = await fetch(`${program?.url()}${path}`, {
    method: body ? "POST" : "GET",
    headers: { "x-api-key": key, ...(body && { "content-type": "application/json" }) },
    signal: AbortSignal.timeout(60_000),
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await reply.json()) as Answer;
}

/** Waits until each of the pages was asked for so often. */
async function asked(pages: string[], times: number): Promise<void> {
  const wanted = (path: string) => times * pages.filter(each => each === path).length;
  await until(`${pages} were asked for, ${times} times`, () =>
    pages.every(path => timesAsked(path) >= wanted(path)),
  );
}

function timesAsked(path: string): number {
  return site.hits.filter(({ url }) => url === path).length;
}

function giveHeld(): void {
  isHeld = false;
  for (const response of waiting) response.end(page());
}

function page(...links: string[]): string {
  return `<main><p>Seven boats.</p>${links.map(link => `<a href="${link}">${link}</a>`).join("")}</main>`;
}

interface Program {
  child: ChildProcess;
  exit: Promise<number | null>;
  output(): string;
  /** Where it listens now. */
  url(): string;
}

/**
 * Upon a signal, throws an error that nobody handles out of the work on each page that kills; where there is none, out
 * of no work at all.
 */
const falls = `
  import { AsyncLocalStorage } from "node:async_hooks";
  import { subscribe } from "node:diagnostics_channel";
  const killers = [];
  subscribe("undici:request:create", ({ request }) => {
    if (request.path.endsWith("/kills")) killers.push(AsyncLocalStorage.snapshot());
  });
  const fall = () => setImmediate(() => { throw new Error("unforeseen"); });
  process.on("SIGUSR2", () => {
    if (killers.length === 0) fall();
    for (const run of killers) run(fall);
  });`;

/** The program, as `npm start` runs it. */
async function start(): Promise<Program> {
  const preload = ["--import", `data:text/javascript,${encodeURIComponent(falls)}`];
  const child = spawn(process.execPath, [...preload, ...startArgs], {
    cwd: root,
    env: {
      ...startEnv,
      ...withoutBrowser,
      ...{ HOME: tmpdir(), LOG_FORMAT: "json", DATA_DIR: dataDir, PORT: "0" },
      EGRESS_ALLOW: `127.0.0.1:${site.port}`,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", text => {
      output += text;
    });
  const exit = new Promise<number | null>(resolve => child.once("exit", resolve));
  const url = () => /.*Magpie listens on (\S+),/s.exec(output)?.[1] ?? "";
  const started: Program = { child, exit, output: () => output, url };
  await listens(started, 1);
  return started;
}

/** Lets an error come up that nobody handles; waits until the program has started anew. */
async function fall(program: Program): Promise<void> {
  const starts = startsOf(program);
  program.child.kill("SIGUSR2");
  await listens(program, starts + 1);
}

async function listens(program: Program, times: number): Promise<void> {
  await until("it listens", () => {
    if (program.child.exitCode !== null) throw new Error(program.output());
    return startsOf(program) === times;
  });
}

function startsOf(program: Program): number {
  return program.output().split("Magpie listens on").length - 1;
}

function credentials(): { adminKey: string } {
  return JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8"));
}

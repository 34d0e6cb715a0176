import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../support/folders.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { startArgs, startEnv } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";
import type { Job } from "./scraper.ts";

const root = join(import.meta.dirname, "../../..");

let site: Site;
let dataDir: string;
let runs: Run[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-scrape-"));
  site = await startSite({
    "/script": "<title>t</title><body><script>document.body.append('written by a script')</script>",
    "/held": () => undefined,
    "/odd": `<body><p>${"read ".repeat(60)}</p><iframe src="http://a b/"></iframe>`,
  });
});

afterEach(async () => {
  for (const { child } of runs) child.kill("SIGKILL");
  await Promise.all(runs.map(({ exit }) => exit));
  runs = [];
});

afterAll(async () => {
  await site?.close();
  await removeFolder(dataDir);
});

test("scrapes; SIGTERM ends it with 0 and no browser is left; keys and screenshots outlive it", async () => {
  const first = await start();
  const { data } = await scrape(first, { formats: ["markdown", "screenshot"] });
  expect(data.markdown).toContain("written by a script");
  const browsers = descendants(first.child.pid);
  expect(browsers.length).toBeGreaterThan(0);
  first.child.kill("SIGTERM");
  expect(await first.exit).toBe(0);
  expect(browsers.filter(isRunning)).toEqual([]);
  const second = await start();
  expect(second.apiKey).toBe(first.apiKey);
  const picture = await fetch(`${second.url}/web/screenshot/${data.screenshot}`, {
    headers: { "x-api-key": second.apiKey },
  });
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
});

test("a page that asks for a host which is none costs nobody anything", async () => {
  const run = await start();
  const reply = await post(run, {
    url: `${site.url}/odd`,
    output: { formats: ["markdown", "screenshot"] },
    timeout: 120_000,
  });
  expect([reply.status, ((await reply.json()) as Job).data.markdown]).toEqual([
    200,
    expect.stringContaining("read"),
  ]);
  expect((await scrape(run, { formats: ["markdown", "screenshot"] })).status).toBe("completed");
  expect(run.child.exitCode).toBeNull();
});

test("SIGTERM under a scrape: it is answered first", async () => {
  const run = await start();
  const from = site.hits.length;
  const answer = post(run, { url: `${site.url}/held`, timeout: 2000 });
  await until("the site is being asked", () => site.hits.length > from);
  run.child.kill("SIGTERM");
  const reply = await answer;
  expect([reply.status, (await reply.json()).code]).toEqual([408, "scrape_timeout"]);
  expect(await run.exit).toBe(0);
});

test("an error that nobody handles: it is logged, work is handed back, and the program begins anew", async () => {
  const run = await start(["--import", falls]);
  const from = site.hits.length;
  const accepted = await post(run, { url: `${site.url}/held?anew`, mode: "async" });
  const { scrape_id } = (await accepted.json()) as Job;
  await until("the site is being asked", () => site.hits.length > from);
  run.child.kill("SIGUSR2");
  await until("it listens again", () => run.output().split("Magpie listens on").length === 3);
  expect(run.output()).toMatch(/"level":"fatal".*"event":"process.failed".*unforeseen.*at Timeout/);
  await until("the site is asked again", () => site.hits.length > from + 1);
  const url = /.*Magpie listens on (\S+),/s.exec(run.output())?.[1];
  const reply = await fetch(`${url}/web/scrape/${scrape_id}`, { headers: { "x-api-key": run.apiKey } });
  expect([reply.status, ((await reply.json()) as Job).status]).toEqual([200, "pending"]);
  run.child.kill("SIGTERM");
  expect(await run.exit).toBe(0);
});

test("an error that nobody handles, again and again: it ends with a sentence", async () => {
  const now = Date.now();
  writeFileSync(join(dataDir, "falls.json"), JSON.stringify([now, now, now, now]));
  const run = await start(["--import", falls]);
  run.child.kill("SIGUSR2");
  expect(await run.exit).toBe(1);
  expect(run.output()).toMatch(/magpie ends: 5 times within ten minutes/);
});

test("kill -9: no browser is left", async () => {
  const run = await start();
  expect((await scrape(run, { formats: ["markdown"] })).status).toBe("completed");
  const browsers = descendants(run.child.pid);
  expect(browsers.length).toBeGreaterThan(0);
  run.child.kill("SIGKILL");
  await run.exit;
  await until("every process of the browser has gone", () => !browsers.some(isRunning));
});

/** Lets an error come up that nobody handles. */
const falls = `data:text/javascript,process.on("SIGUSR2", () => setTimeout(() => { throw new Error("unforeseen") }))`;

interface Run {
  output(): string;
  child: ChildProcess;
  exit: Promise<number | null>;
  url: string;
  apiKey: string;
}

/** The program, as `npm start` runs it. */
async function start(nodeArgs: string[] = []): Promise<Run> {
  const { BROWSER_PATH } = process.env;
  const child = spawn(process.execPath, [...nodeArgs, ...startArgs], {
    cwd: root,
    env: {
      ...startEnv,
      HOME: tmpdir(),
      LOG_FORMAT: "json",
      DATA_DIR: dataDir,
      PORT: "0",
      EGRESS_ALLOW: `127.0.0.1:${site.port}`,
      ...(BROWSER_PATH && { BROWSER_PATH }),
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", text => {
      output += text;
    });
  const exit = new Promise<number | null>(resolve => child.once("exit", resolve));
  const run: Run = { child, exit, url: "", apiKey: "", output: () => output };
  runs.push(run);
  await until("it listens", () => {
    if (child.exitCode !== null) throw new Error(output);
    run.url = /Magpie listens on (\S+),/.exec(output)?.[1] ?? "";
    return run.url !== "";
  });
  run.apiKey = JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8")).bootstrapApiKey;
  return run;
}

async function scrape(run: Run, output: object): Promise<Job> {
  const reply = await post(run, { url: `${site.url}/script`, output, timeout: 120_000 });
  expect(reply.status).toBe(200);
  return (await reply.json()) as Job;
}

function post({ url, apiKey }: Run, body: object): Promise<Response> {
  return fetch(`${url}/web/scrape`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(150_000),
  });
}

/** All processes below one, as the kernel lists them now. */
function descendants(ancestor: number | undefined): number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter(name => /^\d+$/.test(name))
      .map(name => [Number(name), Number(statOf(Number(name))?.[1])]),
  );
  const below = (pid: number): number[] =>
    [...parents].flatMap(([child, parent]) => (parent === pid ? [child, ...below(child)] : []));
  return ancestor === undefined ? [] : below(ancestor);
}

/** A process that has ended and waits for its parent runs no more. */
function isRunning(pid: number): boolean {
  const state = statOf(pid)?.[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

/** State and parent; the name before them may hold blanks and parentheses (proc(5)). */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    // It has gone in the meantime.
    return undefined;
  }
}

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { benchPages } from "../../test/bench/pages.ts";
import { descendants, kilobytes } from "../../test/bench/processes.ts";
import { type Program, startProgram } from "../../test/bench/program.ts";
import { until } from "../../test/support/until.ts";
import { limitMemory } from "./memory-limit.ts";

/** What kernel and system leave of a machine with 1 GB. */
export const smallMachineMb = 896;
const sampleMs = 100;
const pagesOfEach = 8;
/** A busy machine takes its time. */
const pageMs = 120_000;

export interface SmallMachine {
  /** The most memory that the program and its browser had at a time. */
  peakMb: number;
  /** Whether the kernel held them to the limit. */
  isConfined: boolean;
  /** What it was asked and did. */
  did: string[];
}

/**
 * Runs the program with BROWSER_PAGES=1 in as much memory as a machine of 1 GB has, and asks it for everything at once:
 * plain and rendered pages, a crawl, a source and its deliveries. Throws where something fails or is killed.
 */
export async function runOnSmallMachine(siteUrl: string): Promise<SmallMachine> {
  const limit = limitMemory(smallMachineMb);
  const hook = await startHook();
  const settings = { BROWSER_PAGES: "1", SCRAPER_IDLE: "10m", WEBHOOK_ALLOW_HTTP: "true" };
  const program = await startProgram([], settings, limit?.launcher);
  let peakMb = 0;
  const look = () => {
    peakMb = Math.max(peakMb, limit?.usedMb() ?? residentMb(program.pid));
  };
  const sampler = setInterval(look, sampleMs);
  try {
    const did = await Promise.all([
      scrapeAll(program, siteUrl),
      crawl(program, siteUrl),
      trackAndDeliver(program, hook),
    ]);
    look();
    const killed = limit?.killed() ?? 0;
    if (killed > 0)
      throw new Error(`${killed} processes were killed for want of memory in ${smallMachineMb} MB`);
    return { peakMb, isConfined: limit !== undefined, did: did.flat() };
  } finally {
    clearInterval(sampler);
    await Promise.all([program.stop(), hook.close()]);
    limit?.remove();
  }
}

async function scrapeAll(program: Program, siteUrl: string): Promise<string[]> {
  const engines = { http: 0, browser: 0 };
  for (const scripts of ["none", "own"] as const)
    for (const { path } of benchPages(scripts).slice(0, pagesOfEach)) {
      const scrape = { url: siteUrl + path, timeout: pageMs };
      const { data } = (await program.ask("POST", "/web/scrape", scrape)) as Scraped;
      engines[data.metadata.engine] += 1;
    }
  if (engines.browser === 0) throw new Error("no page was rendered");
  return [`${engines.http} plain pages`, `${engines.browser} rendered pages`];
}

interface Scraped {
  data: { metadata: { engine: "http" | "browser" } };
}

async function crawl(program: Program, siteUrl: string): Promise<string[]> {
  const url = `${siteUrl}/none/article-0`;
  const { crawl_id } = (await program.ask("POST", "/web/crawl", { url, crawler: { limit: 10 } })) as {
    crawl_id: string;
  };
  let now = { status: "crawling" };
  await until("the crawl has ended", async () => {
    now = (await program.ask("GET", `/web/crawl/${crawl_id}`)) as { status: string };
    return now.status !== "crawling";
  });
  if (now.status !== "completed") throw new Error(`the crawl: ${JSON.stringify(now)}`);
  return ["a crawl"];
}

async function trackAndDeliver(program: Program, hook: Hook): Promise<string[]> {
  const posts = 20;
  await program.ask("POST", "/webhook", { url: hook.url });
  await program.ask("POST", "/track/microblog", { sid: "corvid_lab" });
  for (let number = 0; number < posts; number += 1) await post(program, `Post ${number}.`);
  for (let number = 0; number < posts; number += 1)
    await until(`post ${number} is delivered`, () => hook.texts().includes(`Post ${number}.`));
  return [`${posts} deliveries`];
}

async function post(program: Program, text: string): Promise<void> {
  const response = await fetch(`${program.address}/internal/sandbox/post`, {
    method: "POST",
    headers: { "x-admin-key": program.adminKey, "content-type": "application/json" },
    body: JSON.stringify({ platform: "microblog", username: "corvid_lab", text }),
  });
  if (!response.ok) throw new Error(`the post: HTTP ${response.status} ${await response.text()}`);
}

interface Hook {
  url: string;
  /** All that was received. */
  texts(): string;
  close(): Promise<void>;
}

async function startHook(): Promise<Hook> {
  let received = "";
  const server = createServer(async (request, response) => {
    for await (const chunk of request) received += chunk;
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    texts: () => received,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Without a control group: pages that several processes share are counted in each. */
function residentMb(pid: number): number {
  const all = [pid, ...descendants(pid)];
  return all.reduce((sum, each) => sum + kilobytes(each, "status", "VmRSS"), 0) / 1024;
}

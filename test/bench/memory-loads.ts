import { setTimeout as delay } from "node:timers/promises";
import { startSite } from "../support/http-site.ts";
import { startHelper } from "./child.ts";
import { rate } from "./compare.ts";
import { crawlRate } from "./crawl-run.ts";
import { openDelivering, openSink } from "./deliveries-program.ts";
import type { FeedsMode, Readings } from "./feeds.process.ts";
import { benchPages, type Script } from "./pages.ts";
import { type Program, startProgram } from "./program.ts";
import { openStreamLoad } from "./stream-load.ts";
import { startStreamMagpie } from "./stream-magpie.ts";
import { prose } from "./text.ts";

/** A program, and much for it to do. */
export interface MemoryLoad {
  pid: number;
  /** Resolves when all is done, and nothing more comes. */
  work(): Promise<void>;
  close(): Promise<void>;
}

const plainPages = 1500;
const renderedPages = 300;
const crawledPages = 1000;
const postsPerRound = 500;
const deliveryRounds = 5;
const feeds = 1000;
const watches = 200;
const polledMs = 40_000;
const trackedAtATime = 8;
const everySecond = { POLL_MIN_INTERVAL: "1s", EGRESS_ALLOW: "127.0.0.0/8" };

export const memoryLoads: Record<string, () => Promise<MemoryLoad>> = {
  "plain, 4 at a time": () => scrapes("none", plainPages, 4),
  "plain, 16 at a time": () => scrapes("none", plainPages, 16),
  "rendered, 4 at a time": () => scrapes("own", renderedPages, 4),
  deliveries,
  "a crawl of 1,000 pages": crawl,
  "1,000 feeds each second": polledFeeds,
  "200 page watches each second": watchedPages,
  "2,000 WebSockets": streams,
};

async function scrapes(scripts: Script, count: number, lanes: number): Promise<MemoryLoad> {
  const site = await startHelper<never, string>("site.process.ts");
  const program = await startProgram();
  const pages = benchPages(scripts);
  const urls = Array.from(
    { length: count },
    (_, n) => `${site.first}${pages[n % pages.length]?.path}?n=${n}`,
  );
  return {
    pid: program.pid,
    work: async () => void (await rate(urls, lanes, program.scrape)),
    close: async () => void (await Promise.all([program.stop(), site.stop()])),
  };
}

async function deliveries(): Promise<MemoryLoad> {
  const sink = await openSink();
  const { program, deliver } = await openDelivering(sink, "none");
  return {
    pid: program.pid,
    work: async () => {
      for (let round = 0; round < deliveryRounds; round += 1) await deliver(postsPerRound);
    },
    close: async () => void (await Promise.all([program.stop(), sink.stop()])),
  };
}

async function crawl(): Promise<MemoryLoad> {
  const site = await startHelper<never, string>("crawl-site.process.ts", ["none", String(crawledPages)]);
  const lanes = "8";
  const program = await startProgram([], { CRAWL_CONCURRENCY: lanes, CRAWL_HOST_CONCURRENCY: lanes });
  return {
    pid: program.pid,
    work: async () => void (await crawlRate(program, { url: site.first, pages: crawledPages }, "http")),
    close: async () => void (await Promise.all([program.stop(), site.stop()])),
  };
}

/** One new item in each reading. Every feed is at a host of its own. */
async function polledFeeds(): Promise<MemoryLoad> {
  const site = await startHelper<{ mode: FeedsMode }, Readings, string>("feeds.process.ts");
  const program = await startProgram([], everySecond);
  await site.ask({ mode: "new" });
  const sids = Array.from({ length: feeds }, (_, n) => `${ofHost(site.first, n)}/f/${n}`);
  return {
    pid: program.pid,
    work: () => polled(program, "rss", sids),
    close: async () => void (await Promise.all([program.stop(), site.stop()])),
  };
}

/** Each page is another at each check, and at a host of its own. */
async function watchedPages(): Promise<MemoryLoad> {
  let checks = 0;
  const texts = Array.from({ length: watches }, (_, n) => {
    const text = prose(n);
    return Array.from({ length: 75 }, () => `<p>${text.paragraph(5)}</p>`).join("\n");
  });
  const site = await startSite(
    ({ url = "/" }, response) => {
      checks += 1;
      const n = Number(url.slice(1));
      const line = `<p>Version ${checks} of this page is out.</p>`;
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(`<!doctype html><title>Page ${n}</title><main><h1>Page ${n}</h1>${line}${texts[n]}</main>`);
    },
    undefined,
    "0.0.0.0",
  );
  const program = await startProgram([], everySecond);
  const sids = texts.map((_, n) => `${ofHost(`http://127.0.0.1:${site.port}`, n)}/${n}`);
  return {
    pid: program.pid,
    work: () => polled(program, "web", sids),
    close: async () => void (await Promise.all([program.stop(), site.close()])),
  };
}

function ofHost(origin: string, n: number): string {
  return origin.replace("127.0.0.1", `127.0.${n >> 8}.${n & 255 || 1}`);
}

/** Tracks them for a time. */
async function polled(program: Program, platform: "rss" | "web", sids: string[]): Promise<void> {
  const wanted = (sid: string) => (platform === "web" ? { sid, options: { render: "never" } } : { sid });
  await rate(sids, trackedAtATime, sid => program.ask("POST", `/track/${platform}`, wanted(sid)));
  await delay(polledMs);
  await rate(sids, trackedAtATime, sid => untrack(program, platform, sid));
}

async function untrack({ address, key }: Program, platform: string, sid: string): Promise<void> {
  const answer = await fetch(`${address}/track/${platform}`, {
    method: "DELETE",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ sid }),
  });
  if (!answer.ok) throw new Error(`untrack: ${answer.status} ${await answer.text()}`);
  await answer.body?.cancel();
}

/** 500 events a second, each to ten sockets. */
async function streams(): Promise<MemoryLoad> {
  const server = await startStreamMagpie();
  return {
    pid: server.pids[0] ?? 0,
    work: async () => {
      const load = await openStreamLoad(server);
      await load.round();
      await load.close();
    },
    close: () => server.stop(),
  };
}

import { once } from "node:events";
import { join } from "node:path";
import puppeteer from "puppeteer";
import { startLineHelper } from "../child.ts";
import type { PeerBrowser } from "../rendered.bench.ts";
import { crawl4aiFolder, installCrawl4ai } from "./install-crawl4ai.ts";

/** The whole of each page to Markdown, or a site by its links, the main element of each page to Markdown. */
type Job = { urls: string[]; lanes: number } | { url: string; pages: number; concurrency: number };

export interface Crawl4ai {
  /** Of its process, and of its browser. */
  pids: number[];
  /** Pages per second. */
  ask(job: Job): Promise<number>;
  stop(): Promise<void>;
}

/** Crawl4AI in a process of its own, on a browser that is started for it; without one, over HTTP. */
export async function startCrawl4ai(binary?: PeerBrowser): Promise<Crawl4ai> {
  const python = await installCrawl4ai();
  const browser = binary && (await startBrowser(binary));
  const script = join(import.meta.dirname, "crawl4ai.process.py");
  const env = { PATH: process.env.PATH, HOME: crawl4aiFolder, CRAWL4_AI_BASE_DIRECTORY: crawl4aiFolder };
  try {
    const helper = await startLineHelper<Job, number>(
      python,
      [script, ...(browser ? [browser.url] : [])],
      env,
    );
    return {
      pids: [helper.pid, ...(browser ? [browser.pid] : [])],
      ask: helper.ask,
      stop: async () => {
        await helper.stop();
        await browser?.stop();
      },
    };
  } catch (error) {
    await browser?.stop();
    throw error;
  }
}

/** A browser that listens for CDP on a port of its own. */
async function startBrowser({ executablePath, kind, env, flags = [] }: PeerBrowser) {
  const browser = await puppeteer.launch({
    executablePath,
    headless: kind === "shell" ? "shell" : true,
    args: [...flags, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    env: { ...process.env, ...env },
  });
  const child = browser.process();
  if (child?.pid === undefined) throw new Error("the browser ended while it started");
  const url = browser.wsEndpoint();
  // Nothing of ours is attached to the pages.
  await browser.disconnect();
  return {
    url,
    pid: child.pid,
    stop: async () => {
      const gone = once(child, "exit");
      child.kill();
      await gone;
    },
  };
}

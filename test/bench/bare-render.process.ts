/**
 * The bare side of rendered scrapes: go to the page, wait for load, take its content. Answers pages per second. The first
 * argument: `fresh`, a context for each page; `reused`, a page for each lane; `markdown`, the same, and the content to Markdown.
 */
import { NodeHtmlMarkdown } from "node-html-markdown";
import puppeteer, { type Page } from "puppeteer";
import { devices } from "../../services/scraper/device.ts";
import { rate } from "./compare.ts";
import type { BareRender, PeerBrowser } from "./rendered.bench.ts";

const [mode, binaryText = "{}"] = process.argv.slice(2);
const binary = JSON.parse(binaryText) as PeerBrowser;
const browser = await puppeteer.launch({
  executablePath: binary.executablePath,
  headless: binary.kind === "shell" ? "shell" : true,
  // As Magpie shows pages: pictures that are loaded when they come into view are the same ones.
  defaultViewport: devices.desktop.viewport,
  args: [...(binary.flags ?? []), ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  env: { ...process.env, ...binary.env },
});
const pages: Page[] = [];

process.on("message", async ({ urls, lanes }: BareRender) => {
  while (mode !== "fresh" && pages.length < lanes) pages.push(await browser.newPage());
  process.send?.(await rate(urls, lanes, mode === "fresh" ? inFreshContext : inReusedPage));
});
process.once("disconnect", () => browser.close().finally(() => process.exit()));
process.send?.("ready");

async function inReusedPage(url: string, lane: number): Promise<void> {
  const page = pages[lane];
  if (page === undefined) throw new Error("there is a page for each lane");
  await read(page, url);
}

async function inFreshContext(url: string): Promise<void> {
  const context = await browser.createBrowserContext();
  await read(await context.newPage(), url);
  await context.close();
}

async function read(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "load" });
  const html = await page.content();
  if (mode === "markdown") NodeHtmlMarkdown.translate(html);
}

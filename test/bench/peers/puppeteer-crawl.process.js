/** A crawl with Crawlee's PuppeteerCrawler, each page to markdown once it has loaded. Answers pages per second. */
import { PuppeteerCrawler } from "@crawlee/puppeteer";
import { NodeHtmlMarkdown } from "node-html-markdown";
import puppeteer from "puppeteer";
import { crawlRate } from "./crawl-rate.js";

const binary = JSON.parse(process.argv[2]);
const launchContext = {
  launcher: puppeteer,
  launchOptions: {
    executablePath: binary.executablePath,
    headless: binary.kind === "shell" ? "shell" : true,
    args: [...(binary.flags ?? []), ...(process.getuid() === 0 ? ["--no-sandbox"] : [])],
    env: { ...process.env, ...binary.env },
  },
};

process.on("message", async job => process.send(await crawlRate(job, PuppeteerCrawler, options)));
process.send("ready");

const options = keep => ({
  launchContext,
  requestHandler: async ({ page, request, enqueueLinks }) => {
    const [title, html] = await page.evaluate(() => {
      const main = document.querySelector("main") ?? document.body;
      return [document.title, main.innerHTML];
    });
    keep({ url: request.loadedUrl, title, markdown: NodeHtmlMarkdown.translate(html) });
    await enqueueLinks();
  },
});

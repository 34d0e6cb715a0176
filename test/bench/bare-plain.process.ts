/** The bare side of plain scrapes: fetch, then the whole page to markdown. Answers pages per second. */
import { NodeHtmlMarkdown } from "node-html-markdown";
import { fetch } from "undici";
import { rate } from "./compare.ts";

process.on("message", async ({ urls, lanes }: { urls: string[]; lanes: number }) => {
  process.send?.(await rate(urls, lanes, scrape));
});
process.send?.("ready");

async function scrape(url: string): Promise<string> {
  const response = await fetch(url);
  return NodeHtmlMarkdown.translate(await response.text());
}

/** A crawl with Crawlee's CheerioCrawler, each page to markdown. Answers pages per second. */
import { CheerioCrawler } from "@crawlee/cheerio";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { crawlRate } from "./crawl-rate.js";

process.on("message", async job => process.send(await crawlRate(job, CheerioCrawler, options)));
process.send("ready");

const options = keep => ({
  requestHandler: async ({ $, request, enqueueLinks }) => {
    const html = $("main").html() ?? $("body").html() ?? "";
    keep({ url: request.loadedUrl, title: $("title").text(), markdown: NodeHtmlMarkdown.translate(html) });
    await enqueueLinks();
  },
});

import type { CrawlAccepted, CrawlStatus } from "../services/contracts/crawler.contract.ts";
import { ask, describe, followCrawl, ProgressLine, type Server } from "./crawl/follow-crawl.ts";

import { type Options, readOptions, usage } from "./crawl/options.ts";
import { openOwnService } from "./crawl/own-service.ts";
import { PageFiles } from "./crawl/page-files.ts";

/** `npm run crawl`: crawls a site and writes its pages as Markdown files. Exits with 1 unless the crawl completed. */
async function main(args: string[]): Promise<boolean> {
  const options = readOptions(args);
  if (options === null) {
    process.stdout.write(usage);
    return true;
  }
  if (options.server) return await crawl(options, options.server);
  const service = await openOwnService();
  try {
    return await crawl(options, service);
  } finally {
    await service.close();
  }
}

async function crawl({ crawl: body, out }: Options, server: Server): Promise<boolean> {
  const startedAt = performance.now();
  const { crawl_id } = await ask<CrawlAccepted>(server, "POST", "/web/crawl", body);
  const cancel = () => {
    ask(server, "DELETE", `/web/crawl/${crawl_id}`).catch(printError);
  };
  // A second Ctrl-C ends the process.
  process.once("SIGINT", cancel);
  const files = new PageFiles(out);
  const line = new ProgressLine(process.stderr);
  try {
    const end = await followCrawl(server, crawl_id, {
      onPage: page => files.write(page, new Date().toISOString()),
      onProgress: ({ progress }) => line.show(progress),
    });
    line.end();
    process.stdout.write(summary(end, out, performance.now() - startedAt));
    return end.status === "completed";
  } finally {
    process.off("SIGINT", cancel);
  }
}

function summary({ status, stop_reason, progress, error }: CrawlStatus, out: string, ms: number): string {
  const reason = error ? `${error.code}: ${error.message}` : stop_reason;
  return `${status} (${reason}) after ${(ms / 1000).toFixed(1)} s: ${describe(progress)}. Files are in ${out}.\n`;
}

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}

main(process.argv.slice(2)).then(
  isDone => {
    process.exitCode = isDone ? 0 : 1;
  },
  error => {
    printError(error);
    process.exitCode = 1;
  },
);

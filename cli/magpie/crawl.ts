import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Command, Option } from "commander";
import { type BatchRequest, type CrawlRequest, dataOf } from "../../sdk/typescript/src/index.ts";
import { addressOf } from "./address.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { collect, examples, type Given, number, pageOptions, requestOf } from "./options.ts";
import { PageFiles } from "./page-files.ts";
import { note, printJson, printText } from "./screen.ts";
import { clientAt, patientClientAt, type Server, serverOf } from "./server.ts";
import { type JobStatus, summary, type Watch, watchJob } from "./watch-job.ts";

interface CrawlGiven extends Given {
  limit: number;
  depth: number;
  include?: string[];
  exclude?: string[];
  entireDomain?: boolean;
  subdomains?: boolean;
  external?: boolean;
  sitemaps: boolean;
  out?: string;
  own?: boolean;
  key?: string;
}

/** `magpie crawl <url>`. */
export const crawl = pageOptions(new Command("crawl"))
  .description("Read a site, page by page, into Markdown files.")
  .argument("<url>", "the entry page")
  .option("--limit <n>", "pages at most", number, 100)
  .option("--depth <n>", "links from the entry page at most", number, 3)
  .option(
    "--include <pattern>",
    "only pages that match: /docs/**, https://a.example/*, or a regular expression in slashes; may be given again",
    collect,
  )
  .option("--exclude <pattern>", "no pages that match; may be given again", collect)
  .option("--entire-domain", "include the whole host, not only the entry page's directory")
  .option("--subdomains", "include subdomains")
  .option("--external", "include linked pages of other hosts")
  .option("--no-sitemaps", "leave out pages that only sitemaps name")
  .option("-o, --out <folder>", "where the files go (default: crawl, with --json none)")
  .option("--own", "start a service for the crawl, which ends with it, unless --server names one")
  .addOption(new Option("--key <key>", "instead of MAGPIE_API_KEY, which no process list shows").hideHelp())
  .addHelpText(
    "after",
    examples(
      ["magpie crawl https://example.com/docs/ --limit 50 --out pages", "a file for each page"],
      ["magpie crawl https://example.com/ --json | jq -r .metadata.title", "a JSON object for each page"],
      ["magpie crawl https://example.com/ --own", "without a service that runs"],
    ),
  )
  .action(async (url: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as CrawlGiven;
    const request = { url: addressOf(url), crawler: crawlerOf(options), ...(await requestOf(options)) };
    await withServer(options, server => runCrawl(server, request, options));
  });

function crawlerOf(options: CrawlGiven) {
  return {
    limit: options.limit,
    max_depth: options.depth,
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    include_entire_domain: options.entireDomain ?? false,
    include_subdomains: options.subdomains ?? false,
    include_external_links: options.external ?? false,
    sitemaps: options.sitemaps,
  };
}

async function withServer(options: CrawlGiven, work: (server: Server) => Promise<void>): Promise<void> {
  const { own, server, key } = options;
  if (server !== undefined && key !== undefined) return work({ url: server.replace(/\/+$/, ""), key });
  if (!own || server !== undefined) return work(serverOf(options));
  const { openOwnService } = await import("./own-service.ts");
  const service = await openOwnService();
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

/** `magpie batch <urls…>`. */
export const batch = pageOptions(new Command("batch"))
  .description("Read a list of pages into Markdown files: from the command line, a file, or standard input.")
  .argument("[urls...]", "the pages; - or nothing: one a line from standard input")
  .option("--file <path>", "a file with one URL a line")
  .option("--ignore-invalid", "leave out entries that are no URL of a public address")
  .option("-o, --out <folder>", "where the files go (default: batch, with --json none)")
  .addHelpText(
    "after",
    examples(
      ["magpie batch https://example.com/ https://example.org/ --out pages", "two pages"],
      ["magpie map https://example.com/ | magpie batch --json", "what a map found, as JSON lines"],
      ["magpie batch --file urls.txt", "the lines of a file"],
    ),
  )
  .action(async (given: string[], _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & {
      file?: string;
      ignoreInvalid?: boolean;
      out?: string;
    };
    const urls = await urlsOf(given, options.file);
    const request = {
      urls,
      ...(options.ignoreInvalid && { ignore_invalid_urls: true }),
      ...(await requestOf(options)),
    };
    await runBatch(serverOf(options), request, { ...options, limit: urls.length });
  });

async function urlsOf(given: string[], file: string | undefined): Promise<string[]> {
  const isPiped = file === undefined && (given.length === 0 || given[0] === "-");
  if (isPiped && process.stdin.isTTY)
    throw new CommandError("Give URLs, --file, or URLs on standard input.", exitCodes.usage);
  const lines = isPiped
    ? await text(process.stdin)
    : file === undefined
      ? given.join("\n")
      : await readFile(file, "utf8");
  return lines
    .split("\n")
    .map(line => line.trim())
    .filter(line => line !== "")
    .map(addressOf);
}

interface Target {
  limit: number;
  json?: boolean;
  out?: string;
}

async function runCrawl(server: Server, request: CrawlRequest, target: Target): Promise<void> {
  const startedAt = performance.now();
  const { crawl_id } = dataOf(await clientAt(server).raw.POST("/web/crawl", { body: request }));
  const resume: Watch["resume"] = options => patientClientAt(server).resumeCrawl(crawl_id, options);
  await follow(resume, startedAt, { ...target, folder: "crawl" });
}

async function runBatch(server: Server, request: BatchRequest, target: Target): Promise<void> {
  const startedAt = performance.now();
  const { raw } = clientAt(server);
  const { batch_id, invalid_urls = [] } = dataOf(await raw.POST("/web/batch", { body: request }));
  for (const url of invalid_urls) note(`Left out, since it is no URL of a public address: ${url}`);
  const resume: Watch["resume"] = options => patientClientAt(server).resumeBatch(batch_id, options);
  await follow(resume, startedAt, { ...target, folder: "batch" });
}

/** Follows a job to its end, and puts its pages into files, onto standard output, or both. */
async function follow(
  resume: Watch["resume"],
  startedAt: number,
  { limit, json = false, out, folder }: Target & { folder: string },
): Promise<void> {
  const into = out ?? (json ? undefined : folder);
  const files = into === undefined ? undefined : new PageFiles(into);
  const end = await watchJob({
    resume,
    limit,
    onPage: async page => {
      if (json) printJson(page);
      if (!("error" in page)) await files?.write(page, new Date().toISOString());
    },
  });
  report(end, performance.now() - startedAt, json, into);
}

function report(end: JobStatus, ms: number, isJson: boolean, out: string | undefined): void {
  const line = `${summary(end, ms)}${out === undefined ? "" : ` Files are in ${out}.`}`;
  if (isJson) note(line);
  else printText(line);
  if (end.status !== "completed") process.exitCode = exitCodes.failed;
}

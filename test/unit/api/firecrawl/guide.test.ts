import { readFileSync } from "node:fs";
import { join } from "node:path";
import { batchOptions, crawlOptions } from "../../../../services/api/firecrawl/crawl.ts";
import { extractOptions } from "../../../../services/api/firecrawl/extract.ts";
import { mapOptions } from "../../../../services/api/firecrawl/map.ts";
import {
  monitorOptions,
  targetOptions,
  watchedCrawlOptions,
  watchedOptions,
} from "../../../../services/api/firecrawl/monitor-options.ts";
import type { Option, Options } from "../../../../services/api/firecrawl/options.ts";
import { pagesOptions } from "../../../../services/api/firecrawl/page-options.ts";
import { parseOptions } from "../../../../services/api/firecrawl/parse.ts";
import { scrapeOptions } from "../../../../services/api/firecrawl/scrape.ts";
import { searchOptions } from "../../../../services/api/firecrawl/search.ts";
import { compatRoutes } from "../../../../services/api/routes/compat.routes.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guides/firecrawl.md"), "utf8");

/** A table of the guide, as it must be: the list that the translation works by. */
function tableOf(options: Options): string {
  const rows = Object.entries(options).map(
    ([name, { verdict, note = "", only }]: [string, Option]) =>
      `| \`${name}\` | ${only ?? ""} | ${verdict} | ${note.replace(/\.$/, "")} |`,
  );
  return ["| option | only in | here | how |", "|---|---|---|---|", ...rows].join("\n");
}

/** A batch has the options of pages, which the guide says once. */
const ofBatch = Object.fromEntries(Object.entries(batchOptions).filter(([name]) => !(name in pagesOptions)));

test.each<[string, Options]>([
  ["scrape", scrapeOptions],
  ["parse", parseOptions],
  ["crawl", crawlOptions],
  ["batch", ofBatch],
  ["map", mapOptions],
  ["extract", extractOptions],
  ["search", searchOptions],
  ["monitor", monitorOptions],
  ["a target of a monitor", targetOptions],
  ["a page of a monitor", watchedOptions],
  ["a site of a monitor", watchedCrawlOptions],
])("the guide says of each option of %s what the translation does", (_name, options) => {
  expect(guide).toContain(`\n${tableOf(options)}\n`);
});

test("every option says how it differs, or what to do in its place", () => {
  const all: Options[] = [
    scrapeOptions,
    parseOptions,
    crawlOptions,
    batchOptions,
    mapOptions,
    extractOptions,
    searchOptions,
  ];
  all.push(
    ...([monitorOptions, targetOptions, watchedOptions, watchedCrawlOptions] as unknown as typeof all),
  );
  const silent = all
    .flatMap(options => Object.entries<Option>(options))
    .filter(([, { verdict, note }]) => verdict !== "same" && !note);
  expect(silent).toEqual([]);
});

test("the guide names every operation", () => {
  const served = compatRoutes.filter(({ name }) => !name.includes("Absent") && !name.includes("Delete"));
  const missing = served
    .map(({ path }) => path.replace(/^\/v1/, "/v2"))
    .filter(path => !guide.includes(path));
  expect(missing).toEqual([]);
});

/**
 * Crawls a generated site of 5,000 pages while the service is killed with SIGKILL at seeded random moments, and holds
 * what it did against what the site knows. Exits with 1 when a page is missing, came twice without a reason, or is
 * counted wrong. Every second seed has a limit.
 *
 *     node test/faults/crawls.ts --seeds 1,2 --kills 20 --pages 5000 --concurrency 8
 */
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { killedCrawl } from "./crawls/killed-crawl.ts";
import { concurrency, kills, pages, seeds } from "./options.ts";

for (const seed of seeds) if (!(await run(seed))) process.exitCode = 1;

async function run(seed: number): Promise<boolean> {
  const limit = seed % 2 === 0 ? { limit: Math.floor(pages * 0.7) } : {};
  const options = { seed, kills, pages, concurrency, ...limit };
  const {
    end,
    wrong,
    again,
    kills: made,
  } = await showProgress(`Crawls, seed ${seed}`, () => killedCrawl(options));
  const counts = Object.entries(end.progress).map(([name, count]) => `${count} ${name}`);
  console.log(
    `crawls, seed ${seed}: ${made} kills, ${counts.join(", ")}; ${again} fetched again over a kill`,
  );
  for (const sentence of wrong) console.log(`  ${sentence}`);
  console.log(wrong.length === 0 ? "  as it must be" : `  ${wrong.length} faults`);
  return wrong.length === 0;
}

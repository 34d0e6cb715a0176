/**
 * Sends asynchronous and late scrapes while the service is killed with SIGKILL at seeded random moments. Exits with 1
 * when an accepted one is lost, ends twice, changes afterwards, or is not announced.
 *
 *     node test/faults/scrapes.ts --seeds 1,2 --kills 20
 */
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { kills, seeds } from "./options.ts";
import { killScrapes } from "./scrapes/kill-scrapes.ts";

for (const seed of seeds) {
  const { accepted, completed, givenUp, wrong } = await showProgress(`Scrapes, seed ${seed}`, () =>
    killScrapes(seed, kills),
  );
  console.log(
    `seed ${seed}: ${kills} kills, ${accepted} scrapes accepted, ${completed} completed, ` +
      `${givenUp} given up after two kills; lost or wrong ${wrong.length}`,
  );
  for (const each of wrong.slice(0, 50)) console.log(`  ${each}`);
  if (wrong.length > 0) process.exitCode = 1;
}

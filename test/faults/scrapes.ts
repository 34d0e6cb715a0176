/**
 * Sends asynchronous and late scrapes while the service is killed with SIGKILL at seeded random moments. Exits with 1
 * when an accepted one is lost, ends twice, changes afterwards, or is not announced.
 *
 *     node test/faults/scrapes.ts --seeds 1,2 --kills 20
 */
import { parseArgs } from "node:util";
import { killScrapes } from "./scrapes/kill-scrapes.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "1" }, kills: { type: "string", default: "20" } },
});
for (const seed of values.seeds.split(",").map(Number)) {
  const { accepted, completed, givenUp, wrong } = await killScrapes(seed, Number(values.kills));
  console.log(
    `seed ${seed}: ${values.kills} kills, ${accepted} scrapes accepted, ${completed} completed, ` +
      `${givenUp} given up after two kills; lost or wrong ${wrong.length}`,
  );
  for (const each of wrong.slice(0, 50)) console.log(`  ${each}`);
  if (wrong.length > 0) process.exitCode = 1;
}

/**
 * `npm run faults:cluster -- --seeds 1,2 --minutes 5`: a cluster of two nodes of each service, whose nodes and servers are
 * killed and stopped in seeded order. Items are posted into feeds that keys track, and what arrived is held against what
 * was due; exits with 1 when anything is missing, out of order, came again without a reason, or when two nodes worked one
 * lane at once. Pages and items change meanwhile: each change must be told, and the version that its event names must say it.
 * So do the pages of a site, which also come, go and move: each of these must be told once. With `--crawls` generated sites are crawled instead, and scrapes sent.
 *
 * `--from <folder>`: a checkout of the last release, with its node_modules. The nodes run it at first, and are replaced by nodes
 * of this tree one after the other, by SIGKILL, while all of that goes on.
 *
 * `--short`: four faults only. `--log <file>`: takes what the nodes print.
 */
import { parseArgs } from "node:util";
import { type SetDetail, showProgress } from "../../mixins/runtime/show-progress.ts";
import { serviceNames } from "../dev/start-cluster.ts";
import { crawlThroughFaults } from "./cluster/crawl-through-faults.ts";
import { deliverThroughFaults } from "./cluster/deliver-through-faults.ts";
import { two } from "./cluster/fault-cluster.ts";
import { type Fault, fewFaults, planFaults, replaceAll } from "./cluster/plan-faults.ts";
import { seeded } from "./random.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    minutes: { type: "string", default: "4" },
    pages: { type: "string", default: "400" },
    crawls: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    log: { type: "string" },
    from: { type: "string" },
  },
});
const { short, crawls, log, from } = values;
const gapMs = short ? 1500 : 5000;
/** Of these services nodes are killed and stopped most. */
const most: [string, string] = crawls ? ["crawler", "scraper"] : ["webhook-dispatcher", "tracker"];

// Nodes and servers end with this process, if it ends by itself.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
for (const seed of values.seeds.split(",").map(Number))
  if (
    !(await showProgress(`A cluster through faults, seed ${seed}`, note =>
      crawls ? crawl(seed) : deliver(seed, note),
    ))
  )
    process.exitCode = 1;

async function deliver(seed: number, note: SetDetail): Promise<boolean> {
  const run = { seed, keys: short ? 24 : 30, faults: plan(seed), gapMs, log, from };
  const found = await deliverThroughFaults(run, note);
  const { answers, streams } = found;
  const counted = Object.entries(answers).map(([name, count]) => `${count} ${name}`);
  const followed = streams.map(
    ({ events, connections }) => `${events} events over ${connections} connections`,
  );
  return report(found.wrong, [
    `cluster, seed ${seed}: ${found.faults} faults, ${found.expected} deliveries due, ${found.arrived} arrived`,
    ` within ${Math.round(found.settledMs / 1000)} s of the last fault, ${found.dead} set aside after five refusals, ${found.duplicates} came again over a fault; `,
    `answers: ${counted.join(", ")}; streams, and pulls: ${followed.join(", ")}; ${found.repeats} requests repeated; `,
    `history: ${found.history}; site: ${found.site}`,
  ]);
}

async function crawl(seed: number): Promise<boolean> {
  const pages = Number(values.pages);
  const limit = Math.floor(pages * 0.7);
  const found = await crawlThroughFaults({ seed, pages, limit, faults: plan(seed), gapMs, log });
  const { accepted, completed, givenUp } = found.scrapes;
  const ends = found.crawls.map(
    ({ progress: { discovered, ...rest } }) => `${rest.completed} of ${discovered}`,
  );
  return report(found.wrong, [
    `crawls of a cluster, seed ${seed}: ${found.faults} faults, ${ends.length} crawls, pages completed of those `,
    `discovered: ${ends.join(", ")}; ${found.again} fetched again over a fault; ${accepted} scrapes accepted, `,
    `${completed} completed, ${givenUp} given up after two kills`,
  ]);
}

function plan(seed: number): Iterable<Fault> {
  const random = seeded(seed + 100);
  if (from !== undefined) return replaceAll(random, serviceNames(), two);
  if (short) return fewFaults(random, most);
  return again(() => planFaults(random, serviceNames(), most, most), Number(values.minutes));
}

/** Plans one after the other, each to its end, until the time is over. */
function* again(plan: () => Fault[], minutes: number): Iterable<Fault> {
  const until = Date.now() + minutes * 60_000;
  do yield* plan();
  while (Date.now() < until);
}

function report(wrong: string[], figures: string[]): boolean {
  console.log(`${figures.join("")}; lost or wrong ${wrong.length}`);
  for (const each of wrong.slice(0, 50)) console.log(`  ${each}`);
  return wrong.length === 0;
}

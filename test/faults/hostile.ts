/**
 * `npm run faults:hostile`: one key has hostile pages rendered, one after the other, while others scrape ordinary ones.
 * Exits with 1 when the service dies, a scrape of another key does not complete, the canary is reached, a file or a
 * process is left, a hostile scrape ends without a clear code, or the service's memory stays above 1.5 times of before.
 *
 * `--pages deep-dom,popups`: these alone. `--short`: some of each kind. `--list`: tells their names. Linux only.
 */
import { parseArgs } from "node:util";
import { judge, seconds, type Visit } from "./hostile/judge.ts";
import { type NeighbourScrape, type Neighbours, quantile } from "./hostile/neighbours.ts";
import type { Memory } from "./hostile/processes.ts";
import { type Outcome, pageNames, runHostile } from "./hostile/run-hostile.ts";

/** They come to their end within seconds. */
const someOfEach = [
  ...["iframe-blank-host", "refresh-blank-host", "popups", "opener"],
  ...["downloads", "strings", "gzip-bomb", "canary-requests"],
];

const { values } = parseArgs({
  options: {
    pages: { type: "string" },
    short: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
// The service ends with this process, if it ends by itself.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
if (values.list) console.log(pageNames.join("\n"));
else await run(values.pages?.split(",") ?? (values.short ? someOfEach : pageNames), values.short);

async function run(pages: string[], isShort: boolean): Promise<void> {
  const unknown = pages.find(name => !pageNames.includes(name));
  if (unknown !== undefined) throw new Error(`--pages: there is no page ${unknown}; see --list`);
  console.log(`hostile: ${pages.length} pages, one at a time; first some scrapes of other keys alone`);
  const outcome = await runHostile({
    pages,
    scrapesBefore: isShort ? 10 : 40,
    settleMs: isShort ? 0 : 90_000,
    onVisit: printVisit,
  });
  const wrong = judge(outcome);
  printOutcome(outcome, wrong);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

function printVisit(visit: Visit, { scrapes }: Neighbours, memory: Memory): void {
  const { page, status, code, ms, readyMs, deaths } = visit;
  const beside = scrapes.filter(scrape => scrape.beside === page);
  console.log(
    `  ${page}: ${status}${code === undefined ? "" : ` (${code})`} after ${seconds(ms)}, ` +
      `ready ${readyMs === undefined ? "no more" : `in ${readyMs} ms`}${deaths > 0 ? `, died ${deaths} times` : ""}; ` +
      `others: ${times(beside)}; ${inWords(memory)}`,
  );
}

function printOutcome({ visits, neighbours, before, after, peak }: Outcome, wrong: string[]): void {
  for (const kind of ["plain", "rendered"]) {
    const mine = neighbours.filter(scrape => scrape.kind === kind);
    const alone = mine.filter(({ beside }) => beside === undefined);
    console.log(
      `${kind} scrapes of other keys: alone ${times(alone)}; beside hostile pages ${times(mine.filter(({ beside }) => beside !== undefined))}`,
    );
  }
  console.log(`memory: before ${inWords(before)}; at most ${inWords(peak)}; settled ${inWords(after)}`);
  console.log(
    `hostile: ${visits.length} pages, ${neighbours.length} scrapes of other keys; lost or wrong ${wrong.length}`,
  );
  for (const each of wrong.slice(0, 50)) console.log(`  ${each}`);
}

function times(scrapes: NeighbourScrape[]): string {
  const all = scrapes.map(({ ms }) => ms);
  const failed = scrapes.filter(({ status }) => status !== "completed").length;
  return `${all.length}${failed > 0 ? `, ${failed} failed` : ""}, p50 ${seconds(quantile(all, 0.5))}, p99 ${seconds(quantile(all, 0.99))}`;
}

function inWords({ ownMb, allMb }: Memory): string {
  return `the service ${ownMb} MB, with browsers ${allMb} MB`;
}

/**
 * `npm run faults:hostile`: one key has hostile pages rendered, one after the other, while others scrape ordinary ones.
 * Exits with 1 when the service dies, a scrape of another key does not complete, the canary is reached, a file or a
 * process is left, a hostile scrape ends without a clear code, or the service's memory stays above 1.5 times of before.
 *
 * Then come attacks: requests, sites and connections that cost others their service where nothing bounds them. Beside
 * each, the run prints what another key got. Exits with 1 when the service dies, is silent for long, or fails that key.
 *
 * `--pages deep-dom,popups`, `--attacks schema-patterns`: these alone, `none` for none. `--short`: some pages, and
 * attacks that end within seconds. `--list`: tells the names. Linux only.
 */
import { parseArgs } from "node:util";
import { judge, seconds, type Visit } from "./hostile/judge.ts";
import { type NeighbourScrape, type Neighbours, quantile } from "./hostile/neighbours.ts";
import type { Memory } from "./hostile/processes.ts";
import { figuresOf, judgeAttacks } from "./hostile/requests/judge-attacks.ts";
import { attackNames, runAttacks, shortAttacks } from "./hostile/requests/run-attacks.ts";
import { type Outcome, pageNames, runHostile } from "./hostile/run-hostile.ts";

/** They come to their end within seconds. */
const someOfEach = [
  ...["iframe-blank-host", "refresh-blank-host", "popups", "opener"],
  ...["downloads", "strings", "gzip-bomb", "canary-requests"],
];

const { values } = parseArgs({
  options: {
    pages: { type: "string" },
    attacks: { type: "string" },
    short: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
// The service ends with this process, if it ends by itself.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
if (values.list) console.log([...pageNames, ...attackNames].join("\n"));
else {
  const isShort = values.short;
  const pages = chosen(
    "pages",
    values.pages ?? (values.attacks && "none"),
    isShort ? someOfEach : pageNames,
    pageNames,
  );
  const attacks = chosen(
    "attacks",
    values.attacks ?? (values.pages && "none"),
    isShort ? shortAttacks : attackNames,
    attackNames,
  );
  const wrong = [
    ...(pages.length > 0 ? await runPages(pages, isShort) : []),
    ...(attacks.length > 0 ? await attack(attacks) : []),
  ];
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

function chosen(option: string, given: string | undefined, usual: string[], known: string[]): string[] {
  const names = given === undefined ? usual : given === "none" ? [] : given.split(",");
  const unknown = names.find(name => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--${option}: there is no ${unknown}; see --list`);
  return names;
}

async function attack(names: string[]): Promise<string[]> {
  console.log(`hostile: ${names.length} attacks, one at a time; first another key alone`);
  const { alone, hits } = await runAttacks({
    names,
    onAlone: samples => console.log(`  alone: ${figuresOf(samples)}`),
    onHit: ({ attack, outcome, ms, samples, memory }) =>
      console.log(
        `  ${attack}: ${outcome} after ${seconds(ms)}; another key: ${figuresOf(samples)}; ${inWords(memory)}`,
      ),
  });
  return report(`${hits.length} attacks beside another key`, judgeAttacks(alone, hits));
}

async function runPages(pages: string[], isShort: boolean): Promise<string[]> {
  console.log(`hostile: ${pages.length} pages, one at a time; first some scrapes of other keys alone`);
  const outcome = await runHostile({
    pages,
    scrapesBefore: isShort ? 10 : 40,
    settleMs: isShort ? 0 : 90_000,
    onVisit: printVisit,
  });
  printOutcome(outcome);
  const what = `${outcome.visits.length} pages, ${outcome.neighbours.length} scrapes of other keys`;
  return report(what, judge(outcome));
}

function report(what: string, wrong: string[]): string[] {
  console.log(`hostile: ${what}; lost or wrong ${wrong.length}`);
  for (const each of wrong.slice(0, 50)) console.log(`  ${each}`);
  return wrong;
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

function printOutcome({ neighbours, before, after, peak }: Outcome): void {
  for (const kind of ["plain", "rendered"]) {
    const mine = neighbours.filter(scrape => scrape.kind === kind);
    const alone = mine.filter(({ beside }) => beside === undefined);
    console.log(
      `${kind} scrapes of other keys: alone ${times(alone)}; beside hostile pages ${times(mine.filter(({ beside }) => beside !== undefined))}`,
    );
  }
  console.log(`memory: before ${inWords(before)}; at most ${inWords(peak)}; settled ${inWords(after)}`);
}

function times(scrapes: NeighbourScrape[]): string {
  const all = scrapes.map(({ ms }) => ms);
  const failed = scrapes.filter(({ status }) => status !== "completed").length;
  return `${all.length}${failed > 0 ? `, ${failed} failed` : ""}, p50 ${seconds(quantile(all, 0.5))}, p99 ${seconds(quantile(all, 0.99))}`;
}

function inWords({ ownMb, allMb }: Memory): string {
  return `the service ${ownMb} MB, with browsers ${allMb} MB`;
}

/**
 * `npm run sizes`: what an installation takes on disk, how long a start takes, what the program needs when it has nothing
 * to do, and whether it fits a machine of 1 GB. Prints each beside its bar. Fails where one is above what it is held at;
 * a bar that is not held yet is a goal.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startHelper } from "../../test/bench/child.ts";
import { benchPages } from "../../test/bench/pages.ts";
import { descendants, kilobytes, megabytesOfTrees } from "../../test/bench/processes.ts";
import { type Program, startProgram } from "../../test/bench/program.ts";
import { until } from "../../test/support/until.ts";
import { installedMb } from "./installed.ts";
import { measureStarts } from "./ready.ts";
import { runOnSmallMachine, smallMachineMb } from "./small-machine.ts";

interface Size {
  what: string;
  value: number;
  unit: "MB" | "s";
  bar?: number;
  /** Above it the run fails. */
  held?: number;
  note?: string;
}

const idleBarMb = 200;
/** Starts differ by some 10 %, by what V8 compiles and when it collects. */
const idleHeldMb = 220;
/** 67 of them are headers of Node, which an image leaves out. */
const packagesBarMb = 520;
const packagesHeldMb = 525;
/** The part of the packages that the browser takes as `npm ci --omit=dev` brings it. */
const packedBrowserMb = 67;
const readyBarSeconds = 1.5;
/** Seconds of processors, which a busy machine does not change as it does the time. */
const readyHeldCpuSeconds = 2.5;
/** How long the program may take to give its memory back. */
const patienceMs = 60_000;
/** The browser ends a minute after its last page. */
const browserMs = 150_000;
/** What the program warms after a start is warm by then. */
const warmMs = 10_000;
const lookEveryMs = 1_000;
/** It has settled when it has not fallen by so much in so long: idle threads and their garbage go by and by. */
const fallMb = 2;
const settledMs = 20_000;
const browserPackage = "node_modules/@sparticuz/chromium";

let isHeld = true;
const site = await startHelper<never, string>("site.process.ts");
try {
  print(...onDisk());
  print(...(await starts()));
  print(...(await idle()));
  print(await smallMachine());
} finally {
  await site.stop();
}
process.exitCode = isHeld ? 0 : 1;

function print(...sizes: Size[]): void {
  for (const { what, value, unit, bar, held = Infinity, note } of sizes) {
    const missed = bar !== undefined && value > bar ? ": missed" : "";
    const beside = bar === undefined ? "" : ` (bar ${bar} ${unit}${missed})`;
    console.log(`${what}: ${value.toFixed(unit === "s" ? 1 : 0)} ${unit}${beside}${note ? `, ${note}` : ""}`);
    if (value <= held) continue;
    console.log(`  FAILED: it is held at ${held} ${unit}`);
    isHeld = false;
  }
}

/** The first start replaces the packed browser by the one that runs, which is three times as large. */
function onDisk(): Size[] {
  const browser = installedMb(browserPackage);
  const others = installedMb("node_modules") - browser;
  const isPacked = existsSync(join(import.meta.dirname, "../..", browserPackage, "bin"));
  const what = isPacked
    ? "node_modules after npm ci --omit=dev"
    : "node_modules, with the browser unpacked by a start";
  return [
    {
      what: "node_modules without the browser",
      value: others,
      unit: "MB",
      held: packagesHeldMb - packedBrowserMb,
    },
    {
      what,
      value: others + browser,
      unit: "MB",
      ...(isPacked && { bar: packagesBarMb, held: packagesHeldMb }),
    },
  ];
}

async function starts(): Promise<Size[]> {
  const { first, next } = await measureStarts();
  return [
    { what: "ready, from npm start", value: next.seconds, unit: "s", bar: readyBarSeconds },
    { what: "  of it computed by the program", value: next.cpuSeconds, unit: "s", held: readyHeldCpuSeconds },
    {
      what: "ready at the first start, with nothing compiled",
      value: first.seconds,
      unit: "s",
      note: `${first.cpuSeconds.toFixed(1)} s computed`,
    },
  ];
}

async function idle(): Promise<Size[]> {
  const program = await startProgram([], { SCRAPER_IDLE: "1m" });
  try {
    await delay(warmMs);
    const before = await idleMb(() => serviceMb(program));
    const busy = await busyMb(program);
    await until("the browser has ended", () => descendants(program.pid).length === 0, browserMs);
    const again = await idleMb(() => megabytesOfTrees([program.pid]));
    return [
      {
        what: "memory, idle, before the first page, without the browser that a start warms",
        value: before,
        unit: "MB",
        bar: idleBarMb,
        held: idleHeldMb,
      },
      { what: "memory, with a browser that shows pages", value: busy, unit: "MB" },
      {
        what: "memory, idle again, the browser ended",
        value: again,
        unit: "MB",
        bar: idleBarMb,
        held: idleHeldMb,
      },
    ];
  } finally {
    await program.stop();
  }
}

async function smallMachine(): Promise<Size> {
  const { peakMb, isConfined, did } = await runOnSmallMachine(site.first);
  return {
    what: `a machine of 1 GB, BROWSER_PAGES=1: ${did.join(", ")}; most memory at a time`,
    value: peakMb,
    unit: "MB",
    bar: smallMachineMb,
    note: isConfined
      ? "held by the kernel to the bar"
      : "measured, not limited: this process may not limit memory",
    ...(isConfined && { held: smallMachineMb }),
  };
}

/** The memory at which the program settles: the least, once it has not fallen for a while. */
async function idleMb(look: () => number): Promise<number> {
  const lastAt = performance.now() + patienceMs;
  let least = Infinity;
  let leastAt = 0;
  for (;;) {
    const mb = look();
    if (mb < least - fallMb) [least, leastAt] = [mb, performance.now()];
    if (performance.now() > Math.min(lastAt, leastAt + settledMs)) return Math.min(least, mb);
    await delay(lookEveryMs);
  }
}

async function busyMb({ pid, scrape }: Program): Promise<number> {
  for (const { path } of benchPages("own").slice(0, 4)) await scrape(site.first + path);
  return megabytesOfTrees([pid]);
}

/** Memory of the service itself: all that it starts is the browser's. */
function serviceMb({ pid }: Program): number {
  return kilobytes(pid, "smaps_rollup", "Pss") / 1024;
}

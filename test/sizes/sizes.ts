/**
 * `npm run sizes`: what the program needs when it has nothing to do, and what its packages take on disk. Prints the sizes
 * beside their bars. Fails where one is above what it is held at; the other bars are goals that are not reached yet.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startHelper } from "../bench/child.ts";
import { benchPages } from "../bench/pages.ts";
import { descendants, kilobytes } from "../bench/processes.ts";
import { type Program, startProgram } from "../bench/program.ts";

const idleBarMb = 200;
const packagesBarMb = 450;
/** What it has come down to; a package that goes beyond has to be worth it. */
const packagesHeldMb = 540;
/** How long the program may take to give its memory back. */
const patienceMs = 60_000;
const lookEveryMs = 1_000;
const root = join(import.meta.dirname, "../..");

const site = await startHelper<never, string>("site.process.ts");
const began = performance.now();
const program = await startProgram([], { SCRAPER_IDLE: "10s" });
try {
  const readySeconds = (performance.now() - began) / 1000;
  const before = await idleMb(program);
  const sizes = [
    { what: "memory, idle, before the first page", mb: before, barMb: idleBarMb, heldMb: idleBarMb },
    { what: "memory, with a browser that shows pages", mb: await busyMb(program), barMb: Infinity },
    { what: "memory, idle again", mb: await idleMb(program), barMb: idleBarMb },
    {
      what: "node_modules, on disk",
      mb: diskMb(join(root, "node_modules")),
      barMb: packagesBarMb,
      heldMb: packagesHeldMb,
    },
  ];
  console.log(`ready after ${readySeconds.toFixed(1)} s`);
  for (const { what, mb, barMb } of sizes) console.log(line(what, mb, barMb));
  process.exitCode = sizes.some(({ mb, heldMb = Infinity }) => mb > heldMb) ? 1 : 0;
} finally {
  await Promise.all([program.stop(), site.stop()]);
}

function line(what: string, mb: number, barMb: number): string {
  const bar = barMb === Infinity ? "" : ` (bar ${barMb} MB${mb > barMb ? ": missed" : ""})`;
  return `${what}: ${mb.toFixed(0)} MB${bar}`;
}

/** The memory at which the program settles: the first look below the bar, or the last one. */
async function idleMb({ pid }: Program): Promise<number> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const mb = residentMb(pid);
    if (mb <= idleBarMb || performance.now() > until) return mb;
    await delay(lookEveryMs);
  }
}

async function busyMb({ pid, scrape }: Program): Promise<number> {
  for (const { path } of benchPages("own").slice(0, 4)) await scrape(site.first + path);
  return residentMb(pid);
}

/** Of the service and all that it has started. */
function residentMb(pid: number): number {
  const all = [pid, ...descendants(pid)];
  return all.reduce((sum, each) => sum + kilobytes(each, "status", "VmRSS"), 0) / 1024;
}

/** Blocks of a folder's files without caches; a file with two names is counted once. */
function diskMb(folder: string): number {
  const seen = new Set<number>();
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.startsWith(join(folder, ".cache"))) continue;
    const { ino, blocks } = statSync(join(entry.parentPath, entry.name));
    if (seen.has(ino)) continue;
    seen.add(ino);
    bytes += blocks * 512;
  }
  return bytes / 2 ** 20;
}

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import puppeteer, { type Browser } from "puppeteer";
import type { BrowserBinary } from "./find-browser.ts";
import { launchOptions } from "./launch-options.ts";

const closeDeadlineMs = 3000;

/** One running browser: its processes, its scratch folder, and how much it has served. */
export interface BrowserProcess {
  readonly browser: Browser;
  readonly pid: number;
  /** Contexts in use. */
  leases: number;
  /** Pages rendered since the start. */
  pages: number;
  /** Takes no new lease; closed when the last one is returned. */
  retired: boolean;
}

/** `scratchRoot` is a folder of this pool alone: what a killed process leaves there, the next start removes. */
export async function launchBrowser(binary: BrowserBinary, scratchRoot: string): Promise<BrowserProcess> {
  mkdirSync(scratchRoot, { recursive: true });
  const scratch = mkdtempSync(join(scratchRoot, "browser-"));
  const clean = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  try {
    const browser = await puppeteer.launch(launchOptions(binary, scratch));
    const child = browser.process();
    const pid = child?.pid;
    if (child === null || pid === undefined) throw new Error("the browser ended while it started");
    // Puppeteer takes its own listeners off the pipe before a killed browser resets it.
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    child.once("exit", () => {
      killGroup(pid);
      clean();
    });
    return { browser, pid, leases: 0, pages: 0, retired: false };
  } catch (error) {
    clean();
    throw error;
  }
}

/** Ends a browser: politely for a while, then all its processes at once. Resolves when it has gone. */
export async function closeBrowser({ browser, pid }: BrowserProcess): Promise<void> {
  const child = browser.process();
  const gone = new Promise<void>(resolve => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });
  const timer = setTimeout(killGroup, closeDeadlineMs, pid);
  browser.close().catch(() => killGroup(pid));
  await gone;
  clearTimeout(timer);
}

/** Puppeteer starts the browser as the leader of a process group of its own. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Memory of all processes of a browser, in MB, without counting shared pages twice; 0 where /proc is missing. */
export function memoryOf(pid: number): number {
  let kilobytes = 0;
  for (const id of processIds()) {
    const stat = readProc(id, "stat");
    if (stat === undefined || processGroup(stat) !== pid) continue;
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readProc(id, "smaps_rollup") ?? "")?.[1] ?? 0);
  }
  return Math.round(kilobytes / 1024);
}

function processIds(): string[] {
  try {
    return readdirSync("/proc").filter(name => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function readProc(id: string, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${id}/${file}`, "latin1");
  } catch {
    return undefined;
  }
}

/** Field 5 of /proc/<pid>/stat; the name in field 2 may hold blanks and parentheses (proc(5)). */
function processGroup(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
}

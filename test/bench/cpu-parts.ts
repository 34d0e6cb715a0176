import { readdirSync, readFileSync } from "node:fs";
import { descendants } from "./processes.ts";

/** Milliseconds of CPU time by part. */
export type CpuParts = Record<string, number>;

const lookEveryMs = 100;

/** What a thread had used when it was first and last seen. */
interface Used {
  part: string;
  before: number;
  ms: number;
}

/**
 * What `work` takes of a process and its browser: by the kind of process, Node's by thread. It looks ten times a second, so
 * that what a process used counts when it has ended meanwhile, but for what came after the last look.
 */
export async function cpuOf<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; parts: CpuParts }> {
  const threads = new Map<string, Used>();
  look(pid, threads, true);
  const timer = setInterval(() => look(pid, threads, false), lookEveryMs);
  try {
    const result = await work();
    look(pid, threads, false);
    const parts: CpuParts = {};
    for (const { part, before, ms } of threads.values()) parts[part] = (parts[part] ?? 0) + ms - before;
    return { result, parts };
  } finally {
    clearInterval(timer);
  }
}

function look(pid: number, threads: Map<string, Used>, isFirst: boolean): void {
  for (const process of [pid, ...descendants(pid)]) {
    // Of a process that has ended nothing is left but its time.
    const command = read(`/proc/${process}/cmdline`);
    for (const thread of threadsOf(process)) {
      // Nanoseconds on a processor (proc_schedstat of the kernel's documentation).
      const ms = Number(read(`/proc/${process}/task/${thread}/schedstat`).split(" ", 1)[0]) / 1e6;
      const known = threads.get(`${process}/${thread}`);
      if (known) known.ms = Math.max(known.ms, ms);
      else if (command !== "") {
        const part = partOf(command, process === thread);
        threads.set(`${process}/${thread}`, { part, before: isFirst ? ms : 0, ms });
      }
    }
  }
}

/** Chromium writes the arguments of its processes as one. */
function partOf(command: string, isMain: boolean): string {
  const [program = ""] = command.split(/[\0 ]/);
  if (!/chrom|headless[-_]shell/i.test(program)) return isMain ? "main thread" : "other threads";
  if (command.includes("--type=renderer")) return "renderers";
  if (command.includes("--type=gpu-process")) return "compositor";
  return command.includes("network.mojom") ? "network" : "browser";
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

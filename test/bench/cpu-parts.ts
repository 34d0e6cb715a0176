import { readdirSync, readFileSync } from "node:fs";
import { descendants } from "./processes.ts";

/** Milliseconds of CPU time by part. */
export type CpuParts = Record<string, number>;

/** What a process and its browser have used so far, of threads that live: by the kind of process, Node's by thread. */
export function cpuParts(pid: number): CpuParts {
  const parts: CpuParts = {};
  for (const process of [pid, ...descendants(pid)]) {
    const command = read(`/proc/${process}/cmdline`);
    for (const thread of threadsOf(process)) {
      const name = read(`/proc/${process}/task/${thread}/comm`).trim();
      const part = partOf(command, process === thread ? "main" : name);
      // Nanoseconds on a processor (proc_schedstat of the kernel's documentation).
      const [nanoseconds = 0] = read(`/proc/${process}/task/${thread}/schedstat`).split(" ").map(Number);
      parts[part] = (parts[part] ?? 0) + nanoseconds / 1e6;
    }
  }
  return parts;
}

/** What was used between two looks. */
export function since(before: CpuParts, after: CpuParts): CpuParts {
  return Object.fromEntries(
    Object.entries(after).map(([part, ms]) => [part, Math.max(0, ms - (before[part] ?? 0))]),
  );
}

/** Chromium writes the arguments of its processes as one. */
function partOf(command: string, thread: string): string {
  const [program = ""] = command.split(/[\0 ]/);
  if (!/chrom|headless[-_]shell/i.test(program)) return thread === "main" ? "main thread" : "other threads";
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

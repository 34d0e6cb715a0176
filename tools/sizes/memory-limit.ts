import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A control group of Linux, whose processes share a limit of memory and have no swap. */
export interface MemoryLimit {
  /** Put before a command: the process joins the group before it becomes that program. */
  launcher: string[];
  /** Memory of its processes without what the kernel only caches of files, in MB. */
  usedMb(): number;
  /** Processes that the kernel has killed since there was no memory left. */
  killed(): number;
  /** After all of its processes have ended. */
  remove(): void;
}

/** The names of the same things in both versions of control groups. */
const versions = [
  {
    root: "/sys/fs/cgroup/memory",
    marker: "memory.limit_in_bytes",
    limits: ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"],
    used: /^(?:total_rss|total_shmem) (\d+)/gm,
    kills: "memory.oom_control",
    noSwap: undefined,
  },
  {
    root: "/sys/fs/cgroup",
    marker: "cgroup.controllers",
    limits: ["memory.max"],
    used: /^(?:anon|shmem) (\d+)/gm,
    kills: "memory.events",
    noSwap: "memory.swap.max",
  },
];

/** Undefined where this process may not make such a group: without the right to, or on another system. */
export function limitMemory(mb: number): MemoryLimit | undefined {
  for (const { root, marker, limits, used, kills, noSwap } of versions) {
    if (!existsSync(join(root, marker))) continue;
    const folder = join(root, `magpie-sizes-${process.pid}`);
    const set = (file: string, value: number) => writeFileSync(join(folder, file), String(value));
    try {
      mkdirSync(folder);
    } catch {
      return undefined;
    }
    try {
      for (const file of limits) if (existsSync(join(folder, file))) set(file, mb * 2 ** 20);
      if (!existsSync(join(folder, limits[0] ?? ""))) throw new Error("memory is not controlled here");
      if (noSwap !== undefined && existsSync(join(folder, noSwap))) set(noSwap, 0);
    } catch {
      rmdirSync(folder);
      return undefined;
    }
    const read = (file: string) => readFileSync(join(folder, file), "latin1");
    return {
      launcher: ["/bin/sh", "-c", 'echo $$ > "$0" && exec "$@"', join(folder, "cgroup.procs")],
      usedMb: () =>
        [...read("memory.stat").matchAll(used)].reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 2 ** 20,
      killed: () => Number(/^oom_kill (\d+)/m.exec(read(kills))?.[1] ?? 0),
      remove: () => rmdirSync(folder),
    };
  }
  return undefined;
}

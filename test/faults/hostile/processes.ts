import { readdirSync, readFileSync } from "node:fs";

/** A process by its number and its start, since numbers are used again. */
interface Seen {
  pid: number;
  startedAt: string;
}

interface Stat extends Seen {
  parent: number;
  state: string;
}

export interface Memory {
  /** Resident memory of the service's own process, in MB. */
  ownMb: number;
  /** That of the process and all below it, shared pages counted once, in MB. */
  allMb: number;
}

/** The processes of a service: itself, its browsers, and all that these start. Linux only. */
export class ProcessWatch {
  readonly #seen = new Map<string, Seen>();

  /** Notes the processes that are there now. */
  measure(root: number): Memory {
    const family = familyOf(root);
    for (const each of family) this.#seen.set(`${each.pid} ${each.startedAt}`, each);
    const allKb = family.reduce((sum, { pid }) => sum + field(pid, "smaps_rollup", "Pss"), 0);
    return { ownMb: megabytes(field(root, "status", "VmRSS")), allMb: megabytes(allKb) };
  }

  /** Of the processes that were noted, those that still run. */
  left(): number[] {
    const alive = new Set(
      processes().flatMap(each => (each.state === "Z" ? [] : `${each.pid} ${each.startedAt}`)),
    );
    return [...this.#seen].flatMap(([name, { pid }]) => (alive.has(name) ? [pid] : []));
  }
}

function familyOf(root: number): Stat[] {
  const children = Map.groupBy(processes(), ({ parent }) => parent);
  const family = [...children.values()].flat().filter(({ pid }) => pid === root);
  for (const { pid } of family) family.push(...(children.get(pid) ?? []));
  return family;
}

function processes(): Stat[] {
  const ids = readdirSync("/proc").filter(name => /^\d+$/.test(name));
  return ids.flatMap(id => {
    const stat = read(Number(id), "stat");
    // The name in field 2 may hold blanks and parentheses (proc(5)).
    const [state = "", parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return stat === "" ? [] : [{ pid: Number(id), parent: Number(parent), state, startedAt: rest[17] ?? "" }];
  });
}

function field(pid: number, file: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(read(pid, file))?.[1] ?? 0);
}

/** Empty when the process has gone. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

function megabytes(kilobytes: number): number {
  return Math.round(kilobytes / 1024);
}

import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Holding } from "./leaping-clock.ts";

/** What a process takes of its machine. */
export interface Taken extends Holding {
  /** MB of memory that is in use. */
  memory: number;
  /** Open files and connections. */
  files: number;
}

/** `told`: where the process says what it holds. */
export function takenBy(pid: number, told: string): Taken {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  const holding = JSON.parse(readFileSync(told, "utf8")) as Holding;
  const files = readdirSync(`/proc/${pid}/fd`).length;
  return { memory: Math.round(Number(kilobytes) / 1024), files, ...holding };
}

/** Rows of each table, and files of the blob store, of a folder whose service has ended. */
export function rowsIn(dataDir: string): Map<string, number> {
  const rows = new Map<string, number>();
  for (const file of ["magpie.db", "webhooks.db"]) {
    const database = new DatabaseSync(join(dataDir, file), { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of tables as { name: string }[])
      if (!name.startsWith("sqlite_"))
        rows.set(name, Number(database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n));
    database.close();
  }
  return rows.set("files of blobs/", globSync("blobs/**/*", { cwd: dataDir }).length);
}

export interface Line {
  what: string;
  warm: number;
  end: number;
  most: number;
}

/** May grow by a part, and by what a busy moment takes. */
const bounds: Record<keyof Taken, (warm: number) => number> = {
  memory: warm => warm * 1.3 + 60,
  files: warm => warm * 1.2 + 40,
  timers: warm => warm * 1.5 + 50,
  handles: warm => warm * 1.5 + 50,
};

/** The middle of several looks: one look may meet a busy moment. */
export function middleOf(looks: Taken[]): Taken {
  const middle = (name: keyof Taken) => {
    const values = looks.map(each => each[name]).sort((a, b) => a - b);
    return values[values.length >> 1] ?? 0;
  };
  return {
    memory: middle("memory"),
    files: middle("files"),
    timers: middle("timers"),
    handles: middle("handles"),
  };
}

export function linesOf(warm: Taken, end: Taken): Line[] {
  return (Object.keys(bounds) as (keyof Taken)[]).map(what => ({
    ...{ what, warm: warm[what], end: end[what] },
    most: Math.round(bounds[what](warm[what])),
  }));
}

/** Their rows live longer than the run, so that they grow with the work that was done: so many times as in the first part. */
const longLived =
  /^(history_|sandbox_posts|queue_jobs|scrapes$|scrape_claims|crawl_claims|expired_crawls|key_usage|audit_acts|webhook_attempts$)/;

/** `growth`: by how much the work at the end is more than at the first look. */
export function lineOfRows(what: string, warm: number, end: number, growth: number): Line {
  const most = warm * (longLived.test(what) ? 1.5 * growth : 1.5) + 300;
  return { what, warm, end, most: Math.round(most) };
}

export function tableOf(lines: Line[]): string {
  const rows = [
    ["", "warm", "end", "at most"],
    ...lines.map(({ what, warm, end, most }) => [
      ...[what, String(warm), String(end), String(most)],
      ...(end > most ? ["BROKEN"] : []),
    ]),
  ];
  return rows
    .map(([what = "", ...numbers]) => what.padEnd(28) + numbers.map(each => each.padStart(10)).join(""))
    .join("\n");
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The events in the files of a folder and those below it, by the names of the files. */
export function linesBelow(folder: string): { id: string; seq: number }[] {
  return filesBelow(folder).flatMap(file => eventsIn(readFileSync(join(folder, file), "utf8")));
}

/** The finished files, in the order of their names. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return all.filter(file => file.endsWith(".ndjson")).toSorted();
}

export function eventsIn(text: string): { id: string; seq: number }[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map(line => JSON.parse(line));
}

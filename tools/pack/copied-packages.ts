import { cpSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isUnused } from "../prune-packages.ts";

/** Packages whose files are read by their path: by browsers, or by a thread that starts from one. */
export const copiedPackages = [
  "@mtcute/wasm",
  "@preact/signals",
  "@preact/signals-core",
  "eventsource-parser",
  "htm",
  "marked",
  "piscina",
  "preact",
];

/** Copies them without what nothing reads, and without packages that they need: none does. Answers the folders they came from. */
export function copyPackages(from: string, to: string): string[] {
  return copiedPackages.map(name => {
    const folder = join(from, name);
    cpSync(folder, join(to, name), {
      recursive: true,
      dereference: true,
      filter: path => !isUnused(relative(from, path).split(sep).join("/")),
    });
    return folder;
  });
}

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

interface Locked {
  packages: Record<string, { dev?: boolean }>;
}

/** Packages that `npm ci --omit=dev` leaves out, by their folders below the root. */
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Locked;
const ofDevelopment = new Set(Object.keys(packages).filter(path => packages[path]?.dev));

/**
 * Blocks of the files in a folder of node_modules, without caches and without packages for development. A file with two
 * names is counted once.
 */
export function installedMb(folder: string): number {
  const seen = new Set<number>();
  let bytes = 0;
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (!entry.isFile() || path.startsWith("node_modules/.cache/") || isForDevelopment(path)) continue;
    const { ino, blocks } = statSync(join(root, path));
    if (seen.has(ino)) continue;
    seen.add(ino);
    bytes += blocks * 512;
  }
  return bytes / 2 ** 20;
}

/** Whether a package that holds the file, directly or in a package of its own, is for development. */
function isForDevelopment(path: string): boolean {
  const packages = [...path.matchAll(/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/g)];
  return packages.some(({ 0: name, index }) => ofDevelopment.has(path.slice(0, index + name.length)));
}

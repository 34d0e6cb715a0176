import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface Part {
  what: string;
  /** What its files hold, as container engines count. */
  bytes: number;
  /** What they take on a disk, in bytes. */
  blocks: number;
}

/** The first that fits has a file. */
const parts: [what: string, path: RegExp][] = [
  ["packages", /^app\/node_modules\//],
  ["Magpie", /^app\//],
  ["Node", /^usr\/local\/bin\/node$/],
  ["the headless shell", /^usr\/(lib\/chromium\/|bin\/chromium-)/],
  ["its fonts", /^usr\/share\/fonts\/|^etc\/fonts\//],
];

/** The parts of an image's root. `base` is the root of the system that it begins with. */
export function weigh(root: string, base: string): Part[] {
  const sums = new Map<string, Part>();
  for (const path of below(root)) {
    const stat = lstatSync(join(root, path));
    const bytes = stat.isDirectory() ? 0 : stat.size;
    const found = parts.find(([, pattern]) => pattern.test(path))?.[0];
    const what =
      found ?? (existsSync(join(base, path)) ? "Debian" : "the browser's libraries and their licences");
    const part = sums.get(what) ?? { what, bytes: 0, blocks: 0 };
    sums.set(what, { what, bytes: part.bytes + bytes, blocks: part.blocks + stat.blocks * 512 });
  }
  return [...sums.values()];
}

/** Node's own recursion follows links to folders, which a system is full of. */
function* below(root: string, folder = ""): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    yield path;
    if (entry.isDirectory()) yield* below(root, path);
  }
}

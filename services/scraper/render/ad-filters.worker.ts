import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parentPort, threadId } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { FiltersEngine } from "@ghostery/adblocker";

/** AdGuard's base filter (with EasyList) and tracking protection, by the numbers of the dependency. */
const listIds = [2, 3];

interface Ruleset {
  metadata: { rawFilterList: string };
}

/**
 * The compiled filter lists at a file, or those that `compile` makes, which are then kept there. A file that is damaged
 * or of another version of the engine is replaced; where none can be written, each process compiles.
 */
export function keptFilters(file: URL, compile: () => Uint8Array): Uint8Array {
  return readFilters(file) ?? keepFilters(file, compile());
}

function readFilters(file: URL): Uint8Array | undefined {
  try {
    const compiled = readFileSync(file);
    FiltersEngine.deserialize(compiled);
    return compiled;
  } catch {
    return undefined;
  }
}

/** Other processes may do the same: the file gets its name when it is complete. */
function keepFilters(file: URL, compiled: Uint8Array): Uint8Array {
  const draft = `${fileURLToPath(file)}.${process.pid}-${threadId}`;
  try {
    mkdirSync(new URL(".", file), { recursive: true });
    writeFileSync(draft, compiled);
    renameSync(draft, file);
  } catch {
    if (existsSync(draft)) rmSync(draft);
  }
  return compiled;
}

/** Compiles the filter lists of the dependency: two seconds of CPU. */
function buildAdFilters(): Uint8Array {
  const lists = new URL(listsFolder, import.meta.resolve(listsEntry));
  const text = listIds.map(id => readList(lists, id)).join("\n");
  return FiltersEngine.parse(text, { loadCosmeticFilters: false }).serialize();
}

const listsEntry = "@adguard/dnr-rulesets";
/** Seen from the entry. */
const listsFolder = "../filters/declarative/";

/** A list as tools/prune-packages.ts has shortened it, or as the package brings it where that did not run. */
export function readList(lists: URL, id: number): string {
  const shortened = new URL(`ruleset_${id}/ruleset_${id}.txt.gz`, lists);
  if (existsSync(shortened)) return gunzipSync(readFileSync(shortened)).toString("utf8");
  const whole = new URL(`ruleset_${id}/ruleset_${id}.json`, lists);
  const [first] = JSON.parse(readFileSync(whole, "utf8")) as [Ruleset];
  return first.metadata.rawFilterList;
}

/** Beside the dependencies, and of their versions. */
function cacheFile(): URL {
  const packages = [listsEntry, "@ghostery/adblocker"].map(name => import.meta.resolve(name));
  const versions = packages.map(entry => {
    const manifest = readFileSync(new URL("../../package.json", entry), "utf8");
    return (JSON.parse(manifest) as { version: string }).version;
  });
  const name = ["ad-filters", ...listIds, ...versions].join("-");
  return new URL(`../../../../.cache/magpie/${name}`, packages[0]);
}

parentPort?.postMessage(keptFilters(cacheFile(), buildAdFilters));

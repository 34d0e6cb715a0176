import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parentPort, threadId } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { ENGINE_VERSION, FiltersEngine } from "@ghostery/adblocker";

const folder = new URL("./filter-lists/", import.meta.url);
const about = JSON.parse(readFileSync(new URL("lists.json", folder), "utf8")) as {
  version: string;
  lists: { file: string }[];
};

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

/** Compiles the filter lists: two seconds of CPU. */
function buildAdFilters(): Uint8Array {
  const text = about.lists.map(({ file }) => readList(file)).join("\n");
  return FiltersEngine.parse(text, { loadCosmeticFilters: false }).serialize();
}

const readList = (file: string) => gunzipSync(readFileSync(new URL(file, folder))).toString("utf8");

/** Named by the versions of the lists and of the engine, so that new ones are compiled. */
function cacheFile(): URL {
  const name = `ad-filters-${about.version}-${ENGINE_VERSION}`;
  return new URL(`../../../node_modules/.cache/magpie/${name}`, import.meta.url);
}

parentPort?.postMessage(keptFilters(cacheFile(), buildAdFilters));

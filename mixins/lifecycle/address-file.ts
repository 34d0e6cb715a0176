import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../config/config.ts";

type Place = Pick<Config, "dataDir" | "cluster">;

/**
 * Writes down where the gateway of this data folder is reached, for tools beside it such as the REPL. A node of a
 * cluster leaves nothing on its machine.
 */
export function keepAddress(place: Place, address: string): void {
  if (place.cluster) return;
  const path = addressPath(place);
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${reachable(address)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

export function dropAddress(place: Place): void {
  if (place.cluster) return;
  rmSync(addressPath(place), { force: true });
}

/** What was written last; after a death of the process it may be out of date. */
export function readAddress(place: Place): string | undefined {
  try {
    return readFileSync(addressPath(place), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}

function addressPath({ dataDir }: Place): string {
  return join(dataDir, "address");
}

/** A server that listens on every address is asked on the machine's own. */
function reachable(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

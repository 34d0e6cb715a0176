import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "./config.ts";

type Place = Pick<Config, "dataDir" | "cluster">;

/**
 * Writes the address of this data folder's gateway to a file, for tools on the same machine such as the REPL. A node of
 * a cluster leaves nothing on its machine.
 */
export function writeGatewayAddress(place: Place, address: string): void {
  if (place.cluster) return;
  const path = addressPath(place);
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${reachable(address)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

export function removeGatewayAddress(place: Place): void {
  if (place.cluster) return;
  rmSync(addressPath(place), { force: true });
}

/** The address that was written last; it may be out of date when the process was killed. */
export function readGatewayAddress(place: Place): string | undefined {
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

/** A server that listens on every address is reached by the loopback address. */
function reachable(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

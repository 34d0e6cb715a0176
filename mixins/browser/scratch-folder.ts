import { readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { ConfigError } from "../config/config-error.ts";
import { makeFolder } from "../config/make-folder.ts";

/** Those that this process has made. */
const own = new Set<string>();

/**
 * A folder below `root` for what the browsers of one pool leave, where several processes may have theirs. Removes those
 * of processes of this machine that are no more. Throws a sentence that names
 * DATA_DIR where `root` cannot be written.
 */
export function scratchFolder(root: string): string {
  const folder = join(root, `${hostname()}.${process.pid}.${own.size}`);
  try {
    makeFolder(root);
    removeDead(root);
    makeFolder(folder);
  } catch (cause) {
    throw new ConfigError("DATA_DIR", `${root} cannot be written (${(cause as Error).message})`, { cause });
  }
  own.add(folder);
  return folder;
}

function removeDead(root: string): void {
  for (const name of readdirSync(root))
    if (!own.has(join(root, name)) && !isAnothers(name))
      rmSync(join(root, name), { recursive: true, force: true, maxRetries: 3 });
}

/** Whether another process may still use it. One with this process' number is of a process before it. */
function isAnothers(name: string): boolean {
  const [, host, number] = /^(.+)\.(\d+)\.\d+$/.exec(name) ?? [];
  if (host === undefined) return false;
  const pid = Number(number);
  return host !== hostname() || (pid !== process.pid && isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

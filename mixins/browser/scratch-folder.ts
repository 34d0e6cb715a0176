import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** Those that this process has made. */
const own = new Set<string>();

/**
 * A folder below `root` for what the browsers of one pool leave, where several processes may have theirs. Removes those
 * of processes of this machine that are no more.
 */
export function scratchFolder(root: string): string {
  mkdirSync(root, { recursive: true });
  for (const name of readdirSync(root))
    if (!own.has(join(root, name)) && !isAnothers(name))
      rmSync(join(root, name), { recursive: true, force: true, maxRetries: 3 });
  const folder = join(root, `${hostname()}.${process.pid}.${own.size}`);
  own.add(folder);
  return folder;
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

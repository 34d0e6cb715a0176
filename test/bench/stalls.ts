/**
 * Loaded into a service by a bench: the longest time for which the main thread let nothing else run. SIGUSR2 writes what was
 * measured so far to the file that `STALLS` names, and ends the measurement; the next one begins it again.
 */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** In ms. CPU time does not count what other processes of the machine took meanwhile. */
export interface Stalls {
  longestMs: number;
  longestCpuMs: number;
}

const everyMs = 5;

/** Measures until `end`, which answers the longest stall. */
export function measureStalls(): () => Stalls {
  const longest: Stalls = { longestMs: 0, longestCpuMs: 0 };
  let [at, cpu] = [performance.now(), threadCpuMs()];
  const tick = () => {
    const [now, used] = [performance.now(), threadCpuMs()];
    longest.longestMs = Math.max(longest.longestMs, now - at - everyMs);
    longest.longestCpuMs = Math.max(longest.longestCpuMs, used - cpu);
    [at, cpu] = [now, used];
  };
  const timer = setInterval(tick, everyMs).unref();
  return () => {
    tick();
    clearInterval(timer);
    return longest;
  };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const { STALLS } = process.env;
if (isMainThread && STALLS !== undefined) {
  let end: (() => Stalls) | undefined = measureStalls();
  process.on("SIGUSR2", () => {
    if (end) writeFileSync(STALLS, JSON.stringify(end()));
    end = end ? undefined : measureStalls();
  });
}

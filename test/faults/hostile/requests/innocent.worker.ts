/**
 * Another key, in a thread of its own, so that what the run itself computes does not count: it asks for `/health/live`
 * and scrapes a plain page, each one after the other. Posts each answer as a `Sample`.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { InnocentData, Sample } from "./innocent.ts";

const { address, key, page } = workerData as InnocentData;
const patientMs = 180_000;

await Promise.all([
  repeat("live", 20, () => ask("/health/live", {})),
  repeat("scrape", 100, n =>
    ask("/web/scrape", {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ url: `${page}?${n}`, js_render: { enabled: false }, timeout: 120_000 }),
    }),
  ),
]);

async function repeat(
  kind: Sample["kind"],
  pauseMs: number,
  once: (n: number) => Promise<boolean>,
): Promise<void> {
  for (let n = 0; ; n += 1) {
    const began = performance.now();
    const isRight = await once(n);
    parentPort?.postMessage({ kind, isRight, ms: performance.now() - began } satisfies Sample);
    await delay(pauseMs);
  }
}

async function ask(path: string, init: RequestInit): Promise<boolean> {
  try {
    const answer = await fetch(address + path, { ...init, signal: AbortSignal.timeout(patientMs) });
    await answer.text();
    return answer.status === 200;
  } catch {
    return false;
  }
}

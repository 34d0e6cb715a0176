/**
 * Another key, in a thread of its own: asks for `/health/live`, for its own owner and for a plain page, each one after the
 * other. Posts each answer, with how busy the machine is: how much longer than its processor time some work takes here.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

interface Data {
  address: string;
  key: string;
  page: string;
}

/** An answer. */
export interface Answered {
  kind: "live" | "call" | "scrape";
  ms: number;
  /** 1 on a machine that has nothing else to do. */
  slowness: number;
}

const { address, key, page } = workerData as Data;
const headers = { "x-api-key": key, "content-type": "application/json" };
let slowness = 1;

await Promise.all([
  measureSlowness(),
  repeat("live", 10, () => ask("/health/live", {})),
  repeat("call", 20, () => ask("/users/me", { headers })),
  repeat("scrape", 100, () => {
    const body = JSON.stringify({ url: page, js_render: { enabled: false }, timeout: 120_000 });
    return ask("/web/scrape", { method: "POST", headers, body });
  }),
]);

async function repeat(kind: Answered["kind"], pauseMs: number, once: () => Promise<void>): Promise<void> {
  for (;;) {
    const began = performance.now();
    await once();
    const ms = performance.now() - began;
    parentPort?.postMessage({ kind, ms, slowness } satisfies Answered);
    await delay(pauseMs);
  }
}

/** The mean of the last half second or so. */
async function measureSlowness(): Promise<never> {
  const usedMs = () => process.threadCpuUsage().user / 1000;
  for (;;) {
    const [began, used] = [performance.now(), usedMs()];
    while (usedMs() - used < 2);
    const now = (performance.now() - began) / (usedMs() - used);
    slowness = Math.max(1, 0.9 * slowness + 0.1 * now);
    await delay(40);
  }
}

async function ask(path: string, init: RequestInit): Promise<void> {
  const answer = await fetch(address + path, { ...init, signal: AbortSignal.timeout(180_000) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
}

import { setTimeout as delay } from "node:timers/promises";
import { startHelper } from "./child.ts";
import { type Bench, interleave, verdict } from "./compare.ts";
import { type Program, startProgram } from "./program.ts";
import type { Visitor } from "./visitor.ts";

const levels = 500_000;
const rounds = 4;
const samples = 100;
const pauseMs = 30;
/** Pages that the other key asks for at a time, and how long it waits for each. */
const [atATime, timeoutMs] = [4, 1000];

/** The p99 of a key's plain scrapes: alone, and while another key has pages of half a million levels read all the time. */
export const deepFlood: Bench = async () => {
  const site = await startHelper<never, string>("deep-flood.site.process.ts", [String(levels)]);
  const program = await startProgram();
  const other = await program.another("flood");
  try {
    const measured = await interleave<"alone" | "beside", number[]>(rounds, {
      alone: () => times(program, site.first),
      beside: () => besideFlood(other, site.first, () => times(program, site.first)),
    });
    const [alone, beside] = [p99(measured.alone.flat()), p99(measured.beside.flat())];
    const text = `deep-flood: p99 of a plain scrape ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside another key's pages of ${levels} levels, factor ${(beside / alone).toFixed(2)}`;
    return [verdict(text, beside / alone, "<=", 3)];
  } finally {
    await other.leave();
    await Promise.all([program.stop(), site.stop()]);
  }
};

async function besideFlood<T>(other: Visitor, origin: string, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const body = { url: `${origin}/deep`, timeout: timeoutMs, js_render: { enabled: false } };
  const lanes = Array.from({ length: atATime }, async () => {
    while (!over.signal.aborted) {
      // It may be told 408 or 429, and asks again.
      await other.ask("POST", "/web/scrape", body).catch(() => delay(100));
    }
  });
  try {
    await delay(timeoutMs);
    return await work();
  } finally {
    over.abort();
    await Promise.all(lanes);
  }
}

async function times(program: Program, origin: string): Promise<number[]> {
  const waits: number[] = [];
  for (let n = 0; n < samples; n += 1) {
    const before = performance.now();
    await program.scrape(`${origin}/small`);
    waits.push(performance.now() - before);
    await delay(pauseMs);
  }
  return waits;
}

function p99(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

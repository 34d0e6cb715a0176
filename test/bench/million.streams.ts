import { setTimeout as delay } from "node:timers/promises";
import { type Cost, quantile } from "./growth.ts";
import { startStreams } from "./stream.bench.ts";

const warmUp = 500;
const events = 5;
const idleMs = 30_000;
const arrivalMs = 60_000;

/** Costs of open WebSockets: their memory, what they use while nothing happens, and an event that all of them get. */
export async function streamCosts(streams: number): Promise<Cost[]> {
  const { server, client } = await startStreams();
  try {
    await client.ask({ ...server.first, count: warmUp });
    const before = await server.ask("collect");
    const { open: count } = await client.ask({ ...server.first, count: streams - warmUp });
    const opened = await server.ask("collect");
    await delay(idleMs);
    const idle = await server.ask("nothing");
    const times: number[] = [];
    for (let n = 0; n < events; n += 1) {
      const began = performance.now();
      await server.ask("append");
      await client.ask({ messages: count, withinMs: arrivalMs });
      times.push(performance.now() - began);
    }
    const sent = await server.ask("nothing");
    const each = (value: number) => (value / count) * 1000;
    return [
      { name: "memory of a stream", value: (opened.rss - before.rss) / (count - warmUp) / 1024, unit: "KB" },
      { name: "opening of 1,000, CPU", value: each(opened.cpuMs - before.cpuMs), unit: "ms" },
      {
        name: "idle CPU of a second of 1,000",
        value: (each(idle.cpuMs - opened.cpuMs) * 1000) / idleMs,
        unit: "ms",
      },
      { name: "an event to 1,000, CPU", value: each(sent.cpuMs - idle.cpuMs) / events, unit: "ms" },
      { name: "an event to 1,000, until the last has it", value: each(quantile(times, 0.5)), unit: "ms" },
    ];
  } finally {
    await client.stop();
    await server.stop();
  }
}

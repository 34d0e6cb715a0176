import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ServiceProcess } from "../faults/deliveries/service-process.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Bench, median, verdict } from "./compare.ts";

const feedCount = 100;
const keyCount = 10;
const fullRounds = 3;
/** Between the two, so that what the full load left behind is no part of the half. */
const restMs = 5_000;
/** In a rest sources are polled less often, so that the first polls after it bring more than half of the load. */
const warmMs = 8_000;
const measuredMs = 30_000;
/** What a feed shows: its newest items, as many as one poll tells at the most. */
const shown = 50;
const patienceMs = 120_000;
const barMs = 100;

/**
 * From the poll that carried an item to the first byte at the receiver, at half of the load that the same program bears
 * in the same run by the same way: all that the feeds can show at once. Feeds and receivers are this process.
 */
export const latency: Bench = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-latency-"));
  const service = new ServiceProcess(dataDir);
  const clock = new Clock();
  const site = await startSite((request, response) => {
    if (request.method === "GET") return response.end(clock.serve(Number(request.url?.slice("/f/".length))));
    let text = "";
    const at = performance.now();
    request.setEncoding("utf8").on("data", chunk => {
      text += chunk;
    });
    request.on("end", () => {
      clock.arrived(text, at);
      response.end();
    });
    return undefined;
  });
  try {
    await service.start();
    await setUp(service, site);
    const full = await fullLoad(clock);
    await delay(restMs);
    clock.begin();
    const items = await postSteadily(clock, full / 2 / keyCount);
    await arrived(clock, items * keyCount);
    return [outcome(clock.times, full)];
  } finally {
    await service.close();
    await site.close();
    rmSync(dataDir, { recursive: true });
  }
};

class Clock {
  /** Milliseconds, of the items that were served since `measure`. */
  readonly times: number[] = [];
  arrivals = 0;
  #from = 0;
  readonly #counts = new Array<number>(feedCount).fill(1);
  readonly #servedAt = new Map<string, number>();

  begin(): void {
    this.arrivals = 0;
  }

  measure(): void {
    this.times.length = 0;
    this.#from = performance.now();
  }

  post(feed: number): void {
    this.#counts[feed] = (this.#counts[feed] ?? 0) + 1;
  }

  serve(feed: number): string {
    const count = this.#counts[feed] ?? 0;
    const list = Array.from({ length: Math.min(count, shown) }, (_, back) => ({
      id: `${feed}-${count - 1 - back}`,
      content_text: `Item ${count - 1 - back}.`,
    }));
    for (const { id } of list) if (!this.#servedAt.has(id)) this.#servedAt.set(id, performance.now());
    return JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: `Feed ${feed}`,
      items: list,
    });
  }

  arrived(body: string, at: number): void {
    const { data } = JSON.parse(body) as { data: { item?: { id: string } } };
    const servedAt = this.#servedAt.get(data.item?.id ?? "") ?? Number.NaN;
    this.arrivals += 1;
    if (servedAt >= this.#from) this.times.push(at - servedAt);
  }
}

async function setUp(service: ServiceProcess, site: Site): Promise<void> {
  const limits = { requestsPerMinute: 1_000_000 };
  for (let key = 0; key < keyCount; key += 1) {
    const made = await service.admin("POST", "/internal/keys", { owner: `o${key}`, name: "n", limits });
    const value = (made as { data: { key: string } }).data.key;
    await service.as(value, "POST", "/webhook", { url: `${site.url}/hook/${key}` });
    for (let feed = 0; feed < feedCount; feed += 1)
      await service.as(value, "POST", "/track/rss", { sid: `${site.url}/f/${feed}` });
  }
}

/** Deliveries per second while there is always something to take in: each feed is new from its first item to its last. */
async function fullLoad(clock: Clock): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round <= fullRounds; round += 1) {
    clock.begin();
    for (let n = 0; n < feedCount * shown; n += 1) clock.post(n % feedCount);
    await arrived(clock, 1);
    const began = performance.now();
    await arrived(clock, feedCount * shown * keyCount);
    if (round > 0) rates.push((feedCount * shown * keyCount * 1_000) / (performance.now() - began));
  }
  return median(rates);
}

/** Posts so many items a second to the feeds in turn, and measures once it runs evenly; tells how many there were. */
async function postSteadily(clock: Clock, itemsPerSecond: number): Promise<number> {
  const began = performance.now();
  let posted = 0;
  let isWarm = false;
  for (let ms = 0; ms < warmMs + measuredMs; ms = performance.now() - began) {
    if (!isWarm && ms >= warmMs) {
      isWarm = true;
      clock.measure();
    }
    for (; posted < (itemsPerSecond * ms) / 1_000; posted += 1) clock.post(posted % feedCount);
    await delay(10);
  }
  return posted;
}

async function arrived(clock: Clock, wanted: number): Promise<void> {
  const began = performance.now();
  while (clock.arrivals < wanted) {
    if (performance.now() - began > patienceMs) throw new Error(`${clock.arrivals} of ${wanted} arrived`);
    await delay(5);
  }
}

function outcome(times: number[], full: number) {
  const sorted = times.toSorted((a, b) => a - b);
  const [p50 = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map(
    part => sorted[Math.floor(sorted.length * part)],
  );
  const text = `latency: full load ${full.toFixed(0)} deliveries/s; at half of it, ${times.length} of them, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  return verdict(text, p99, "<=", barMs);
}

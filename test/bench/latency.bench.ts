import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ServiceProcess } from "../faults/deliveries/service-process.ts";
import { removeFolder } from "../support/folders.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Bench, median, verdict } from "./compare.ts";
import { disturbance, type Measured, undisturbed } from "./undisturbed.ts";

const feedCount = 100;
const keyCount = 10;
/** Full and half load take turns: what else goes on at the machine slows both of a round down, or some rounds. */
const rounds = 5;
/** Items that are on their way at full load, so that there is always something to take in. */
const backlog = 2_000;
/** Of both loads: what came before is no part of them, nor are the first polls, which bring more than usual. */
const warmMs = 8_000;
const measuredMs = 10_000;
/** What a feed shows: its newest items, as many as one poll tells at the most. */
const shown = 50;
const timeoutMs = 120_000;
/** In each round. */
const barMs = 50;

/**
 * From the poll that carried an item to the first byte at the receiver, at half of the load that the same program bore
 * just before: then an item was posted for each that arrived everywhere. Feeds and receivers are this process.
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
    const measured: Measured<Round>[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await undisturbed(() => oneRound(clock)));
    return [outcome(measured)];
  } finally {
    await service.close();
    await site.close();
    await removeFolder(dataDir);
  }
};

/** Deliveries per second at full load, and the milliseconds that those of half load took. */
interface Round {
  full: number;
  p50: number;
  p99: number;
}

async function oneRound(clock: Clock): Promise<Round> {
  const full = await fullLoad(clock);
  return { full, ...(await halfLoad(clock, full / 2 / keyCount)) };
}

class Clock {
  /** Milliseconds, of the items that were served since `measure`. */
  readonly times: number[] = [];
  arrivals = 0;
  #from = Number.POSITIVE_INFINITY;
  readonly #counts = new Array<number>(feedCount).fill(1);
  /** The items of each feed that were served. */
  readonly #served = new Array<number>(feedCount).fill(0);
  readonly #servedAt = new Map<string, number>();

  begin(): void {
    this.arrivals = 0;
  }

  measure(): void {
    this.times.length = 0;
    this.#from = performance.now();
  }

  /** False where the feed would no longer show what nobody has seen: its poll is late. */
  post(feed: number): boolean {
    const count = this.#counts[feed] ?? 0;
    if (count - (this.#served[feed] ?? 0) >= shown) return false;
    this.#counts[feed] = count + 1;
    return true;
  }

  serve(feed: number): string {
    const count = this.#counts[feed] ?? 0;
    this.#served[feed] = count;
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

/** Deliveries per second while as many items as ever are on their way. */
async function fullLoad(clock: Clock): Promise<number> {
  let [since, before] = [0, 0];
  const wanted = () => clock.arrivals / keyCount + backlog;
  const posted = await postSteadily(clock, wanted, () => {
    [since, before] = [performance.now(), clock.arrivals];
  });
  const perSecond = ((clock.arrivals - before) * 1_000) / (performance.now() - since);
  await arrived(clock, posted * keyCount);
  return perSecond;
}

/** So many items a second; tells how long the deliveries take. */
async function halfLoad(clock: Clock, itemsPerSecond: number): Promise<Omit<Round, "full">> {
  const wanted = (ms: number) => (itemsPerSecond * ms) / 1_000;
  const posted = await postSteadily(clock, wanted, () => clock.measure());
  await arrived(clock, posted * keyCount);
  const sorted = clock.times.toSorted((a, b) => a - b);
  const [p50 = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map(
    part => sorted[Math.floor(sorted.length * part)],
  );
  return { p50, p99 };
}

/** Posts to the feeds in turn, so that by each time (ms) as many items are there as are wanted; tells how many there were. */
async function postSteadily(
  clock: Clock,
  wanted: (ms: number) => number,
  onWarm: () => void,
): Promise<number> {
  clock.begin();
  const began = performance.now();
  let [posted, turn] = [0, 0];
  let isWarm = false;
  for (let ms = 0; ms < warmMs + measuredMs; ms = performance.now() - began) {
    if (!isWarm && ms >= warmMs) {
      isWarm = true;
      onWarm();
    }
    for (let full = 0; posted < wanted(ms) && full < feedCount; turn += 1)
      if (clock.post(turn % feedCount)) posted += 1;
      else full += 1;
    await delay(10);
  }
  return posted;
}

async function arrived(clock: Clock, wanted: number): Promise<void> {
  const began = performance.now();
  while (clock.arrivals < wanted) {
    if (performance.now() - began > timeoutMs) throw new Error(`${clock.arrivals} of ${wanted} arrived`);
    await delay(5);
  }
}

function outcome(measured: Measured<Round>[]) {
  const rounds = measured.map(({ value }) => value);
  const [full, p50, p99] = (["full", "p50", "p99"] as const).map(name =>
    median(rounds.map(round => round[name])),
  ) as [number, number, number];
  const each = rounds.map(round => round.p99.toFixed(0)).join(", ");
  const text = `latency: full load ${full.toFixed(0)} deliveries/s; at half of it p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (by round ${each}; ${disturbance(measured)})`;
  return verdict(text, Math.max(...rounds.map(round => round.p99)), "<=", barMs);
}

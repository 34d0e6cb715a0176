import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ServiceProcess } from "../faults/deliveries/service-process.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { until } from "../support/until.ts";
import { type Bench, verdict } from "./compare.ts";

const feedCount = 20;
const keyCount = 10;
const items = 1500;
/** With ten keys a feed, about 200 deliveries a second. */
const betweenItemsMs = 50;
const barMs = 100;

/** From the poll that carried an item to the first byte at the receiver; feeds and receivers are this process. */
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
    for (let n = 0; n < items; n += 1) {
      clock.post(n % feedCount);
      await delay(betweenItemsMs);
    }
    await until("all is delivered", () => clock.times.length === items * keyCount);
    return [outcome(clock.times)];
  } finally {
    await service.close();
    await site.close();
    rmSync(dataDir, { recursive: true });
  }
};

class Clock {
  readonly times: number[] = [];
  readonly #counts = new Array<number>(feedCount).fill(1);
  readonly #servedAt = new Map<string, number>();

  post(feed: number): void {
    this.#counts[feed] = (this.#counts[feed] ?? 0) + 1;
  }

  serve(feed: number): string {
    const list = Array.from({ length: this.#counts[feed] ?? 0 }, (_, at) => ({
      id: `${feed}-${at}`,
      content_text: `Item ${at}.`,
    })).reverse();
    for (const { id } of list) if (!this.#servedAt.has(id)) this.#servedAt.set(id, performance.now());
    return JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: `Feed ${feed}`,
      items: list,
    });
  }

  arrived(body: string, at: number): void {
    const { data } = JSON.parse(body) as { data: { item?: { id: string } } };
    this.times.push(at - (this.#servedAt.get(data.item?.id ?? "") ?? Number.NaN));
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

function outcome(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const [p50 = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map(
    part => sorted[Math.floor(sorted.length * part)],
  );
  const text = `latency: ${times.length} deliveries, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  return verdict(text, p99, "<=", barMs);
}

/** A tracker service on a data folder; tells what it holds, and what it burns while it has nothing to do. */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { ServiceBroker } from "moleculer";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { type StoredSource, storeOptions } from "../../services/tracker/sources.store.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { Upstream, upstreamService } from "../fakes/upstream.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { retention } from "../support/retention.ts";

/** What to do: fill the folder with sources of which none is due today, or idle for a while and tell the cost. */
export type IdleQuestion = { fill: number } | { idleMs: number };

export interface IdleCost {
  /** CPU time over wall time. */
  cpuShare: number;
  anonymousKb: number;
  polls: number;
}

const dayMs = 86_400_000;
const chunk = 5000;
const keys = 100;

const [dataDir = ""] = process.argv.slice(2);
process.once("message", async (question: IdleQuestion) => {
  process.send?.("fill" in question ? await fill(question.fill) : await idle(question.idleMs));
});
process.send?.("ready");

async function fill(count: number): Promise<number> {
  const broker = new ServiceBroker({ logger: false });
  const service = broker.createService({ name: "filler", mixins: [storeMixin({ dataDir }, storeOptions)] });
  await broker.start();
  const { store } = service as unknown as WithStore<StoredSource>;
  for (let from = 0; from < count; from += chunk) {
    const numbers = Array.from({ length: Math.min(chunk, count - from) }, (_, at) => from + at);
    await store.insertMany(numbers.map(source));
    await store
      .collection("source_states")
      .insertMany(numbers.map(n => ({ _id: id(n), state: baseline(n) })));
    await store.collection("subscriptions").insertMany(numbers.map(subscription));
  }
  await broker.stop();
  return count;
}

async function idle(ms: number): Promise<IdleCost> {
  const upstream = new Upstream();
  const broker = new ServiceBroker({ logger: false });
  broker.createService(upstreamService(upstream));
  broker.createService(trackerService({ dataDir, pollMinIntervalMs: 60_000, ...retention }));
  await broker.start();
  collectGarbage();
  const before = process.cpuUsage();
  await delay(ms);
  const { user, system } = process.cpuUsage(before);
  const anonymousKb = Number(/RssAnon:\s+(\d+)/.exec(readFileSync("/proc/self/status", "latin1"))?.[1]);
  const cost = { cpuShare: (user + system) / 1000 / ms, anonymousKb, polls: upstream.polled.length };
  await broker.stop();
  return cost;
}

function id(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

function source(n: number): StoredSource {
  const host = `host-${n}.example`;
  return {
    _id: id(n),
    kind: "rss",
    externalId: `https://${host}/feed.xml`,
    username: host,
    name: `The feed of ${host}`,
    updatedAt: new Date().toISOString(),
    health: "ok",
    failures: 0,
    dueAt: Date.now() + dayMs + n,
    polledAt: Date.now(),
  };
}

function subscription(n: number) {
  const createdAt = new Date().toISOString();
  return {
    _id: String(n).padStart(26, "0"),
    keyId: `key ${n % keys}`,
    sourceId: id(n),
    kind: "rss",
    createdAt,
  };
}

/** Forty identities of items, as a feed has. */
function baseline(n: number): Record<string, unknown> {
  return { etag: `"${n}"`, seen: Array.from({ length: 40 }, (_, at) => `${n}-${at}`.padEnd(22, "x")) };
}

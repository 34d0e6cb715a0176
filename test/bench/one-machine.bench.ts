import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { serviceNames, startCluster } from "../dev/start-cluster.ts";
import { startHelper } from "./child.ts";
import { type Bench, median, type Outcome, rate } from "./compare.ts";
import { crawlRate } from "./crawl-run.ts";
import { deliverThrough, openSink, receivers, type Sink } from "./deliveries-program.ts";
import { benchPages } from "./pages.ts";
import { tickSeconds } from "./processes.ts";
import { type Program, startProgram } from "./program.ts";
import { visit } from "./visitor.ts";
import { type Cost, costsOf, showCosts, type WholeSide } from "./whole-side.ts";

const rounds = 3;
const scrapes = 94;
const atOnce = 16;
const sitePages = 100;
const posts = 100;
const lanes = "8";
const settings = {
  CRAWL_CONCURRENCY: lanes,
  CRAWL_HOST_CONCURRENCY: lanes,
  WEBHOOK_ALLOW_HTTP: "true",
  KEYS_PER_OWNER: "1000",
  BROWSER_PATH: "/nowhere",
  LOG_LEVEL: "error",
};

/** Something that does the work of Magpie: one process, or a cluster. */
interface Place {
  program: Program;
  /** The processes, by what they are: the whole program, a service, a server. */
  parts: Map<string, number[]>;
}

/**
 * One process beside a cluster on the same machine, whose pages two scrapers read and then one: how much they do, what it
 * costs, and which part would be busy first if there were four cores.
 */
export const oneMachine: Bench = async () => {
  const site = await startHelper<never, string>("site.process.ts");
  const crawled = await startHelper<never, string>("crawl-site.process.ts", ["none", String(sitePages)]);
  const sink = await openSink();
  const alone = await openProgram();
  const cluster = await openCluster({ history: 0, scraper: 2 });
  const pages = benchPages("none").map(({ path }) => site.first + path);
  const scraping: Work = ({ program }) => scrape(program, pages);
  const crawling: Work = ({ program }) => crawlSite(program, crawled.first);
  try {
    const two = { "one process": alone, "a cluster with two scrapers": cluster };
    const outcomes = [
      ...(await compared(two, "page", scraping)),
      ...(await compared(two, "crawled page", crawling)),
    ];
    await cluster.lessScrapers();
    const one = { "one process": alone, "a cluster with one scraper": cluster };
    return [
      ...outcomes,
      ...(await compared(one, "page", scraping)),
      ...(await compared(one, "crawled page", crawling)),
      ...(await compared(one, "delivery", await deliveringOf(one, sink))),
    ];
  } finally {
    await Promise.all([alone, cluster].map(({ program }) => program.stop()));
    await Promise.all([site.stop(), crawled.stop(), sink.stop()]);
  }
};

type Work = (place: Place) => ReturnType<WholeSide["run"]>;

async function compared(places: Record<string, Place>, unit: string, work: Work): Promise<Outcome[]> {
  const shares = new Map(Object.keys(places).map(name => [name, [] as Share[]]));
  const sides = Object.entries(places).map(([name, place]): [string, WholeSide] => [
    name,
    {
      pids: [...place.parts.values()].flat(),
      run: async () => {
        const before = mainSeconds(place);
        const done = await work(place);
        shares.get(name)?.push(busiest(before, mainSeconds(place), done.units));
        return done;
      },
    },
  ]);
  const costs = await costsOf(rounds, Object.fromEntries(sides));
  return Object.entries<Cost[]>(costs).map(([name, cost]) => {
    const { part, ms } = middle(shares.get(name) ?? []);
    const whole = median(cost.map(({ cpuMs }) => cpuMs));
    const bound = Math.min(1000 / ms, 4000 / whole);
    const text = `${ms.toFixed(2)} ms in the main thread of ${part}`;
    return {
      line: `one machine: ${name}, ${showCosts(cost, unit).replaceAll("deliverys", "deliveries")}, of that ${text}; four cores would do at most ${bound.toFixed(0)} /s`,
    };
  });
}

/** The part whose main thread is busy longest, and for how long a unit. */
interface Share {
  part: string;
  ms: number;
}

/** The median of the rounds, of which the first warmed up. */
function middle([, ...measured]: Share[]): Share {
  const ms = median(measured.map(share => share.ms));
  return measured.find(share => share.ms === ms) ?? { part: "", ms };
}

function busiest(before: Map<string, number>, after: Map<string, number>, units: number): Share {
  const shares = [...after].map(([part, at]) => ({
    part,
    ms: ((at - (before.get(part) ?? 0)) * 1000) / units,
  }));
  return shares.toSorted((a, b) => b.ms - a.ms)[0] ?? { part: "", ms: 0 };
}

/** CPU seconds of main threads so far: the mean of a part's nodes, since they share its work. */
function mainSeconds({ parts }: Place): Map<string, number> {
  const mean = (pids: number[]) =>
    pids.reduce((sum, pid) => sum + mainThread(pid), 0) / Math.max(1, pids.length);
  return new Map([...parts].map(([part, pids]) => [part, servers.has(part) ? 0 : mean(pids)]));
}

/** What servers do is not limited by one thread, but for Redis. */
const servers = new Set(["nats", "mongo"]);

/** From proc(5): utime and stime of the thread with the number of its process. */
function mainThread(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "latin1");
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * tickSeconds;
}

async function openProgram(): Promise<Place> {
  const program = await startProgram([], settings);
  return { program, parts: new Map([["the process", [program.pid]]]) };
}

async function openCluster(
  nodes: Record<string, number>,
): Promise<Place & { lessScrapers(): Promise<void> }> {
  const cluster = await startCluster({
    nodes,
    env: { ...settings, EGRESS_ALLOW: "127.0.0.1/32", LOG_LEVEL: "error" },
  });
  const { adminKey, url } = cluster;
  const visitor = await once(() => visit([url], adminKey));
  const program: Program = {
    ...visitor,
    pid: 0,
    address: url,
    adminKey,
    another: owner => visit([url], adminKey, owner),
    stop: async () => {
      await visitor.leave();
      await cluster.stop();
    },
  };
  const pidsOf = (name: string) =>
    cluster.nodes.filter(({ service }) => service === name).map(({ pid }) => pid);
  const running = Object.entries(cluster.servers).flatMap(([name, { pid }]) => (pid ? [[name, [pid]]] : []));
  const parts = new Map([
    ...serviceNames().map((name): [string, number[]] => [name, pidsOf(name)]),
    ...(running as [string, number[]][]),
  ]);
  const lessScrapers = async () => {
    const [first = 0] = pidsOf("scraper");
    parts.set("scraper", [first]);
    const others = cluster.nodes.filter(({ service, pid }) => service === "scraper" && pid !== first);
    await Promise.all(others.map(each => each.kill()));
  };
  return { program, parts, lessScrapers };
}

const startMs = 60_000;

/** A cluster that has just started, on a busy machine, may refuse the first request. */
async function once<Value>(ask: () => Promise<Value>): Promise<Value> {
  const began = performance.now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() - began > startMs) throw error;
      await delay(500);
    }
  }
}

async function scrape(program: Program, pages: string[]) {
  const urls = Array.from({ length: scrapes }, (_, n) => pages[n % pages.length] ?? "");
  return { units: scrapes, perSecond: await rate(urls, atOnce, url => program.scrape(url)) };
}

async function crawlSite(program: Program, url: string) {
  return { units: sitePages, perSecond: await crawlRate(program, { url, pages: sitePages }, "http") };
}

async function deliveringOf(places: Record<string, Place>, sink: Sink): Promise<Work> {
  const delivering = new Map<Place, (posts: number) => Promise<void>>();
  await Promise.all(
    Object.values(places).map(async place => {
      delivering.set(place, (await deliverThrough(place.program, sink, "none")).deliver);
    }),
  );
  return async place => {
    const began = performance.now();
    await delivering.get(place)?.(posts);
    const units = posts * receivers;
    return { units, perSecond: (units * 1000) / (performance.now() - began) };
  };
}

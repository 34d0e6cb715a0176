import { type Cluster, serviceNames, startCluster } from "../dev/start-cluster.ts";
import { startHelper } from "./child.ts";
import { type Bench, interleave, median, type Outcome, rate, ratioOf, verdict } from "./compare.ts";
import { benchPages, type Script } from "./pages.ts";
import { cpuSeconds, cpuSecondsOfTrees } from "./processes.ts";
import { startProgram } from "./program.ts";
import { type Visitor, visit } from "./visitor.ts";

const lanes = 4;
const rounds = 5;
const bar = 1.3;

/** A set of pages, by which engine they are read, and whose CPU time counts. */
interface Kind {
  name: string;
  scripts: Script;
  engine: string;
  /** How often a round takes each page. */
  times: number;
  cpu(pids: number[]): number;
}

const kinds: Kind[] = [
  { name: "plain", scripts: "none", engine: "http", times: 10, cpu: cpuSeconds },
  { name: "rendered", scripts: "own", engine: "browser", times: 2, cpu: cpuSecondsOfTrees },
];

/** What a scrape needs; what the others use while they have nothing to do is no cost of the bus. */
const services = ["api", "keys", "scraper"];
const nodes = Object.fromEntries(
  serviceNames().map(service => [service, services.includes(service) ? 1 : 0]),
);
const env = { EGRESS_ALLOW: "127.0.0.1/32", LOG_FORMAT: "json" };

/**
 * CPU time of a scrape by services that are each a process of a cluster, all of them counted, against the same services in one
 * process. The servers in between are not counted.
 */
export const bus: Bench = async () => {
  const site = await startHelper<never, string>("site.process.ts");
  const program = await startProgram([], { SERVICES: services.join(",") });
  const cluster = await startCluster({ env, nodes });
  const visitor = await visit([cluster.url], cluster.adminKey);
  try {
    const outcomes: Outcome[] = [];
    for (const kind of kinds) {
      const urls = urlsOf(site.first, kind);
      const costs = await interleave(rounds, {
        cluster: () => cost(kind, urls, visitor, pidsOf(cluster)),
        embedded: () => cost(kind, urls, program, [program.pid]),
      });
      const ratio = ratioOf(costs.cluster, costs.embedded);
      const text = `bus: ${kind.name} scrape ${median(costs.cluster).toFixed(1)} ms of CPU in a cluster, ${median(costs.embedded).toFixed(1)} in one process, ratio ${ratio.toFixed(2)}`;
      outcomes.push(verdict(text, ratio, "<=", bar));
    }
    return outcomes;
  } finally {
    await visitor.leave();
    await Promise.all([program.stop(), cluster.stop(), site.stop()]);
  }
};

function urlsOf(origin: string, { scripts, times }: Kind): string[] {
  const pages = benchPages(scripts).map(({ path }) => origin + path);
  return Array.from({ length: times }, () => pages).flat();
}

function pidsOf({ nodes }: Cluster): number[] {
  return nodes.map(({ pid }) => pid);
}

/** Milliseconds a scrape. */
async function cost(
  { engine, cpu }: Kind,
  urls: string[],
  { scrape }: Visitor,
  pids: number[],
): Promise<number> {
  const before = cpu(pids);
  await rate(urls, lanes, async url => {
    const read = await scrape(url);
    if (read.engine !== engine) throw new Error(`a page was read by ${read.engine}, not ${engine}`);
  });
  return ((cpu(pids) - before) * 1000) / urls.length;
}

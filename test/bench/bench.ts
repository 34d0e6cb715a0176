/** `npm run bench [name…] [-- folder or sizes]`: runs the benches one after the other; ends with 1 when a bar is missed. */
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { constructs } from "../../reader/bench/constructs.bench.ts";
import { documentsBench } from "../../reader/bench/documents.bench.ts";
import { fields } from "../../reader/bench/fields.bench.ts";
import { metadata } from "../../reader/bench/metadata.bench.ts";
import { reading } from "../../reader/bench/reading.bench.ts";
import { summary } from "../../reader/bench/summary.bench.ts";
import { bus } from "./bus.bench.ts";
import type { Bench } from "./compare.ts";
import { crawl } from "./crawl.bench.ts";
import { crawlMemory } from "./crawl-memory.bench.ts";
import { crawlRendered } from "./crawl-rendered.bench.ts";
import { deepFlood } from "./deep-flood.bench.ts";
import { deliveries } from "./deliveries.bench.ts";
import { fairness } from "./fairness.bench.ts";
import { firstScrape } from "./first-scrape.bench.ts";
import { gateway } from "./gateway.bench.ts";
import { idleSources } from "./idle-sources.bench.ts";
import { latency } from "./latency.bench.ts";
import { lists } from "./lists.bench.ts";
import { machineLine, machineState } from "./machine.ts";
import { memory } from "./memory.bench.ts";
import { memoryGrowth } from "./memory-growth.bench.ts";
import { million } from "./million.bench.ts";
import { names } from "./names.bench.ts";
import { oneMachine } from "./one-machine.bench.ts";
import { past } from "./past.bench.ts";
import { peers } from "./peers.bench.ts";
import { peersDeliveries } from "./peers-deliveries.bench.ts";
import { peersFeeds } from "./peers-feeds.bench.ts";
import { peersStreams } from "./peers-streams.bench.ts";
import { plain } from "./plain.bench.ts";
import { receivers } from "./receivers.bench.ts";
import { render } from "./render.bench.ts";
import { rendered } from "./rendered.bench.ts";
import { scale } from "./scale.bench.ts";
import { scaleCosts } from "./scale-costs.bench.ts";
import { sealed } from "./sealed.bench.ts";
import { shapesOfPages } from "./shapes.bench.ts";
import { site, siteCluster } from "./site.bench.ts";
import { sitePages } from "./site-pages.bench.ts";
import { stream } from "./stream.bench.ts";
import { watch } from "./watch.bench.ts";

const benches: Record<string, Bench> = {
  gateway,
  plain,
  shapes: shapesOfPages,
  reading,
  constructs,
  metadata,
  summary,
  "deep-flood": deepFlood,
  "first-scrape": firstScrape,
  render,
  rendered,
  names,
  past,
  memory,
  "memory-growth": memoryGrowth,
  lists,
  idleSources,
  deliveries,
  receivers,
  fairness,
  stream,
  sealed,
  latency,
  crawl,
  "crawl-rendered": crawlRendered,
  "crawl-memory": crawlMemory,
  bus,
  scale,
  "one-machine": oneMachine,
  "scale-costs": scaleCosts,
  fields,
};
/** These take an hour or so, or install other programs; they run only when they are named. */
const long: Record<string, Bench> = {
  million,
  "site-pages": sitePages,
  ...peers,
  "peers-deliveries": peersDeliveries,
  "peers-feeds": peersFeeds,
  "peers-streams": peersStreams,
  documents: documentsBench,
  watch,
  site,
  "site-cluster": siteCluster,
};
const given = process.argv.slice(2);
const end = given.indexOf("--");
const [asked, folder] = end < 0 ? [given] : [given.slice(0, end), given[end + 1]];
const known = { ...benches, ...long };
const unknown = asked.filter(name => !Object.hasOwn(known, name));
if (unknown.length > 0)
  throw new Error(`no such bench: ${unknown.join(", ")}; there are ${Object.keys(known).join(", ")}`);

for (const [name, bench] of Object.entries(asked.length > 0 ? known : benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const before = machineState();
  for (const { line, met } of await showProgress(`Measuring ${name}`, () => bench(folder), {
    everyMs: 30_000,
  })) {
    console.log(line);
    if (met === false) process.exitCode = 1;
  }
  console.log(machineLine(before, machineState()));
}

/** `npm run bench [name…]`: runs the benches one after the other; ends with 1 when a bar is missed. */
import { bus } from "./bus.bench.ts";
import type { Bench } from "./compare.ts";
import { crawl } from "./crawl.bench.ts";
import { crawlMemory } from "./crawl-memory.bench.ts";
import { crawlRendered } from "./crawl-rendered.bench.ts";
import { deliveries } from "./deliveries.bench.ts";
import { fairness } from "./fairness.bench.ts";
import { gateway } from "./gateway.bench.ts";
import { idleSources } from "./idle-sources.bench.ts";
import { latency } from "./latency.bench.ts";
import { memory } from "./memory.bench.ts";
import { plain } from "./plain.bench.ts";
import { rendered } from "./rendered.bench.ts";
import { scale } from "./scale.bench.ts";
import { scaleCosts } from "./scale-costs.bench.ts";
import { stream } from "./stream.bench.ts";

const benches: Record<string, Bench> = {
  gateway,
  plain,
  rendered,
  memory,
  idleSources,
  deliveries,
  fairness,
  stream,
  latency,
  crawl,
  "crawl-rendered": crawlRendered,
  "crawl-memory": crawlMemory,
  bus,
  scale,
  "scale-costs": scaleCosts,
};
const asked = process.argv.slice(2);
const unknown = asked.filter(name => !Object.hasOwn(benches, name));
if (unknown.length > 0)
  throw new Error(`no such bench: ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);

for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const { line, met } of await bench()) {
    console.log(line);
    if (met === false) process.exitCode = 1;
  }
}

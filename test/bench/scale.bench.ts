import { setTimeout as delay } from "node:timers/promises";
import { serviceNames } from "../dev/start-cluster.ts";
import type { Bench, Outcome } from "./compare.ts";
import { cpuSeconds } from "./processes.ts";
import { openPlace, type Place } from "./scale.place.ts";
import { type Unit, units } from "./scale.units.ts";

const counts = [1, 2, 4];
/** Whatever is asked of a cluster goes by them. */
const base = ["api", "keys", "webhook-dispatcher"];
const idleSeconds = 10;

/**
 * CPU time per unit of work with 1, 2 and 4 nodes of the services that do it, on one machine, beside which only one node each
 * runs that is needed for it. What the nodes use at idle is taken off, and told by itself: it grows with the nodes, not
 * with the work.
 */
export const scale: Bench = async () => {
  const outcomes: Outcome[] = [];
  for (const unit of units) {
    const measured: Cost[] = [];
    for (const count of counts) measured.push(await measure(unit, count));
    const row = (of: (cost: Cost) => number) => measured.map(cost => of(cost).toFixed(2)).join(" / ");
    for (const service of [...unit.services, "redis", "nats"]) {
      const cost = row(({ seconds }) => seconds[service] ?? Number.NaN);
      outcomes.push({ line: `scale: 1,000 ${unit.name}: ${service} ${cost} s of CPU` });
    }
    const idle = row(each => each.idleMs);
    outcomes.push({
      line: `scale: a node of ${unit.services.join(" or ")} at idle: ${idle} ms of CPU a second`,
    });
  }
  return outcomes;
};

interface Cost {
  /** CPU seconds per 1,000 units, by service or server. */
  seconds: Record<string, number>;
  /** CPU milliseconds a second of one node of the unit's services that has nothing to do. */
  idleMs: number;
}

async function measure(unit: Unit, count: number): Promise<Cost> {
  const nodes = serviceNames().map(service => [
    service,
    unit.services.includes(service) ? count : Number(base.includes(service)),
  ]);
  const place = await openPlace({ nodes: Object.fromEntries(nodes) });
  try {
    const idle = await during(place, () => delay(idleSeconds * 1000, 1));
    // Each node has to be as warm as one alone would be.
    for (let n = 0; n < count; n += 1) await unit.work(place);
    const seconds = perThousand(await during(place, () => unit.work(place)), idle);
    const used = unit.services.reduce((sum, service) => sum + (idle.cpu[service] ?? 0), 0);
    return { seconds, idleMs: (used * 1000) / idle.seconds / (unit.services.length * count) };
  } finally {
    await place.close();
  }
}

interface Measured {
  /** Seconds, by service or server. */
  cpu: Record<string, number>;
  seconds: number;
  done: number;
}

async function during(place: Place, work: () => Promise<number>): Promise<Measured> {
  const before = cpuBy(place);
  const began = performance.now();
  const done = await work();
  const seconds = (performance.now() - began) / 1000;
  const after = cpuBy(place);
  const cpu = Object.fromEntries(Object.entries(after).map(([name, at]) => [name, at - (before[name] ?? 0)]));
  return { cpu, seconds, done };
}

function cpuBy({ cluster: { nodes, servers } }: Place): Record<string, number> {
  const names = new Set(nodes.map(({ service }) => service));
  const pidsOf = (name: string) => nodes.filter(({ service }) => service === name).map(({ pid }) => pid);
  return Object.fromEntries([
    ...[...names].map(name => [name, cpuSeconds(pidsOf(name))]),
    ...Object.entries(servers).map(([name, { pid }]) => [name, pid ? cpuSeconds([pid]) : Number.NaN]),
  ]);
}

function perThousand({ cpu, seconds, done }: Measured, idle: Measured): Record<string, number> {
  const own = ([name, used]: [string, number]) => used - ((idle.cpu[name] ?? 0) / idle.seconds) * seconds;
  return Object.fromEntries(Object.entries(cpu).map(entry => [entry[0], (own(entry) * 1000) / done]));
}

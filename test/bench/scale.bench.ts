import { setTimeout as delay } from "node:timers/promises";
import type { Bench, Outcome } from "./compare.ts";
import { cpuSeconds } from "./processes.ts";
import { openPlace, type Place } from "./scale.place.ts";
import { type Unit, units } from "./scale.units.ts";

const counts = [1, 2, 4];
const scaled = ["api", "keys", "scraper", "tracker", "connectors", "webhook-dispatcher"];
const idleSeconds = 10;

/** CPU seconds, by room, per 1,000 units of work. */
type Costs = Map<Unit, Record<string, number>>;

/**
 * CPU time per unit of work with 1, 2 and 4 nodes of each room on one machine. What the nodes use at idle is taken off,
 * and told by itself: it grows with the nodes, not with the work.
 */
export const scale: Bench = async () => {
  const measured: { idle: number; costs: Costs }[] = [];
  for (const count of counts) measured.push(await measure(count));
  const row = (values: number[], digits: number) => values.map(value => value.toFixed(digits)).join(" / ");
  const idle = row(
    measured.map(each => each.idle * 1000),
    1,
  );
  const outcomes: Outcome[] = [
    {
      line: `scale: with ${counts.join(" / ")} nodes of each room an idle node uses ${idle} ms of CPU a second`,
    },
  ];
  for (const unit of units)
    for (const room of [...unit.rooms, "redis", "nats"]) {
      const seconds = measured.map(({ costs }) => costs.get(unit)?.[room] ?? Number.NaN);
      outcomes.push({ line: `scale: 1,000 ${unit.name}: ${room} ${row(seconds, 2)} s of CPU` });
    }
  return outcomes;
};

async function measure(count: number): Promise<{ idle: number; costs: Costs }> {
  const place = await openPlace({ nodes: Object.fromEntries(scaled.map(room => [room, count])) });
  try {
    const idle = await during(place, () => delay(idleSeconds * 1000, 1));
    const costs: Costs = new Map();
    for (const unit of units) {
      await unit.work(place);
      costs.set(unit, perThousand(await during(place, () => unit.work(place)), idle));
    }
    const ofRooms = scaled.reduce((sum, room) => sum + (idle.cpu[room] ?? 0), 0);
    return { idle: ofRooms / idle.seconds / (scaled.length * count), costs };
  } finally {
    await place.close();
  }
}

interface Measured {
  /** Seconds, by room or server. */
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

function cpuBy({ cluster: { rooms, servers } }: Place): Record<string, number> {
  const names = new Set(rooms.map(({ room }) => room));
  const pidsOf = (name: string) => rooms.filter(({ room }) => room === name).map(({ pid }) => pid);
  return Object.fromEntries([
    ...[...names].map(name => [name, cpuSeconds(pidsOf(name))]),
    ...Object.entries(servers).map(([name, { pid }]) => [name, pid ? cpuSeconds([pid]) : Number.NaN]),
  ]);
}

function perThousand({ cpu, seconds, done }: Measured, idle: Measured): Record<string, number> {
  const own = ([name, used]: [string, number]) => used - ((idle.cpu[name] ?? 0) / idle.seconds) * seconds;
  return Object.fromEntries(Object.entries(cpu).map(entry => [entry[0], (own(entry) * 1000) / done]));
}

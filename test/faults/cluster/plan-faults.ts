import type { Random } from "../random.ts";

export type ServerName = "redis" | "nats" | "mongo";

/** What happens to a node of a service, or to a server. */
export type Fault =
  /** Any node of the service, where none is named. */
  | { kind: "kill"; service: string; number?: number }
  | { kind: "pause"; service: string }
  | { kind: "restart"; server: ServerName };

const kill = (service: string): Fault => ({ kind: "kill", service });
const pause = (service: string): Fault => ({ kind: "pause", service });
const restart = (server: ServerName): Fault => ({ kind: "restart", server });

/** A node of each service once and of some services again, each server once, and the pauses, in the seed's order. */
export function planFaults(random: Random, services: string[], again: string[], paused: string[]): Fault[] {
  const faults = [
    ...services.map(kill),
    ...again.flatMap(service => [kill(service), kill(service)]),
    ...paused.map(pause),
    ...(["redis", "nats", "mongo"] as const).map(restart),
  ];
  return shuffled(faults, random);
}

/** Each node once, in the seed's order: what starts in its place is of this release. */
export function replaceAll(random: Random, services: string[], two: string[]): Fault[] {
  const nodes = [
    ...services.map(service => ({ service, number: 1 })),
    ...two.map(service => ({ service, number: 2 })),
  ];
  return shuffled(
    nodes.map(node => ({ kind: "kill", ...node })),
    random,
  );
}

/** As few as tell something: for a run of a minute. */
export function fewFaults(random: Random, [first, second]: [string, string]): Fault[] {
  const servers = ["redis", "nats", "mongo"] as const;
  const server = servers[Math.floor(random() * servers.length)] ?? "redis";
  return shuffled([kill(first), kill(second), pause(first), restart(server)], random);
}

function shuffled(faults: Fault[], random: Random): Fault[] {
  return faults
    .map(fault => ({ fault, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ fault }) => fault);
}

import type { Random } from "../random.ts";

export type ServerName = "redis" | "nats" | "mongo";

/** What happens to a node of a room, or to a server. */
export type Fault =
  | { kind: "kill"; room: string }
  | { kind: "pause"; room: string }
  | { kind: "restart"; server: ServerName };

const kill = (room: string): Fault => ({ kind: "kill", room });
const pause = (room: string): Fault => ({ kind: "pause", room });
const restart = (server: ServerName): Fault => ({ kind: "restart", server });

/** A node of each room once and of some rooms again, each server once, and the pauses, in the seed's order. */
export function planFaults(random: Random, rooms: string[], again: string[], paused: string[]): Fault[] {
  const faults = [
    ...rooms.map(kill),
    ...again.flatMap(room => [kill(room), kill(room)]),
    ...paused.map(pause),
    ...(["redis", "nats", "mongo"] as const).map(restart),
  ];
  return shuffled(faults, random);
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

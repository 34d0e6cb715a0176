import { join } from "node:path";
import { until } from "../support/until.ts";
import { type Place, RoomProcess } from "./room-process.ts";
import type { BusWatch } from "./watch-bus.ts";

const startDeadlineMs = 120_000;

export interface RoomNode {
  /** The folder below services/. */
  readonly room: string;
  /** 1, 2 and so on among the nodes of the room. */
  readonly number: number;
  readonly pid: number;
  /** The id on the bus; undefined where it is not there. */
  readonly node: string | undefined;
  /** Of a gateway: `http://127.0.0.1:<port>`. */
  readonly address: string | undefined;
  /** Where it tells how it is, as it says itself at the log level `info`. */
  readonly health: string | undefined;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** A new process in its place, by SIGKILL where the old one lives; resolves when it is on the bus. */
  restart(): Promise<void>;
}

/** A node and what works it. */
export interface Node {
  node: RoomNode;
  process: RoomProcess;
}

/** What the nodes of a cluster have in common. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Holds the data folder of each node. */
  scratch: string;
  bus: BusWatch;
  detached?: boolean | undefined;
  print?: ((node: RoomNode, line: string) => void) | undefined;
  died?: ((node: RoomNode, how: string) => void) | undefined;
}

export function startNode(
  room: string,
  number: number,
  { env, scratch, bus, detached, print, died }: Surroundings,
): Node {
  const place: Place = {
    room,
    env: {
      ...env,
      PORT: number === 1 ? (env.PORT ?? "0") : "0",
      DATA_DIR: join(scratch, `${room}-${number}`),
    },
    ...(detached && { detached }),
    print: line => print?.(node, line),
    died: how => died?.(node, how),
  };
  const process = new RoomProcess(place);
  const node: RoomNode = {
    room,
    number,
    get pid() {
      return process.pid;
    },
    get node() {
      return process.isAlive ? bus.nodeOf(process.nodePrefix) : undefined;
    },
    get address() {
      return process.address;
    },
    get health() {
      return process.health;
    },
    kill: () => process.kill(),
    pause: () => process.pause(),
    resume: () => process.resume(),
    restart: async () => {
      await process.restart();
      await onBus(process, bus);
    },
  };
  return { node, process };
}

/** Resolves when its node has its room running; rejects with what it printed when it ends before. */
export async function onBus(process: RoomProcess, bus: BusWatch): Promise<void> {
  const isThere = () => {
    if (!process.isAlive) throw new Error(`A room ended before it was ready:\n${process.output}`);
    return bus.nodeOf(process.nodePrefix) !== undefined;
  };
  await until(`a room is on the bus:\n${process.output}`, isThere, startDeadlineMs);
}

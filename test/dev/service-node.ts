import { join } from "node:path";
import { until } from "../support/until.ts";
import { type Place, ServiceProcess } from "./service-process.ts";
import type { BusWatch } from "./watch-bus.ts";

const startDeadlineMs = 120_000;

export interface ServiceNode {
  /** The folder below services/. */
  readonly service: string;
  /** 1, 2 and so on among the nodes of the service. */
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
  node: ServiceNode;
  process: ServiceProcess;
}

/** What the nodes of a cluster have in common. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Holds the data folder of each node. */
  scratch: string;
  bus: BusWatch;
  from?: string | undefined;
  detached?: boolean | undefined;
  print?: ((node: ServiceNode, line: string) => void) | undefined;
  died?: ((node: ServiceNode, how: string) => void) | undefined;
}

export function startNode(
  service: string,
  number: number,
  { env, scratch, bus, from, detached, print, died }: Surroundings,
): Node {
  const place: Place = {
    service,
    env: {
      ...env,
      PORT: number === 1 ? (env.PORT ?? "0") : "0",
      DATA_DIR: join(scratch, `${service}-${number}`),
    },
    ...(from !== undefined && { from }),
    ...(detached && { detached }),
    print: line => print?.(node, line),
    died: how => died?.(node, how),
  };
  const process = new ServiceProcess(place);
  const node: ServiceNode = {
    service,
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

/** Resolves when its node has its service running; rejects with what it printed when it ends before. */
export async function onBus(process: ServiceProcess, bus: BusWatch): Promise<void> {
  const isThere = () => {
    if (!process.isAlive) throw new Error(`A service ended before it was ready:\n${process.output}`);
    return bus.nodeOf(process.nodePrefix) !== undefined;
  };
  await until(`a service is on the bus:\n${process.output}`, isThere, startDeadlineMs);
}

import { globSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { removeFolder } from "../support/folders.ts";
import { until } from "../support/until.ts";
import { type Secrets, secretsOf } from "./secrets.ts";
import { addresses, type Servers, startServers, stopServers } from "./servers.ts";
import { type Node, onBus, type ServiceNode, startNode } from "./service-node.ts";
import { type BusWatch, watchBus } from "./watch-bus.ts";

const startDeadlineMs = 120_000;
/** More than a service gives itself, and less than the 30 s that all of them may take. */
const endMs = 28_000;
/** For the requests that gateways have in hand, before the services go that answer them. */
const gatewaysFirstMs = 12_000;

export interface ClusterOptions {
  /** Nodes of a service, by its folder below services/; one of each that is not named, none where 0. */
  nodes?: Record<string, number>;
  /** For every node, over this process's own. PORT: of the first gateway, any free one unless told. */
  env?: Record<string, string>;
  /** Servers that run; they are not stopped with the cluster. Else those of startServers. */
  servers?: Servers;
  /** Of its own servers: MongoDB is a set of three. */
  replicaSet?: boolean;
  /** Keeps the secrets that the environment does not name; one that goes with the cluster unless told. */
  folder?: string;
  /** Keeps ^C in the terminal from services and servers, for a program that stops them in order. */
  detached?: boolean;
  /** A checkout of another release: nodes run it until they are started again, and then this one. */
  from?: string | undefined;
  /** Takes each line that a node prints. */
  print?(node: ServiceNode, line: string): void;
  /** Called when a node ends unasked, with a sentence of how. */
  died?(node: ServiceNode, how: string): void;
}

export interface Cluster {
  /** Of the first gateway, without a slash at the end. */
  url: string;
  adminKey: string;
  apiKey: string;
  nodes: ServiceNode[];
  servers: Servers;
  /** Ends the services within 30 s, then the servers that were started with them. */
  stop(): Promise<void>;
}

/** The folders below services/ that are services. */
export function serviceNames(): string[] {
  const services = join(import.meta.dirname, "../../services");
  return globSync("*/*.service.ts", { cwd: services }).map(dirname).sort();
}

/** Starts a process per service, or more, at real servers; resolves when all are on the bus and the gateway is ready. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const base = { ...process.env, ...options.env };
  const scratch = mkdtempSync(join(tmpdir(), "magpie-cluster-"));
  const secrets = secretsOf(base, options.folder ?? scratch);
  const servers = options.servers ?? (await startServers(base, options));
  const env = { ...base, ...addresses(servers), ...secrets };
  const nodes: Node[] = [];
  let bus: BusWatch | undefined;
  const stop = async () => {
    await stopNodes(nodes);
    await bus?.close();
    if (!options.servers) await stopServers(servers);
    await removeFolder(scratch);
  };
  try {
    const watch = await watchBus(env);
    bus = watch;
    for (const service of serviceNames())
      for (let number = 1; number <= (options.nodes?.[service] ?? 1); number += 1)
        nodes.push(startNode(service, number, { ...options, env, scratch, bus: watch }));
    await Promise.all(nodes.map(({ process }) => onBus(process, watch)));
    const url = await readyGateway(nodes, watch);
    return cluster(url, secrets, nodes, servers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

function cluster(
  url: string,
  { ADMIN_KEY, BOOTSTRAP_API_KEY }: Secrets,
  nodes: Node[],
  servers: Servers,
  stop: () => Promise<void>,
): Cluster {
  const services = nodes.map(({ node }) => node);
  return { url, adminKey: ADMIN_KEY, apiKey: BOOTSTRAP_API_KEY, nodes: services, servers, stop };
}

/** What is under way at the gateways needs the other services, and so do their last counts. */
async function stopNodes(nodes: Node[]): Promise<void> {
  const until = AbortSignal.timeout(endMs);
  const stop = (isChosen: (node: Node) => boolean) =>
    Promise.all(nodes.filter(isChosen).map(({ process }) => process.stop(until)));
  const closed = stop(({ node }) => node.service === "api");
  await Promise.race([closed, setTimeout(gatewaysFirstMs, undefined, { ref: false })]);
  await Promise.all([closed, stop(({ node }) => node.service !== "api")]);
}

/** Ready when every service that runs answers it, if not with all that the service might have. */
async function readyGateway(nodes: Node[], bus: BusWatch): Promise<string> {
  const gateway = nodes.find(({ node }) => node.service === "api")?.process;
  if (!gateway) return "";
  const isReady = async () => {
    if (gateway.address === undefined) return false;
    const states = await statesAt(gateway.address);
    return bus
      .services()
      .every(service => service === "api" || (states[service] ?? "unavailable") !== "unavailable");
  };
  await until("the gateway is ready", isReady, startDeadlineMs);
  return gateway.address ?? "";
}

/** Of the services, as the gateway sees them. */
async function statesAt(address: string): Promise<Record<string, string>> {
  const response = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(15_000) });
  const { rooms } = (await response.json()) as { rooms: Record<string, { status: string }> };
  return Object.fromEntries(Object.entries(rooms).map(([service, { status }]) => [service, status]));
}

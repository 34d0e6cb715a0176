import type { Service, ServiceBroker, ServiceSchema } from "moleculer";
import { actions, call } from "../../services/contracts/action.ts";
import { type Finding, gatewayService, health } from "../../services/contracts/health.contract.ts";
import { operations } from "../../services/contracts/service.ts";
import { diskFindings } from "./disk-trouble.ts";

/**
 * Adds `<service>.health`, which the gateway calls for `/health/ready`. `checks` answers within 2 s with what is missing;
 * it throws only when the service cannot work at all.
 */
export function healthMixin<Of = Service>(
  service: string,
  checks: (service: Of) => Promise<Finding[]> | Finding[],
): Partial<ServiceSchema> {
  const { internal } = operations((running: Of) => running);
  return {
    actions: actions(internal(health(service), async running => ({ findings: await checks(running) }))),
  };
}

const timeoutMs = 2000;

/** The state of a service, from its own health operation. */
export interface ServiceState {
  status: "ready" | "degraded" | "unavailable";
  findings: Finding[];
}

/**
 * Asks a service, on one node or on any that runs it. One that does not answer within 2 s is unavailable; one without a
 * health operation is ready when it runs.
 */
export async function serviceState(
  broker: ServiceBroker,
  service: string,
  nodeID?: string,
): Promise<ServiceState> {
  const { registry } = broker;
  const isThere = registry.services.has(service, undefined as never) || hasHealth(broker, service);
  if (!isThere)
    return { status: "unavailable", findings: [absent(`The service ${service} is not running.`)] };
  if (!hasHealth(broker, service)) return { status: "ready", findings: [] };
  try {
    const options = { timeout: timeoutMs, ...(nodeID !== undefined && { nodeID }) };
    const { findings } = await call(broker, health(service), {}, options);
    return { status: findings.every(({ status }) => status === "ok") ? "ready" : "degraded", findings };
  } catch {
    return { status: "unavailable", findings: [absent(`The service ${service} does not answer.`)] };
  }
}

export function hasHealth(broker: ServiceBroker, service: string): boolean {
  return broker.registry.actions.isAvailable(health(service).name);
}

/** The name is part of the answer of `/health/ready`. */
function absent(detail: string): Finding {
  return { name: "room", status: "missing", detail };
}

interface NodeHealth {
  status: "starting" | "ready" | "degraded" | "unavailable" | "stopping";
  servers: Finding[];
  /** The services of this node, by name. */
  services: Record<string, ServiceState>;
  /** They by their former name. */
  rooms: Record<string, ServiceState>;
}

/**
 * The state of this node alone. It takes work while it is ready or degraded. A gateway without its servers is degraded: if
 * nobody sent to it, clients would have the error page of what stands before it, and not its answer that says when to retry.
 */
export async function nodeHealth(broker: ServiceBroker): Promise<NodeHealth> {
  const names = serviceNames(broker);
  const [servers, ...states] = await Promise.all([
    serversOf(broker).findings(),
    ...names.map(name => serviceState(broker, name, broker.nodeID)),
  ]);
  const services = Object.fromEntries(names.map((name, at) => [name, states[at] as ServiceState]));
  const own = services[gatewayService] ? servers.map(withoutHold) : servers;
  return { status: statusOf(broker, own, states), servers, services, rooms: services };
}

function withoutHold(server: Finding): Finding {
  return server.status === "missing" ? { ...server, status: "degraded" } : server;
}

/** The names of a node's services, without Moleculer's own, which begin with a dollar sign. */
export function serviceNames({ services }: ServiceBroker): string[] {
  return services.map(({ name }) => name).filter(name => !name.startsWith("$"));
}

function statusOf(broker: ServiceBroker, servers: Finding[], states: ServiceState[]): NodeHealth["status"] {
  if (broker.stopping) return "stopping";
  if (!broker.started) return "starting";
  const isDown = (status: string) => status === "missing" || status === "unavailable";
  const all = [...servers, ...states].map(({ status }) => status);
  if (all.some(isDown)) return "unavailable";
  return all.includes("degraded") ? "degraded" : "ready";
}

/** The servers that a node cannot work without. */
export interface Servers {
  /** Whether other nodes share them, and so may run the services that this one does not. */
  areShared: boolean;
  /** A finding for each server, within 2 s. */
  findings(): Promise<Finding[]>;
}

const serversByBroker = new WeakMap<ServiceBroker, Servers>();
const none: Servers = { areShared: false, findings: async () => [] };

/** The disk counts as one while it is in trouble. */
export function serversOf(broker: ServiceBroker): Servers {
  const { areShared, findings } = serversByBroker.get(broker) ?? none;
  return { areShared, findings: async () => [...(await findings()), ...diskFindings()] };
}

/** Sets the servers that a node's health is about; without an argument there are none. */
export function setServers(broker: ServiceBroker, servers: Servers = none): void {
  serversByBroker.set(broker, servers);
}

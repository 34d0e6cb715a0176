import type { ServiceBroker } from "moleculer";
import type { Finding } from "../../services/contracts/health.contract.ts";
import { type RoomState, roomState } from "../health/room-state.ts";
import { serversOf } from "./servers.ts";

export interface NodeHealth {
  status: "starting" | "ready" | "degraded" | "unavailable" | "stopping";
  servers: Finding[];
  /** The rooms of this node. */
  rooms: Record<string, RoomState>;
}

/** How this node is, whatever the others are; it takes work while it is ready or degraded. */
export async function nodeHealth(broker: ServiceBroker): Promise<NodeHealth> {
  const names = roomsOf(broker);
  const [servers, ...states] = await Promise.all([
    serversOf(broker).findings(),
    ...names.map(name => roomState(broker, name, broker.nodeID)),
  ]);
  const rooms = Object.fromEntries(names.map((name, at) => [name, states[at] as RoomState]));
  return { status: statusOf(broker, servers, states), servers, rooms };
}

/** The names of a node's rooms; Moleculer's own services begin with a dollar sign. */
export function roomsOf({ services }: ServiceBroker): string[] {
  return services.map(({ name }) => name).filter(name => !name.startsWith("$"));
}

function statusOf(broker: ServiceBroker, servers: Finding[], states: RoomState[]): NodeHealth["status"] {
  if (broker.stopping) return "stopping";
  if (!broker.started) return "starting";
  const isDown = (status: string) => status === "missing" || status === "unavailable";
  const all = [...servers, ...states].map(({ status }) => status);
  if (all.some(isDown)) return "unavailable";
  return all.includes("degraded") ? "degraded" : "ready";
}

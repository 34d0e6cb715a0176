import type { ServiceBroker } from "moleculer";
import { call } from "../../services/contracts/action.ts";
import { type Finding, health } from "../../services/contracts/health.contract.ts";

const deadlineMs = 2000;

/** How a room is, as it says itself. */
export interface RoomState {
  status: "ready" | "degraded" | "unavailable";
  findings: Finding[];
}

/**
 * Asks a room, on one node or on any that has it; one that does not answer within 2 s is unavailable, and one without a
 * health operation is ready when it is there.
 */
export async function roomState(broker: ServiceBroker, room: string, nodeID?: string): Promise<RoomState> {
  const { registry } = broker;
  const isThere = registry.services.has(room, undefined as never) || hasHealth(broker, room);
  if (!isThere) return { status: "unavailable", findings: [absent(`The room ${room} is not running.`)] };
  if (!hasHealth(broker, room)) return { status: "ready", findings: [] };
  try {
    const options = { timeout: deadlineMs, ...(nodeID !== undefined && { nodeID }) };
    const { findings } = await call(broker, health(room), {}, options);
    return { status: findings.every(({ status }) => status === "ok") ? "ready" : "degraded", findings };
  } catch {
    return { status: "unavailable", findings: [absent(`The room ${room} does not answer.`)] };
  }
}

export function hasHealth(broker: ServiceBroker, room: string): boolean {
  return broker.registry.actions.isAvailable(health(room).name);
}

function absent(detail: string): Finding {
  return { name: "room", status: "missing", detail };
}

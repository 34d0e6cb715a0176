import { call } from "../../contracts/action.ts";
import { fail } from "../../contracts/errors.ts";
import { type Finding, health, roomOf } from "../../contracts/health.contract.ts";
import type { Gateway } from "../gateway.ts";
import { envelope } from "../reply/envelope.ts";
import { publicError } from "../reply/public-error.ts";
import { isAction, type OwnAnswer } from "../route.ts";

const deadlineMs = 2000;

export interface RoomState {
  status: "ready" | "degraded" | "unavailable";
  findings: Finding[];
}

export interface Readiness {
  status: "ready" | "degraded" | "unavailable";
  rooms: Record<string, RoomState>;
  /** Everything that is not well, with what to do about it. */
  missing: (Finding & { room: string })[];
}

/** Asks every room that a route names or that is on the bus; one that does not answer within 2 s is unavailable. */
export async function readiness(gateway: Gateway): Promise<Readiness> {
  const names = [...roomNames(gateway)].sort();
  const states = await Promise.all(names.map(name => stateOf(gateway, name)));
  const rooms = Object.fromEntries(names.map((name, at) => [name, states[at] as RoomState]));
  const missing = Object.entries(rooms).flatMap(([room, { findings }]) =>
    findings.filter(({ status }) => status !== "ok").map(finding => ({ room, ...finding })),
  );
  return { status: worst(states), rooms, missing };
}

export const ready: OwnAnswer = {
  params: { $$strict: true },
  async answer(gateway, _params, requestId) {
    const state = await readiness(gateway);
    if (state.status !== "unavailable") return { body: state };
    const down = Object.keys(state.rooms).filter(name => state.rooms[name]?.status === "unavailable");
    const error = publicError(fail("overloaded", `These rooms do not answer: ${down.join(", ")}.`));
    const { rooms, missing } = state;
    return {
      status: 503,
      headers: { "retry-after": "1" },
      body: { ...envelope(error, requestId), rooms, missing },
    };
  },
};

function roomNames({ table, broker, name: own }: Gateway): Set<string> {
  const names = new Set(table.flatMap(({ action }) => (isAction(action) ? [roomOf(action)] : [])));
  for (const { name } of broker.registry.getServiceList({ onlyAvailable: true, skipInternal: true }))
    if (name !== own && hasHealth(broker, name)) names.add(name);
  return names;
}

function hasHealth(broker: Gateway["broker"], room: string): boolean {
  return broker.registry.actions.isAvailable(health(room).name);
}

/** A room without a health operation is ready when it is on the bus. */
async function stateOf({ broker }: Gateway, room: string): Promise<RoomState> {
  const onBus = broker.registry.services.has(room, undefined as never) || hasHealth(broker, room);
  if (!onBus) return { status: "unavailable", findings: [absent(`The room ${room} is not running.`)] };
  if (!hasHealth(broker, room)) return { status: "ready", findings: [] };
  try {
    const { findings } = await call(broker, health(room), {}, { timeout: deadlineMs });
    return { status: findings.every(({ status }) => status === "ok") ? "ready" : "degraded", findings };
  } catch {
    return { status: "unavailable", findings: [absent(`The room ${room} does not answer.`)] };
  }
}

function absent(detail: string): Finding {
  return { name: "room", status: "missing", detail };
}

function worst(states: RoomState[]): Readiness["status"] {
  return (
    (["unavailable", "degraded"] as const).find(status => states.some(state => state.status === status)) ??
    "ready"
  );
}

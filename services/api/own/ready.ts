import { hasHealth, type RoomState, roomState } from "../../../mixins/health/room-state.ts";
import { serversOf } from "../../../mixins/node/servers.ts";
import { fail } from "../../contracts/errors.ts";
import { type Finding, roomOf } from "../../contracts/health.contract.ts";
import type { Gateway } from "../gateway.ts";
import { envelope } from "../reply/envelope.ts";
import { publicError } from "../reply/public-error.ts";
import { isAction, type OwnAnswer } from "../route.ts";

export interface Readiness {
  status: RoomState["status"];
  rooms: Record<string, RoomState>;
  /** Everything that is not well, with what to do about it. */
  missing: (Finding & { room: string })[];
}

/**
 * Asks every room that a route names or that is on the bus. Where rooms are on other nodes, the gateway is ready without
 * them, as long as it has the servers that all of them share: other gateways would miss the same rooms.
 */
export async function readiness(gateway: Gateway): Promise<Readiness> {
  const servers = serversOf(gateway.broker);
  const names = [...roomNames(gateway)].sort();
  const [findings, ...states] = await Promise.all([
    servers.findings(),
    ...names.map(name => roomState(gateway.broker, name)),
  ]);
  const rooms = Object.fromEntries(names.map((name, at) => [name, states[at] as RoomState]));
  const missing = Object.entries({ ...rooms, [gateway.name]: { findings } }).flatMap(([room, state]) =>
    state.findings.filter(({ status }) => status !== "ok").map(finding => ({ room, ...finding })),
  );
  const own = findings.some(({ status }) => status === "missing") ? "unavailable" : "ready";
  return {
    status: worst([own, ...states.map(({ status }) => weigh(status, servers.areShared))]),
    rooms,
    missing,
  };
}

export const ready: OwnAnswer = {
  params: { $$strict: true },
  async answer(gateway, _params, requestId) {
    const state = await readiness(gateway);
    if (state.status !== "unavailable") return { body: state };
    const { rooms, missing } = state;
    const error = publicError(fail("overloaded", sentence(state, gateway.name)));
    return {
      status: 503,
      headers: { "retry-after": "1" },
      body: { ...envelope(error, requestId), rooms, missing },
    };
  },
};

/** Without a server rooms do not answer either. */
function sentence({ rooms, missing }: Readiness, own: string): string {
  const servers = missing.filter(({ room, status }) => room === own && status === "missing");
  if (servers.length > 0)
    return `These servers cannot be reached: ${servers.map(({ name }) => name).join(", ")}.`;
  const down = Object.keys(rooms).filter(name => rooms[name]?.status === "unavailable");
  return `These rooms do not answer: ${down.join(", ")}.`;
}

function roomNames({ table, broker, name: own }: Gateway): Set<string> {
  const names = new Set(table.flatMap(({ action }) => (isAction(action) ? [roomOf(action)] : [])));
  for (const { name } of broker.registry.getServiceList({ onlyAvailable: true, skipInternal: true }))
    if (name !== own && hasHealth(broker, name)) names.add(name);
  return names;
}

function weigh(status: RoomState["status"], isElsewhere: boolean): RoomState["status"] {
  return isElsewhere && status === "unavailable" ? "degraded" : status;
}

function worst(states: RoomState["status"][]): Readiness["status"] {
  return (["unavailable", "degraded"] as const).find(status => states.includes(status)) ?? "ready";
}

import { hasHealth, type ServiceState, serversOf, serviceState } from "../../../mixins/runtime/health.ts";
import { exposition, expositionType } from "../../../mixins/runtime/metrics.ts";
import { fail } from "../../contracts/errors.ts";
import { type Finding, finding, serviceOf } from "../../contracts/health.contract.ts";
import { list, object, text } from "../../contracts/schema.ts";
import { envelope, publicError } from "../response/public-error.ts";
import type { AnswerContext, OwnAnswer } from "../routes/route.ts";

export interface Readiness {
  status: ServiceState["status"];
  services: Record<string, ServiceState>;
  /** Every problem, with what to do about it. */
  missing: (Finding & { service: string })[];
}

/**
 * Asks every service that a route names or that is on the bus. In a cluster the gateway is ready without the services of
 * other nodes, as long as it reaches the servers that all nodes share: other gateways would miss the same services.
 */
export async function readiness(gateway: AnswerContext): Promise<Readiness> {
  const servers = serversOf(gateway.broker);
  const names = [...serviceNames(gateway)].sort();
  const [findings, ...states] = await Promise.all([
    servers.findings(),
    ...names.map(name => serviceState(gateway.broker, name)),
  ]);
  const services = Object.fromEntries(names.map((name, at) => [name, states[at] as ServiceState]));
  const missing = Object.entries({ ...services, [gateway.name]: { findings } }).flatMap(([service, state]) =>
    state.findings.filter(({ status }) => status !== "ok").map(finding => ({ service, ...finding })),
  );
  const own = findings.some(({ status }) => status === "missing") ? "unavailable" : "ready";
  return {
    status: worst([own, ...states.map(({ status }) => weigh(status, servers.areShared))]),
    services,
    missing,
  };
}

const stateRule = {
  type: "record",
  value: object({
    status: { type: "enum", values: ["ready", "degraded", "unavailable"] },
    findings: list(finding),
  }),
} as const;

/** The answer of a ready gateway. Its first release called services rooms; both names stay. */
const readinessAnswer = object({
  status: { type: "enum", values: ["ready", "degraded"] },
  services: stateRule,
  rooms: { ...stateRule, description: "`services`, by its former name." },
  missing: list(
    object({
      service: text,
      room: { ...text, description: "`service`, by its former name." },
      ...finding.props,
    }),
  ),
});

export const ready: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  result: readinessAnswer,
  async answer(gateway, _params, { requestId }) {
    const state = await readiness(gateway);
    const { status, ...shown } = withFormerNames(state);
    if (status !== "unavailable") return { body: { status, ...shown } };
    const error = publicError(fail("overloaded", message(state, gateway.name)));
    return {
      status: 503,
      headers: { "retry-after": "1" },
      body: { ...envelope(error, requestId), ...shown },
    };
  },
};

function withFormerNames({ status, services, missing }: Readiness) {
  return {
    status,
    services,
    rooms: services,
    missing: missing.map(({ service, ...rest }) => ({ service, room: service, ...rest })),
  };
}

/** Names missing servers first: without them services do not answer either. */
function message({ services, missing }: Readiness, own: string): string {
  const servers = missing.filter(({ service, status }) => service === own && status === "missing");
  if (servers.length > 0)
    return `These servers cannot be reached: ${servers.map(({ name }) => name).join(", ")}.`;
  const down = Object.keys(services).filter(name => services[name]?.status === "unavailable");
  return `These services do not answer: ${down.join(", ")}.`;
}

function serviceNames({ routeTable, broker, name: own }: AnswerContext): Set<string> {
  const names = new Set(
    routeTable.flatMap(({ action }) => (action.kind === "service" ? [serviceOf(action)] : [])),
  );
  for (const { name } of broker.registry.getServiceList({ onlyAvailable: true, skipInternal: true }))
    if (name !== own && hasHealth(broker, name)) names.add(name);
  return names;
}

function weigh(status: ServiceState["status"], isElsewhere: boolean): ServiceState["status"] {
  return isElsewhere && status === "unavailable" ? "degraded" : status;
}

function worst(states: ServiceState["status"][]): Readiness["status"] {
  return (["unavailable", "degraded"] as const).find(status => states.includes(status)) ?? "ready";
}

/** The answer itself shows that the process lives. */
export const live: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  result: object({ status: { type: "equal", value: "live" } }),
  answer: () => ({ body: { status: "live" } }),
};

/**
 * Needs no key, like the health checks: metrics name no key, owner or address. What they say of all clients together is
 * still nobody else's matter, so a cluster has them on the port of each node that its clients do not reach.
 */
export const metrics: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  async answer({ broker, hasHealthPort }) {
    if (hasHealthPort)
      throw fail(
        "not_found",
        "Metrics of a node of a cluster are at /metrics of its health port (HEALTH_PORT), which clients do not reach.",
      );
    return { type: expositionType, body: await exposition(broker) };
  },
};

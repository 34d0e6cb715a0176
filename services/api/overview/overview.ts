import type { ServiceBroker } from "moleculer";
import { type Action, call } from "../../contracts/action.ts";
import type { Finding } from "../../contracts/health.contract.ts";
import * as contract from "../../contracts/overview.contract.ts";
import { readiness } from "../http/health.ts";
import type { AnswerContext, OwnAnswer } from "../routes/route.ts";
import { askNodes, rates, sumUnderWay } from "./nodes.ts";

/** How long a node or a service may take. */
export const deadlineMs = 1_000;

/** The state of an installation, from what its services and nodes say within a second or two. */
export const overview: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  result: contract.overviewAnswer,
  async answer(gateway) {
    return { body: { data: await describe(gateway), message: "Overview." } };
  },
};

async function describe(gateway: AnswerContext): Promise<contract.Overview> {
  const { broker } = gateway;
  const [state, stored, nodes] = await Promise.all([
    readiness(gateway),
    countStored(broker),
    askNodes(broker, deadlineMs),
  ]);
  const own = state.missing.filter(({ service }) => service === gateway.name);
  const services = Object.entries(state.services).map(([name, { status, findings }]) => ({
    name,
    status,
    problem: problemOf(findings),
  }));
  const servers = own.map(finding => ({
    name: finding.name,
    status: finding.status === "degraded" ? ("degraded" as const) : ("unavailable" as const),
    problem: problemOf([finding]),
  }));
  return {
    ready: state.status !== "unavailable",
    parts: [...services, ...servers],
    counts: { ...stored, ...sumUnderWay(nodes) },
    rates: rates(nodes, Date.now()),
    nodes: nodes.map(({ id, services, activity }) => ({ id, services, answered: activity !== null })),
  };
}

function problemOf(findings: Finding[]): string | null {
  const wrong = findings.filter(({ status }) => status !== "ok");
  if (wrong.length === 0) return null;
  return wrong.map(({ name, detail }) => detail ?? `${name} is not well.`).join(" ");
}

type Stored = Omit<contract.OverviewCounts, keyof contract.UnderWay>;

/** Services that run on other nodes answer for all nodes: they share the stores. */
async function countStored(broker: ServiceBroker): Promise<Stored> {
  const of = async <Result>(action: Action<object, Result>) => {
    try {
      return await call(broker, action, {}, { timeout: deadlineMs });
    } catch {
      return null;
    }
  };
  const [keys, sources, endpoints, scrapes, crawls] = await Promise.all([
    of(contract.countKeys),
    of(contract.countSources),
    of(contract.countEndpoints),
    of(contract.countScrapes),
    of(contract.countCrawls),
  ]);
  return {
    keys: keys?.keys ?? null,
    sources: sources?.sources ?? null,
    sources_failing: sources?.sources_failing ?? null,
    endpoints: endpoints?.endpoints ?? null,
    endpoints_failed: endpoints?.endpoints_failed ?? null,
    scrapes_waiting: scrapes?.scrapes_waiting ?? null,
    crawls_running: crawls?.crawls_running ?? null,
  };
}

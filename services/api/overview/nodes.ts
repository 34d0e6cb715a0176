import type { ServiceBroker } from "moleculer";
import { call } from "../../contracts/action.ts";
import {
  type ActivityKind,
  type ActivitySeries,
  activityKinds,
  activityMinutes,
  type NodeActivity,
  nodeActivity,
  type Overview,
  type UnderWay,
} from "../../contracts/overview.contract.ts";

/** A node of the installation; without activity it did not answer. */
export interface AskedNode {
  id: string;
  services: string[];
  activity: NodeActivity | null;
}

const minuteMs = 60_000;

/** Asks every node that runs a service; in the embedded mode that is this one. */
export function askNodes(broker: ServiceBroker, deadlineMs: number): Promise<AskedNode[]> {
  return Promise.all(
    nodesOf(broker).map(async ({ id, services }) => ({
      id,
      services,
      activity: await activityOn(broker, id, deadlineMs),
    })),
  );
}

/** Other processes on the bus, such as a REPL, run no service. */
function nodesOf(broker: ServiceBroker): Omit<AskedNode, "activity">[] {
  return broker.registry
    .getNodeList({ onlyAvailable: true, withServices: true })
    .map(({ id, services = [] }) => ({ id, services: namesOf(services) }))
    .filter(({ services }) => services.length > 0)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

function namesOf(services: Record<string, unknown>[]): string[] {
  return [...new Set(services.map(({ name }) => String(name)))].filter(name => !name.startsWith("$")).sort();
}

async function activityOn(
  broker: ServiceBroker,
  nodeID: string,
  timeout: number,
): Promise<NodeActivity | null> {
  try {
    const answer = await call(broker, nodeActivity, {}, { nodeID, timeout });
    return answer.node === nodeID ? answer : null;
  } catch {
    return null;
  }
}

/** The last hour of all nodes together. Minutes are those of the clock, so nodes need not start together. */
export function rates(nodes: Pick<AskedNode, "activity">[], now: number): Overview["rates"] {
  const first = Math.floor(now / minuteMs) - activityMinutes + 1;
  const sumAt = (kind: ActivityKind, minute: number) =>
    nodes.reduce((sum, { activity }) => sum + countIn(activity, kind, minute), 0);
  const minutes = Array.from({ length: activityMinutes }, (_, at) => first + at);
  const series = Object.fromEntries(
    activityKinds.map(kind => [kind, minutes.map(minute => sumAt(kind, minute))]),
  );
  return {
    from: new Date(first * minuteMs).toISOString(),
    step_s: minuteMs / 1000,
    series: series as ActivitySeries,
  };
}

function countIn(activity: NodeActivity | null, kind: ActivityKind, minute: number): number {
  if (!activity) return 0;
  const counts = activity.series[kind] ?? [];
  return counts[counts.length - 1 - (activity.minute - minute)] ?? 0;
}

/** Adds up what the nodes that answered have under way; null when one of them could not say. */
export function sumUnderWay(nodes: Pick<AskedNode, "activity">[]): UnderWay {
  const sum = (name: keyof UnderWay) =>
    nodes.reduce<number | null>((total, { activity }) => {
      const value = activity ? activity.under_way[name] : 0;
      return total === null || value === null ? null : total + value;
    }, 0);
  return { scrapes_running: sum("scrapes_running"), events_waiting: sum("events_waiting") };
}

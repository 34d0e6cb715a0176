import type { Middleware, ServiceBroker } from "moleculer";
import { actions } from "../../services/contracts/action.ts";
import { nodeActivity, type UnderWay } from "../../services/contracts/overview.contract.ts";
import { operations } from "../../services/contracts/service.ts";
import { within } from "../async/timeout.ts";
import { logEvent } from "../log/log-events.ts";
import { activityOf } from "./activity.ts";
import { type Gauge, gaugesOf } from "./metrics.ts";
import type { Sample } from "./prometheus-text.ts";

/** The gauges that say what a node has under way. */
export const underWayGauges = {
  scrapes_running: "magpie_scrapes_running",
  events_waiting: "magpie_events_waiting",
} as const satisfies Record<keyof UnderWay, string>;

const { internal } = operations(({ broker }: { broker: ServiceBroker }) => broker);

/** Lets every node report what it has done and has under way. Its dollar sign marks a service as Moleculer's own. */
export const reportActivity: Middleware = {
  name: "ReportActivity",
  async starting(broker: ServiceBroker) {
    broker.createService({
      name: "$magpie",
      actions: actions(
        internal(nodeActivity, async broker => ({
          node: broker.nodeID,
          ...activityOf(broker).lastHour(),
          under_way: {
            scrapes_running: await sumOf(broker, underWayGauges.scrapes_running),
            events_waiting: await sumOf(broker, underWayGauges.events_waiting),
          },
        })),
      ),
    });
  },
};

/** The gateway waits for a second; the other numbers must not be lost with a gauge that takes longer. */
const gaugeMs = 700;

/** Null when a gauge could not be read. */
async function sumOf(broker: ServiceBroker, name: string): Promise<number | null> {
  const gauges = [...gaugesOf(broker)].filter(gauge => gauge.name === name);
  try {
    const samples = await Promise.all(gauges.map(gauge => within(gaugeMs, readOf(gauge), late)));
    return samples.flat().reduce((sum, { value }) => sum + Number(value), 0);
  } catch (error) {
    logEvent(broker.logger, "gauge_read.failed", { gauge: name, error });
    return null;
  }
}

async function readOf(gauge: Gauge): Promise<Sample[]> {
  return gauge.read();
}

function late(): never {
  throw new Error(`The gauge was not read in ${gaugeMs} ms`);
}

import type { ServiceBroker } from "moleculer";
import { remembered } from "../../mixins/async/remembered.ts";
import { underWayGauges } from "../../mixins/runtime/activity.middleware.ts";
import { activityOf } from "../../mixins/runtime/activity.ts";
import { counterOf, histogramOf } from "../../mixins/runtime/counters.ts";
import type { Gauge } from "../../mixins/runtime/metrics.ts";
import type { Delivery } from "../contracts/deliveries.contract.ts";
import { deliveryFailures } from "../contracts/failure-classes.ts";
import type { WebhookContext } from "./context.ts";
import { EventAges, type Sums } from "./lanes/attempt-sums.ts";
import type { DispatcherOptions } from "./lanes/context.ts";

/** Upper bounds in seconds: of deliveries that are on time, of those after retries, and of replays. */
const ages = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600, 86_400];

interface CountsDeliveries extends Pick<DispatcherOptions, "onAttempted" | "onExpired"> {
  /** Takes what a thread has counted. */
  onSums(sums: Sums): void;
}

/** Counts the outcomes of deliveries. */
export function countDeliveries(broker: ServiceBroker): CountsDeliveries {
  const activity = activityOf(broker);
  const attempts = counterOf(broker, {
    name: "magpie_deliveries_total",
    description: "Attempts to deliver, once for each of their events; dead is the last attempt of an event",
    by: [["outcome", ["succeeded", "failed", "dead"]]],
  });
  const dead = counterOf(broker, {
    name: "magpie_dead_events_total",
    description:
      "Events that an endpoint will not get: it refused them five times, or they expired before it took them",
    by: [["reason", ["refused", "expired"]]],
  });
  const failures = counterOf(broker, {
    name: "magpie_delivery_failures_total",
    description: "Failed attempts by what failed, once for each of their events; statuses by their hundred",
    by: [["class", [...deliveryFailures, ...statusClasses]]],
  });
  const seconds = histogramOf(broker, {
    name: "magpie_delivery_seconds",
    description: "Seconds from an event to its delivery, of retries and replays too",
    bounds: ages,
  });
  const eventAges = new EventAges();
  const count = ({ outcome, error }: Pick<Delivery, "outcome" | "error">, times: number) => {
    activity.add(outcome === "succeeded" ? "delivered" : "failed", times);
    attempts.add(outcome, "", times);
    if (error !== null) failures.add(classOf(error), "", times);
    if (outcome === "dead") dead.add("refused", "", times);
  };
  return {
    onAttempted: (attempt, timestamp) => {
      count(attempt, 1);
      const age = eventAges.of(attempt, timestamp);
      if (age !== undefined) seconds.observe(age);
    },
    onSums: sums => {
      for (const [outcome, error, times] of sums.attempts) count({ outcome, error }, times);
      for (const age of sums.ages) seconds.observe(age);
    },
    onExpired: events => dead.add("expired", "", events),
  };
}

const statusClasses = ["status_2xx", "status_3xx", "status_4xx", "status_5xx"];

/** `status_503` is of `status_5xx`: a label has few values. */
function classOf(error: string): string {
  return error.replace(/^(status_\d)\d\d$/, "$1xx");
}

const statuses = ["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"] as const;
const censusEveryMs = 60_000;

export function dispatcherGauges(context: WebhookContext): Gauge[] {
  const { lanes, dispatcher } = context;
  const census = remembered(() => lanes.countEach("status", statuses), censusEveryMs);
  return [
    {
      name: "magpie_lane_lag_events",
      description: "Undelivered events in this node's lanes, without those of failing endpoints",
      read: async () => [{ value: (await dispatcher.waiting()).lag }],
    },
    {
      name: underWayGauges.events_waiting,
      description:
        "Undelivered events in this node's lanes, also those of failing endpoints that are not FAILED",
      read: async () => [{ value: (await dispatcher.waiting()).waiting }],
    },
    {
      name: "magpie_endpoints",
      description: "Webhook endpoints, counted once a minute by one of the dispatchers",
      read: async () => {
        if (!dispatcher.leads) return [];
        const counts = await census();
        return statuses.map(status => ({ labels: { status }, value: counts.get(status) ?? 0 }));
      },
    },
  ];
}

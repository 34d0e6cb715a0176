import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { remembered } from "../../mixins/async/remembered.ts";
import { activityOf } from "../../mixins/runtime/activity.ts";
import { counterOf, histogramOf } from "../../mixins/runtime/counters.ts";
import type { Gauge } from "../../mixins/runtime/metrics.ts";
import type { Sample } from "../../mixins/runtime/prometheus-text.ts";
import { type SourceKind, sourceKinds } from "../contracts/source.ts";
import type { TrackerContext } from "./context.ts";
import type { PollOutcome } from "./polling/poll.ts";
import type { StoredSource } from "./sources.store.ts";

const outcomes = ["ok", "failed", "lost", "postponed"] as const;

/** Upper bounds in seconds. */
const delays = [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

/** Counts polls. The delay is what passed from when a poll was due until its result was stored. */
export function countPolls(
  broker: ServiceBroker,
): (source: Pick<StoredSource, "kind" | "dueAt">, outcome: PollOutcome) => void {
  const activity = activityOf(broker);
  const polls = counterOf(broker, {
    name: "magpie_polls_total",
    description: "Polls of sources; a postponed one found no free place at its host or no connectors service",
    by: [
      ["kind", sourceKinds],
      ["outcome", outcomes],
    ],
  });
  const seconds = histogramOf(broker, {
    name: "magpie_poll_delay_seconds",
    description: "Seconds from when a poll was due until its result was stored",
    bounds: delays,
  });
  return ({ kind, dueAt }, outcome) => {
    polls.add(kind, typeof outcome === "string" ? outcome : "postponed");
    if (outcome !== "ok" && outcome !== "failed") return;
    activity.add("polls");
    seconds.observe(Math.max(0, Date.now() - dueAt) / 1000);
  };
}

const healths = ["ok", "failing", "gone"] as const;
const censusEveryMs = 60_000;
/** Ids are random: each digit begins the ids of a sixteenth. */
const digits = "0123456789abcdef";

/** What the one tracker reports that maintains what all of them share. */
export function trackerGauges(
  context: Pick<TrackerContext, "sources" | "now">,
  maintains: () => boolean,
): Gauge[] {
  const census = remembered(() => countSources(context), censusEveryMs);
  return [
    {
      name: "magpie_sources",
      description: "Tracked sources, counted once a minute by one of the trackers",
      read: async () => (maintains() ? await census() : []),
    },
    {
      name: "magpie_poll_overdue_seconds",
      description: "Seconds since the poll that waits longest was due, as one of the trackers sees it",
      read: async () => (maintains() ? [{ value: await overdueSeconds(context) }] : []),
    },
  ];
}

async function overdueSeconds({ sources, now }: Pick<TrackerContext, "sources" | "now">): Promise<number> {
  const [first] = await sources.find({ sort: ["dueAt"], limit: 1 });
  return first ? Math.max(0, now() - first.dueAt) / 1000 : 0;
}

async function countSources({ sources }: Pick<TrackerContext, "sources">): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const kind of sourceKinds)
    for (const health of healths)
      samples.push({ labels: { kind, health }, value: await countOf(sources, kind, health) });
  return samples;
}

/** In the embedded store the count of a million would hold the process for 50 ms. */
async function countOf(
  sources: TrackerContext["sources"],
  kind: SourceKind,
  health: StoredSource["health"],
): Promise<number> {
  if (sources.isShared) return await sources.count({ kind, health });
  let count = 0;
  for (const digit of digits) {
    count += await sources.count({ kind, health, _id: { $gte: digit, $lt: `${digit}g` } });
    await yieldToLoop();
  }
  return count;
}

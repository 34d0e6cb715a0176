import type { ServiceBroker } from "moleculer";
import { addGauge } from "../metrics/gauges.ts";
import type { Queue, Queues } from "./queue.ts";

/** The same queues, whose lengths are gauges of this node. A queue of a cluster is as long on each of its nodes. */
export function gauged(queues: Queues, broker: ServiceBroker): Queues {
  const withdrawals = new Map<string, () => void>();
  return {
    queue<Payload, Result = null>(name: string): Queue<Payload, Result> {
      const queue = queues.queue<Payload, Result>(name);
      if (!withdrawals.has(name)) withdrawals.set(name, addGauge(broker, lengthOf(name, queue)));
      return queue;
    },
    close: async () => {
      for (const withdraw of withdrawals.values()) withdraw();
      await queues.close();
    },
  };
}

function lengthOf(name: string, queue: Pick<Queue<never>, "counts">): Parameters<typeof addGauge>[1] {
  return {
    name: "magpie_queue_waiting",
    description: "Jobs that wait in a queue",
    read: async () => [{ labels: { queue: name }, value: (await queue.counts()).waiting }],
  };
}

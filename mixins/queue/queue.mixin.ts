import { join } from "node:path";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { Config } from "../config/config.ts";
import { addGauge } from "../runtime/metrics.ts";
import { resourceMixin } from "../runtime/resource.mixin.ts";
import type { Queue, Queues } from "./queue.ts";
import { openSqliteQueues } from "./sqlite-queue.ts";

/** What the mixin adds to a service. */
export interface WithQueues {
  queues: Queues;
}

type Of = Pick<Config, "dataDir" | "cluster">;

/** The queues of the installation as `this.queues`. Workers close with the service. */
export function queueMixin(config: Of): Partial<ServiceSchema> {
  return resourceMixin<WithQueues>("queues", "queue.failed", async (onError, broker) =>
    gauged(await open(config, onError), broker),
  );
}

async function open({ dataDir, cluster }: Of, onError: (error: unknown) => void): Promise<Queues> {
  if (!cluster) return openSqliteQueues({ path: join(dataDir, "magpie.db"), onError });
  // The embedded mode does not load BullMQ, which takes memory and time.
  const { openBullmqQueues } = await import("./bullmq-queue.ts");
  return openBullmqQueues({ url: cluster.redisUrl, prefix: cluster.namespace, onError });
}

/** Makes queues that show their lengths as gauges of this node. Every node of a cluster reports the same length. */
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

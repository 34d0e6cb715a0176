import { openBullmqQueues } from "../../mixins/queue/bullmq-queue.ts";
import type { Queues } from "../../mixins/queue/queue.ts";
import { openSqliteQueues } from "../../mixins/queue/sqlite-queue.ts";

/** Where queues are kept, in words that another process understands too. */
export type Place = { driver: "sqlite"; path: string } | { driver: "bullmq"; url: string; prefix: string };

export function openQueues(place: Place, onError: (error: unknown) => void = () => undefined): Queues {
  return place.driver === "sqlite"
    ? openSqliteQueues({ path: place.path, onError })
    : openBullmqQueues({ url: place.url, prefix: place.prefix, onError });
}

import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { type Appended, appended, type EventType, eventTypes } from "../../services/contracts/events.ts";
import { mixin } from "../../services/contracts/service.ts";
import type { Config } from "../config/config.ts";
import { logEvent } from "../log/log-events.ts";
import { activityOf } from "../runtime/activity.ts";
import { counterOf } from "../runtime/counters.ts";
import { openEmbeddedLog } from "./embedded.log.ts";
import type { EventLog, OpenLog } from "./event-log.ts";

/** What the mixin adds to a service. */
export interface WithLog {
  log: EventLog;
}

interface Inside {
  log?: OpenLog;
}

/** The event log of every key as `this.log`. */
export function logMixin(config: Pick<Config, "dataDir" | "cluster">): Partial<ServiceSchema> {
  return mixin<Inside>({
    events: {
      [appended.name](this: Inside, ctx: { params: Appended }) {
        this.log?.receive(ctx.params);
      },
    },
    async started() {
      const notify = (params: Appended) => this.broker.broadcast(appended.name, params);
      const activity = activityOf(this.broker);
      const events = counterOf(this.broker, {
        name: "magpie_events_total",
        description: "Events appended, once for each key",
        by: [["type", eventTypes]],
      });
      const onEntries = (type: EventType, entries: number) => {
        activity.add("events", entries);
        events.add(type, "", entries);
      };
      const onError = (error: unknown) => logEvent(this.logger, "event_log.failed", { error });
      this.log = await open(config, { notify, onEntries, onError });
    },
    async stopped() {
      await this.log?.close();
      this.log = undefined;
    },
  });
}

interface Reports {
  notify(appended: Appended): void;
  onEntries(type: EventType, entries: number): void;
  onError(error: unknown): void;
}

async function open(
  { dataDir, cluster }: Pick<Config, "dataDir" | "cluster">,
  { notify, onEntries, onError }: Reports,
): Promise<OpenLog> {
  if (!cluster) return openEmbeddedLog({ path: join(dataDir, "magpie.db"), notify, onEntries });
  // Imported here: the embedded mode need not load the clients of Redis and MongoDB, which take 40 MB.
  const { openRedisLog } = await import("./redis.log.ts");
  return openRedisLog({ cluster, notify, onEntries, onError });
}

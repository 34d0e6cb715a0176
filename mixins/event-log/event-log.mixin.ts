import type { ServiceSchema } from "moleculer";
import {
  type Appended,
  appended,
  type EventType,
  eventsErased,
  eventTypes,
} from "../../services/contracts/events.ts";
import { mixin } from "../../services/contracts/service.ts";
import type { Config } from "../config/config.ts";
import { logEvent } from "../log/log-events.ts";
import { activityOf } from "../runtime/activity.ts";
import { counterOf } from "../runtime/counters.ts";
import { type OpenBlobs, openBlobs } from "../store/blobs/open-blobs.ts";
import { logPath, openEmbeddedLog } from "./embedded.log.ts";
import { type EventLog, hotMs, type OpenLog } from "./event-log.ts";
import type { Keeping } from "./sealed/sealed-log.ts";

/** What the mixin adds to a service. */
export interface WithLog {
  log: EventLog;
}

interface Inside {
  log?: OpenLog;
  sealedBlobs?: OpenBlobs;
}

type Of = Pick<Config, "dataDir" | "cluster" | "s3"> & Partial<Pick<Config, "eventRetentionMs">>;

/** The event log of every key as `this.log`. */
export function logMixin(config: Of): Partial<ServiceSchema> {
  return mixin<Inside>({
    events: {
      [appended.name](this: Inside, ctx: { params: Appended }) {
        this.log?.receive(ctx.params);
      },
      [eventsErased.name](this: Inside) {
        this.log?.forgetCached();
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
      const onErased = () => this.broker.broadcast(eventsErased.name);
      const onError = (error: unknown) => logEvent(this.logger, "event_log.failed", { error });
      this.sealedBlobs = await openBlobs(config);
      const keeping = { retentionMs: config.eventRetentionMs ?? hotMs, blobs: this.sealedBlobs.blobs };
      this.log = await open(config, { notify, onEntries, onErased, onError, keeping });
    },
    async stopped() {
      await this.log?.close();
      this.log = undefined;
      await this.sealedBlobs?.close();
      this.sealedBlobs = undefined;
    },
  });
}

interface Reports {
  notify(appended: Appended): void;
  onEntries(type: EventType, entries: number): void;
  onErased(): unknown;
  onError(error: unknown): void;
}

async function open(
  { dataDir, cluster }: Of,
  { notify, onEntries, onErased, onError, keeping }: Reports & { keeping: Keeping },
): Promise<OpenLog> {
  if (!cluster) return openEmbeddedLog({ path: logPath(dataDir), notify, onEntries, onErased, keeping });
  // Imported here: the embedded mode need not load the clients of Redis and MongoDB, which take 40 MB.
  const { openRedisLog } = await import("./redis.log.ts");
  return openRedisLog({ cluster, notify, onEntries, onErased, onError, keeping });
}

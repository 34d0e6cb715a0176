import { type Service, ServiceBroker } from "moleculer";
import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { type Action, call } from "../../services/contracts/action.ts";
import { type Caller, type CallMeta, defaultLimits } from "../../services/contracts/caller.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import type { Scheduler } from "../../services/tracker/scheduler.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { type SocialUpstream, socialUpstreamService } from "../fakes/social-upstream.ts";
import { retention } from "./retention.ts";

/** The tracker service with what runs in it. */
export type Tracker = Service &
  WithLog & {
    context: TrackerContext;
    pollScheduler: Scheduler<unknown>;
    joinScheduler: Scheduler<unknown>;
    entryScheduler: Scheduler<unknown>;
  };

/** A node that tracks the sources of a fake of the social platforms. */
export async function startTracker(dataDir: string, upstream: SocialUpstream) {
  const broker = new ServiceBroker({ logger: false });
  broker.createService(socialUpstreamService(upstream));
  const service = broker.createService(
    trackerService({ dataDir, pollMinIntervalMs: 60_000, ...retention }),
  ) as Tracker;
  await broker.start();
  return { broker, service };
}

/** Calls an operation as a key, which may track so many sources; with the status of the answer. */
export async function callAs<Params, Result>(
  broker: ServiceBroker,
  keyId: string,
  action: Action<Params, Result>,
  params: Partial<Params> & object,
  trackedSources = 1000,
) {
  const caller: Caller = { keyId, owner: "ann", limits: { ...defaultLimits, trackedSources } };
  const meta: CallMeta = { caller };
  const result = await call(broker, action, params as Params, { meta });
  return { result, status: meta.$statusCode };
}

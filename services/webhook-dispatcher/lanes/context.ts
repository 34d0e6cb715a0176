import type { Dispatcher as Agent } from "undici";
import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import type { Delivery } from "../../contracts/deliveries.contract.ts";
import type { Schedule } from "../../domain/delivery/backoff.ts";
import type { Vault } from "../endpoints/vault.ts";
import type { Journal } from "./journal.ts";
import type { SlowLanes } from "./loaded-lanes.ts";
import type { ShardOwnership } from "./shard-ownership.ts";
import type { WakeQueue } from "./wake-queue.ts";
import type { WantedEvents } from "./wanted-events.ts";

/** What the dispatcher needs of the service. */
export interface DispatcherOptions {
  journal: Journal;
  log: EventLog;
  agent: Agent;
  vault: Vault;
  wanted: WantedEvents;
  schedule: Schedule;
  /** Tells the other nodes that an endpoint or a lane of this key was changed or removed. */
  notifyOtherNodes(keyId: string): void;
  /** Called for each event of an attempt. */
  onAttempted?(outcome: Delivery["outcome"]): void;
  logger: {
    info(...args: unknown[]): void;
    error(...args: unknown[]): void;
    debug(...args: unknown[]): void;
  };
}

/** What all lane workers share. */
export interface LaneContext extends DispatcherOptions {
  wakes: WakeQueue;
  slow: SlowLanes;
  signal: AbortSignal;
  /** The number of lanes in memory. */
  laneCount(): number;
  /** False once the lane was removed, or unloaded and loaded again. */
  isCurrent(worker: { readonly laneId: string }): boolean;
  /** Registers an attempt under way. */
  track(attempt: Promise<void>, ownership: ShardOwnership): void;
  /** A lane has nothing to do: it is unloaded when the same is true of the other lanes of its key. */
  onIdle(laneId: string): void;
  /** Loads the endpoint and the lane again. */
  reload(laneId: string): void;
  /** The store failed, not the endpoint; these lanes pause. */
  onStoreError(laneIds: string[], error: unknown): void;
}

import type { Dispatcher as Agent } from "undici";
import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import type { Delivery } from "../../contracts/deliveries.contract.ts";
import type { Schedule } from "../../domain/delivery/backoff.ts";
import type { Vault } from "../endpoints/vault.ts";
import type { Journal } from "./journal.ts";
import type { SlowLanes } from "./loaded-lanes.ts";
import type { ShardOwnership } from "./shard-ownership.ts";
import type { WakeQueue } from "./wake-queue.ts";

/** What the dispatcher needs of the service. */
export interface DispatcherOptions {
  journal: Journal;
  log: EventLog;
  agent: Agent;
  vault: Vault;
  schedule: Schedule;
  /** Tells the other nodes that the endpoint or the lane of this key was changed or removed. */
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
  isCurrent(worker: { readonly keyId: string }): boolean;
  /** Registers an attempt under way. */
  track(attempt: Promise<void>, ownership: ShardOwnership): void;
  /** Unloads a lane that has nothing to do. */
  unload(keyId: string): void;
  /** Loads the endpoint and the lane again. */
  reload(keyId: string): void;
  /** The store failed, not the endpoint; these lanes pause. */
  onStoreError(keyIds: string[], error: unknown): void;
}

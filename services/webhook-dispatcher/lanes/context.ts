import type { FairSemaphore } from "../../../mixins/async/fair-semaphore.ts";
import type { Quotas } from "../../../mixins/clients/quotas.ts";
import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import type { Delivery } from "../../contracts/deliveries.contract.ts";
import type { Schedule } from "../../domain/delivery/backoff.ts";
import type { Destinations } from "../destinations/destinations.ts";
import type { Vault } from "../endpoints/vault.ts";
import type { Expressions } from "../expressions/expressions.ts";
import type { Journal } from "../journal/journal.ts";
import type { MailWay } from "../mail/mail-way.ts";
import type { Send } from "../sending/send.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import type { Paces } from "./paces.ts";
import type { PassedEvents } from "./passed-events.ts";
import type { ShardOwnership } from "./shard-ownership.ts";
import type { SlowLanes } from "./slow-lanes.ts";
import type { WakeQueue } from "./wake-queue.ts";
import type { WantedEvents } from "./wanted-events.ts";

/** What the dispatcher needs of the service. */
export interface DispatcherOptions {
  journal: Journal;
  log: EventLog;
  send: Send;
  /** Undefined where the operator has set no mail server. */
  mail: Pick<MailWay, "deliver"> | undefined;
  destinations: Pick<Destinations, "write">;
  vault: Vault;
  wanted: WantedEvents;
  expressions: Pick<Expressions, "transform">;
  /** Deliveries are charged to the quotas of their keys. */
  quotas: Quotas;
  schedule: Schedule;
  /** How many threads share what a process holds in memory; one if it is not given. */
  threads?: number;
  /** Tells the other nodes that an endpoint or a lane of this key was changed or removed. */
  notifyOtherNodes(keyId: string): void;
  /** Called for each event of an attempt, with its time (ISO 8601). */
  onAttempted(attempt: Pick<Delivery, "outcome" | "error">, timestamp?: string): void;
  /** Called when so many events left the log before an endpoint had them. */
  onExpired(events: number): void;
  logger: {
    info(...args: unknown[]): void;
    error(...args: unknown[]): void;
    debug(...args: unknown[]): void;
  };
}

/** What works a lane in memory. */
export interface WorksLane {
  readonly laneId: string;
  readonly ownership: ShardOwnership;
  /** Events beyond the position that more nodes would not deliver sooner. */
  readonly passed: number;
  readonly passedOver: PassedEvents;
  /** An attempt is under way, or being written. */
  readonly isBusy: boolean;
  /** Whether it has nothing to do until something is appended or changed. */
  readonly isIdle: boolean;
  /** There may be more events in the log. */
  hint(): void;
  /** The quotas of the key were changed. */
  quotasChanged(): void;
  /** Events were erased: what was read before is read again. */
  readAgain(): void;
  useEndpoint(endpoint: StoredEndpoint): void;
  /** Starts what may start now. */
  pump(): Promise<void>;
}

/** What all lane workers share. */
export interface LaneContext extends DispatcherOptions {
  wakes: WakeQueue;
  slow: SlowLanes;
  paces: Paces;
  /** Digests that are collected or sent at a time. */
  digests: FairSemaphore;
  signal: AbortSignal;
  /** The number of lanes in memory, of this thread and others that have as many. */
  laneCount(): number;
  /** False once the lane was removed, or unloaded and loaded again. */
  isCurrent(worker: { readonly laneId: string }): boolean;
  /** Registers an attempt under way. */
  track(attempt: Promise<void>, worker: WorksLane): void;
  /** A lane has nothing to do: it is unloaded when the same is true of the other lanes of its key. */
  onIdle(laneId: string): void;
  /** Loads the endpoint and the lane again, soon. */
  reload(laneId: string): void;
  /** The store failed, not the endpoint; these lanes pause. */
  onStoreError(laneIds: string[], error: unknown): void;
}

import { monotonicFactory } from "ulid";
import type { JobVault } from "../../mixins/clients/job-vault.ts";
import type { KeepLogin } from "../../mixins/clients/session-logins.ts";
import type { Leases } from "../../mixins/coordination/leases/lease.ts";
import type { EventLog } from "../../mixins/event-log/event-log.ts";
import type { OpenHistory } from "../../mixins/history/history.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { Caller } from "../contracts/caller.ts";
import type { PollResult } from "../contracts/connectors.contract.ts";
import type { Use } from "../domain/crawl/content-usage.ts";
import { PollSpreader } from "../domain/polling/poll-times.ts";
import type { StoredBatch, StoredEntry } from "./batches/batches.store.ts";
import type { StoredJoin, StoredTrackJob } from "./joins/joins.store.ts";
import type { LeaseTokens, StoredWorkerSession } from "./maintenance/worker-session.ts";
import { type MonitorStores, monitorStores } from "./monitors/monitors.store.ts";
import type {
  Address,
  StoredPendingUnfollow,
  StoredSource,
  StoredState,
  StoredSubscription,
  StoredTally,
} from "./sources.store.ts";
import { SourceMutex } from "./tracking/source-mutex.ts";

/** Polls a source through its connector. Rejects when the connectors service does not work at all. */
export type PollConnector = (source: StoredSource, state: Record<string, unknown>) => Promise<PollResult>;

/** Polls several views of one source with one request, and answers their results in order. Rejects as `PollConnector`. */
export type PollViews = (
  views: { source: StoredSource; state: Record<string, unknown>; policy?: Use[] }[],
) => Promise<PollResult[]>;

/** What the tracker stores. */
export interface TrackerStores extends MonitorStores {
  sources: Store<StoredSource>;
  states: Store<StoredState>;
  subscriptions: Store<StoredSubscription>;
  tallies: Store<StoredTally>;
  pendingUnfollows: Store<StoredPendingUnfollow>;
  joins: Store<StoredJoin>;
  jobs: Store<StoredTrackJob>;
  batches: Store<StoredBatch>;
  entries: Store<StoredEntry>;
  workerSessions: Store<StoredWorkerSession>;
}

/** Time, chance and identity, which tests replace. */
export interface TrackerClock {
  /** Milliseconds. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** A ULID that is greater than all earlier ones of this process. */
  newId(now: number): string;
}

/** What the tracker asks of the rest of the system. */
export interface TrackerPorts {
  log: Pick<EventLog, "append" | "drop" | "holders">;
  /** What sources said. */
  history: Omit<OpenHistory, "close">;
  /** The tokens of this process's leases. */
  leaseTokens: LeaseTokens;
  pollConnector: PollConnector;
  pollViews: PollViews;
  /** Encrypts headers and cookies. */
  vault: JobVault;
  /** Keeps the login of a session with that. */
  keepLogin: KeepLogin;
  /** What keys say they want content for, by their ids. */
  keyUses(): Promise<ReadonlyMap<string, Use[]>>;
  /** Called when a key of a source wants content for other uses than the others; does not wait until it has left. */
  onOtherPolicy(keyId: string, source: StoredSource): void;
  /** Called for an error that a connector should have reported as a failure of the source. */
  onConnectorError(source: StoredSource, error: unknown): void;
  /** Has the platform unfollow a source. */
  unfollow(source: Address & { id?: string }): Promise<unknown>;
  /** Called when a source may have no subscription left; does not wait for the unfollow. */
  onPendingUnfollow(source: Address & Partial<StoredSource>): void;
  /** Removes the pictures that are kept of a source; does not wait for it. */
  forgetPictures(sourceId: string): void;
  /** Called when a platform did not unfollow a source. */
  onUnfollowFailed(source: Address, error: unknown): void;
  /** Called when a join request is due. */
  onJoinRequested(): void;
  /** Called when entries of a batch are due. */
  onEntriesAdded(): void;
  /** Called when a monitor is due for a step. */
  onMonitorDue(): void;
  /** Reads a page of the pages of a site that are there; `cursor` is empty at the beginning. */
  sitePages(
    caller: Pick<Caller, "keyId" | "owner" | "limits">,
    sourceId: string,
    cursor: string,
  ): Promise<{ urls: { url: string; title: string }[]; next: string | null }>;
  /** Called for an error of ours while a monitor tracked a source. */
  onMonitorError(monitorId: string, error: unknown): void;
  /** Removes the endpoints of a key that a deleted monitor leaves. */
  removeEndpoints(keyId: string, monitorId: string): Promise<unknown>;
  /** Called after what a key tracks, or under which tags, has changed. */
  onRetagged(keyId: string): void;
}

/** What the operations of the tracker work with. */
export interface TrackerContext extends TrackerStores, TrackerClock, TrackerPorts {
  minIntervalMs: number;
  /** Milliseconds that batches, and jobs that have ended, can be read. */
  batchesKeptMs?: number;
  /** A language model can judge changes by a goal. */
  hasModel: boolean;
  mutex: SourceMutex;
  leases: Pick<Leases, "take">;
  /** Chooses due dates within an allowed span. */
  spread: PollSpreader;
  /** Fires when the service stops. */
  closing: AbortSignal;
}

/** What a tracker is opened with, beside its store. */
export interface ContextOptions
  extends TrackerPorts,
    Pick<TrackerContext, "now" | "random" | "minIntervalMs" | "batchesKeptMs" | "hasModel" | "closing"> {
  leases: Pick<Leases, "take" | "wait">;
}

export function openContext(
  sources: Store<StoredSource>,
  { leases, ...outside }: ContextOptions,
): TrackerContext {
  return {
    sources,
    states: sources.collection("source_states"),
    subscriptions: sources.collection("subscriptions"),
    tallies: sources.collection("source_counts"),
    pendingUnfollows: sources.collection("pending_unfollows"),
    joins: sources.collection("track_joins"),
    jobs: sources.collection("track_jobs"),
    batches: sources.collection("track_batches"),
    entries: sources.collection("track_entries"),
    workerSessions: sources.collection("worker_sessions"),
    ...monitorStores(sources),
    mutex: new SourceMutex(leases, outside.closing),
    leases,
    newId: monotonicFactory(),
    spread: new PollSpreader(outside.random),
    ...outside,
  };
}

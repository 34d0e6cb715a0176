import type { Sealed } from "../../../mixins/clients/job-vault.ts";
import { claimIndexes, type StoredClaim } from "../../../mixins/store/idempotency.ts";
import type { Index, Store } from "../../../mixins/store/store.ts";
import type { KeyLimits } from "../../contracts/caller.ts";
import type { MonitorCheck, MonitoredKind, PageState } from "../../contracts/monitors.contract.ts";
import type { Judgement } from "../../contracts/site-events.ts";
import type { WatchOptions } from "../../contracts/watch.contract.ts";

/** What a monitor checks: each `sid` is a source. Headers and cookies are sealed under `viewRecord` of the key. */
export interface StoredTarget {
  id: string;
  source: MonitoredKind;
  sids: string[];
  options: Sealed<WatchOptions>;
  /** The names of the sealed headers and cookies, and the actions without what they type, for answers. */
  secrets?: { headers: string[]; cookies: string[]; actions?: WatchOptions["actions"]; body?: string };
}

/** A check under way. */
export interface RunningCheck {
  id: string;
  trigger: MonitorCheck["trigger"];
  /** Milliseconds. */
  scheduledFor?: number;
  startedAt: number;
}

/** A monitor; `_id` is `mon_` and a ULID. One step at a time works on it, so a check has one writer. */
export interface StoredMonitor {
  _id: string;
  keyId: string;
  owner: string;
  /** The key's limits when it last changed or ran the monitor. */
  limits: KeyLimits;
  name: string;
  schedule: { cron: string; time_zone: string; text?: string };
  targets: StoredTarget[];
  goal?: string;
  judge: boolean;
  retentionDays: number;
  pageEvents: boolean;
  paused: boolean;
  /** Counts changes of what sources are and how they are read: a source that lags behind is tracked anew. */
  revision: number;
  /** The revision whose members are those that it wants. */
  renewed?: number;
  /** Milliseconds; the next time of the schedule, absent while it is paused. */
  nextAt?: number;
  running?: RunningCheck;
  /** The latest check that has ended. */
  last?: MonitorCheck;
  /** It is deleted, and what it has goes step by step. */
  isGone?: true;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
  /** Milliseconds; when its next step is due. While leased: when the lease ends. */
  dueAt?: number;
  lease?: string;
  /** A request wants a step at once, while one was under way. */
  again?: true;
}

/** A source of a monitor, in the order in which they are named. `_id` is a ULID. */
export interface StoredMember {
  _id: string;
  monitorId: string;
  keyId: string;
  target: string;
  kind: MonitoredKind;
  sid: string;
  /** The tracked source; absent before the first check, and where it could not be tracked. */
  sourceId?: string;
  /** The revision of the monitor by which it is tracked. */
  revision?: number;
  /** The check for which it was asked, and when it had been polled before that (ms). */
  askedFor?: string;
  polledBefore?: number;
  /** The check in which it has ended. */
  doneFor?: string;
  /** Pages of a site that were the same in that check. */
  same?: number;
  /** It has been read in a check: what it shows is no longer new. */
  isKnown?: true;
  /** Tries in this check that failed for no fault of its own. */
  tries?: number;
  /** The monitor has it no longer. */
  isStale?: true;
}

/** A check; `_id` is `chk_` and a ULID. */
export interface StoredCheck extends Omit<MonitorCheck, "id" | "monitor_id"> {
  _id: string;
  monitorId: string;
  keyId: string;
  /** Milliseconds, for the retention. */
  at: number;
  /** When it is removed, in milliseconds. */
  goneAt: number;
}

/** What a check found of a page. Until a step gives it to its check, what a poll has found belongs to none. */
export interface StoredPage {
  _id: string;
  monitorId: string;
  keyId: string;
  checkId?: string;
  /** The member that found it, whose source may be another one by now. */
  memberId: string;
  target: string;
  sourceId: string | null;
  url: string;
  title: string | null;
  status: PageState;
  httpStatus?: number;
  error?: string;
  movedFrom?: string;
  version?: string;
  previousVersion?: string;
  /** JSON: lines may look like anything. */
  change?: string;
  judgement?: Judgement;
  /** Milliseconds. */
  at: number;
}

/** What the tracker stores of monitors. */
export interface MonitorStores {
  monitors: Store<StoredMonitor>;
  members: Store<StoredMember>;
  checks: Store<StoredCheck>;
  pages: Store<StoredPage>;
  /** The claims of requests that make monitors. */
  monitorClaims: Store<StoredClaim>;
}

export const monitorCollections: Record<string, Index[]> = {
  monitor_claims: claimIndexes,
  monitors: [
    { fields: ["keyId", "_id"] },
    { fields: ["dueAt"], sparse: true },
    { fields: ["lease"], sparse: true },
  ],
  monitor_members: [
    { fields: ["monitorId", "_id"] },
    { fields: ["sourceId"], sparse: true },
    { fields: ["keyId"] },
  ],
  monitor_checks: [
    { fields: ["monitorId", "_id"] },
    { fields: ["monitorId", "status", "_id"] },
    { fields: ["goneAt"] },
    { fields: ["keyId"] },
  ],
  monitor_pages: [
    { fields: ["checkId", "_id"], sparse: true },
    { fields: ["checkId", "status", "_id"], sparse: true },
    { fields: ["monitorId", "checkId", "memberId"] },
    { fields: ["keyId"] },
  ],
};

/** The collections beside that of the sources. */
export function monitorStores(sources: { collection: Store<{ _id: string }>["collection"] }): MonitorStores {
  return {
    monitors: sources.collection("monitors"),
    members: sources.collection("monitor_members"),
    checks: sources.collection("monitor_checks"),
    pages: sources.collection("monitor_pages"),
    monitorClaims: sources.collection("monitor_claims"),
  };
}

import type { Sealed } from "../../../mixins/clients/job-vault.ts";
import type { KeyLimits } from "../../contracts/caller.ts";
import type { Source } from "../../contracts/source.ts";
import type { EntryStatus, WantedSource } from "../../contracts/track-batch.contract.ts";
import type { WatchOptions } from "../../contracts/watch.contract.ts";

import type { StoredSubscription } from "../sources.store.ts";

/** What an entry is to do. */
export interface BatchItem extends WantedSource {
  /** The line of the document that named it. */
  line?: number;
  listed?: StoredSubscription["listed"];
  /** The id of a source that is left, once all others of the batch have been tried and none of them turned out to be it. */
  leaves?: string;
}

/** Many sources that a key wants to track. It is stored after its entries, so one that can be read is whole. */
export interface StoredBatch {
  _id: string;
  keyId: string;
  total: number;
  /** Milliseconds. */
  createdAt: number;
}

/** An entry of a batch. `_id` sorts the entries of a batch by their numbers. */
export interface StoredEntry {
  _id: string;
  batchId: string;
  number: number;
  keyId: string;
  owner: string;
  /** The key's limits when it asked. */
  limits: KeyLimits;
  /** Headers and cookies are sealed under `viewRecord` of the key. */
  wanted: Omit<BatchItem, "options"> & { options?: Sealed<WatchOptions> };
  status: EntryStatus;
  /** Milliseconds; when it is tried next. While leased: when the lease ends. Absent when it has ended. */
  dueAt?: number;
  /** The token of the try under way: only its holder may write the outcome. */
  lease?: string;
  /** Tries that failed. */
  failures: number;
  data?: Source;
  jobId?: string;
  error?: { code: string; message: string };
  /** Milliseconds; when the batch was made. */
  createdAt: number;
}

export function entryId(batchId: string, number: number): string {
  return `${batchId}/${String(number).padStart(5, "0")}`;
}

/** Milliseconds for which a batch, and a join job that has ended, can be read, where no setting says it. */
export const batchRetentionMs = 7 * 24 * 3_600_000;

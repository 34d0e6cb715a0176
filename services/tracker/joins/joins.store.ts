import type { KeyLimits } from "../../contracts/caller.ts";
import type { Source, SourceKind } from "../../contracts/source.ts";
import type { TrackJob } from "../../contracts/tracker.contract.ts";

/** A request to join, shared by all keys that want it; `_id` names the invite, so that a platform is asked once. */
export interface StoredJoin {
  _id: string;
  kind: SourceKind;
  /** The invite in the form of the platform's driver. */
  invite: string;
  /** The `sid` that a client sent; the source behind it can be read only after joining. */
  sid: string;
  /** Milliseconds; when the first key asked. */
  createdAt: number;
  /** Milliseconds; stored before the platform is asked, so that a crash does not make us ask twice. */
  requestedAt?: number;
  /** The platform has accepted the request; the source is still to be tracked. */
  isIn?: true;
  /** Milliseconds; when the next step is due. While leased: when the lease ends. */
  dueAt: number;
  /** The token of the step under way: only its holder may write the outcome. */
  lease?: string;
}

/** A key's job to track a channel that approves its members. */
export interface StoredTrackJob {
  _id: string;
  keyId: string;
  kind: SourceKind;
  /** What the key asked to track. */
  sid: string;
  state: TrackJob["state"];
  /** The request that the job waits for; removed when the job ends. */
  joinId?: string;
  /** The key's limits when it asked. */
  limits: Pick<KeyLimits, "trackedSources">;
  /** The tags that the source is to have. */
  tags?: string[];
  /** Milliseconds; the job fails then unless it has ended. */
  failAt: number;
  returnvalue?: Source;
  failedReason?: string;
  /** Milliseconds. */
  endedAt?: number;
}

import type { KeyLimits } from "../../contracts/caller.ts";
import type { TrackJob } from "../../contracts/social-tracking.contract.ts";
import type { Source, SourceKind } from "../../contracts/source.ts";

/** A request to be let in, whoever waits for what comes of it; `_id` names the invite, so that a platform is asked once. */
export interface StoredJoin {
  _id: string;
  kind: SourceKind;
  /** As the platform's driver names it. */
  invite: string;
  /** What a client sent; what is behind it can be read once we are in. */
  sid: string;
  /** Milliseconds; when somebody first wanted it. */
  createdAt: number;
  /** Milliseconds; written before the platform is asked, so that no death of the process makes us ask twice. */
  requestedAt?: number;
  /** The platform has let us in; what is left is to track the source. */
  isIn?: true;
  /** Milliseconds; when the next step is due. While it is leased: when the lease ends. */
  dueAt: number;
  /** The token of the step under way: only its bearer may write what came of it. */
  lease?: string;
}

/** One key's wish for a gated channel. */
export interface StoredTrackJob {
  _id: string;
  keyId: string;
  kind: SourceKind;
  state: TrackJob["state"];
  /** The request that it waits for; only until it has ended. */
  joinId?: string;
  /** As they were when the key asked. */
  limits: Pick<KeyLimits, "trackedSources">;
  /** Milliseconds; when it fails unless it has ended by then. */
  failAt: number;
  returnvalue?: Source;
  failedReason?: string;
  /** Milliseconds. */
  endedAt?: number;
}

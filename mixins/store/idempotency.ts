import { createHash } from "node:crypto";
import { codeOf, fail } from "../../services/contracts/errors.ts";
import type { Doc, Index, Store } from "./store.ts";

/** The job of an idempotency key. `_id` is a hash of API key, operation and idempotency key. */
export interface StoredClaim extends Doc {
  jobId: string;
  /** Hash of the request's body. */
  digest: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** A request as it came from the gateway. */
export interface ClaimedRequest {
  keyId: string;
  /** A key on another operation is another claim. */
  operation: string;
  /** The header `Idempotency-Key`; without it every request is a new one. */
  key: string | undefined;
  /** After validation, so that what is left out equals its default. */
  body: object;
}

const retentionMs = 24 * 3_600_000;
const pruneSlice = 500;

export const claimIndexes: Index[] = [{ fields: ["expiresAt"] }];

/**
 * The id of a request's job: a new one, or that of the first request with the same key; durable when this resolves. Throws
 * `conflict` (409) when that request had another body.
 *
 * The process that claimed it may have died before the job began. So every caller begins the job by inserting its record
 * under this id: the one whose insert succeeds runs the job, all others find its record.
 */
export async function claimJob(
  claims: Store<StoredClaim>,
  { keyId, operation, key, body }: ClaimedRequest,
  newId: () => string,
  now: number,
): Promise<string> {
  if (key === undefined) return newId();
  const _id = digestOf([keyId, operation, key]);
  const claim = { _id, jobId: newId(), digest: digestOf(body), expiresAt: now + retentionMs };
  const { jobId, digest } = await firstClaim(claims, claim, now);
  if (digest !== claim.digest)
    throw fail("conflict", "This Idempotency-Key was sent with another body before. Use a new one.");
  return jobId;
}

/** Removes expired claims. */
export async function pruneClaims(claims: Store<StoredClaim>, now: number): Promise<void> {
  for (;;) {
    const query = { expiresAt: { $lte: now } };
    const expired = await claims.find({ query, sort: ["expiresAt"], limit: pruneSlice });
    if (expired.length > 0) await claims.removeMany({ _id: { $in: expired.map(({ _id }) => _id) } });
    if (expired.length < pruneSlice) return;
  }
}

/** The claim of the key: this one, or an earlier one that has not expired. */
async function firstClaim(claims: Store<StoredClaim>, claim: StoredClaim, now: number): Promise<StoredClaim> {
  for (;;) {
    try {
      return await claims.insert(claim);
    } catch (error) {
      if (codeOf(error) !== "conflict") throw error;
    }
    const earlier = await claims.findById(claim._id);
    if (earlier !== null && earlier.expiresAt > now) return earlier;
    await claims.removeMany({ _id: claim._id, expiresAt: { $lte: now } });
  }
}

/** A hash of a JSON value, in which the order of its fields does not matter. */
export function digestOf(value: object): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}

/** JSON with sorted names: the order of a body's fields does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

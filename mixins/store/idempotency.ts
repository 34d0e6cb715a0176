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
  /** All that the request asks for was made. What is not there any more was removed since. */
  isMade?: true;
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
  return key === undefined
    ? newId()
    : (await claimOf(claims, { keyId, operation, key, body }, newId, now)).jobId;
}

/** How a thing is made that clients can remove again. */
interface Making<Made> {
  newId(): string;
  /** Null where nothing has this id. */
  find(id: string): Promise<Made | null>;
  /** Makes it under this id, or what is still missing of it. Calls at the same time make one. */
  make(id: string): Promise<Made>;
}

/**
 * Makes what a request asks for, once: a repeated request gets what is there. Throws `conflict` (409) when the request had
 * another body before, and when what it made was removed since: a repetition that comes late must not bring it back.
 */
export async function makeOnce<Made>(
  claims: Store<StoredClaim>,
  { key, ...request }: ClaimedRequest,
  { newId, find, make }: Making<Made>,
  now: number,
): Promise<Made> {
  if (key === undefined) return await make(newId());
  const { _id, jobId, isMade } = await claimOf(claims, { key, ...request }, newId, now);
  if (isMade) {
    const known = await find(jobId);
    if (known === null)
      throw fail("conflict", "What this Idempotency-Key has made was removed since. Use a new one.");
    return known;
  }
  const made = await make(jobId);
  await claims.update(_id, { $set: { isMade: true } });
  return made;
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

/** The claim of a request. Throws `conflict` when that was of another body. */
async function claimOf(
  claims: Store<StoredClaim>,
  { keyId, operation, key, body }: ClaimedRequest,
  newId: () => string,
  now: number,
): Promise<StoredClaim> {
  const _id = digestOf([keyId, operation, key]);
  const claim = { _id, jobId: newId(), digest: digestOf(body), expiresAt: now + retentionMs };
  const first = await firstClaim(claims, claim, now);
  if (first.digest !== claim.digest)
    throw fail("conflict", "This Idempotency-Key was sent with another body before. Use a new one.");
  return first;
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

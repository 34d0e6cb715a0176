import { closeSync, openSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../services/contracts/errors.ts";

type Kind = "full" | "read-only" | "failing" | "slow";

interface Trouble {
  kind: Kind;
  since: number;
  error: unknown;
}

/** What happens to a disk: `failed` once for each episode, and `recovered` at its end. */
export type DiskChange =
  | { is: "failed"; folder: string; kind: Kind; error: unknown }
  | { is: "recovered"; folder: string; kind: Kind; seconds: number };

/** The low byte of a code of SQLite names its kind: SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL (sqlite.org/rescode.html). */
const kindOfSqlite: Record<number, Kind> = { 8: "read-only", 10: "failing", 13: "full" };
const kindOfFile: Record<string, Kind> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "read-only",
  EIO: "failing",
};
/** A sync that takes longer is news to an operator; a disk that is well needs milliseconds. */
const slowMs = 2_000;
const lookAgainMs = 2_000;
/** A checkpoint of the write-ahead log may need as much at once. */
const probeBytes = 1_048_576;
const retryAfterSeconds = 5;
const probeName = "disk.probe";

const says: Record<Kind, string> = {
  full: "The disk of DATA_DIR is full, so nothing can be stored.",
  "read-only": "The disk of DATA_DIR is read-only, so nothing can be stored.",
  failing: "The disk of DATA_DIR cannot be read or written.",
  slow: "The disk of DATA_DIR is slow: a write has not ended within 2 s.",
};
const remedy: Record<Kind, string> = {
  full: "Free space there, or give the volume more; work continues by itself.",
  "read-only": "Look at the kernel's log, check the file system, mount it for writing, then restart.",
  failing: "Look at the kernel's log and check the disk.",
  slow: "Look at what else uses the disk, and at the limits of the volume.",
};

const troubles = new Map<string, Trouble>();
/** The episode that ended last. */
let last: { kind: Kind; endedAt: number } | undefined;
const longestRequestMs = 30_000;
const listeners = new Set<(change: DiskChange) => void>();

/**
 * An error of the disk on which `folder` is as `overloaded`, whose message names the cause; other errors as they are. The
 * first one of an episode is told to those who listen. The episode ends when the folder takes a file again.
 */
export function diskError(folder: string, error: unknown): unknown {
  const found = kindOf(error);
  if (found === undefined) return error;
  const kind = found === "failing" ? kindOfProbe(folder) : found;
  begin(folder, kind, error);
  return refusal(kind, error);
}

/**
 * Throws while the disk of `folder` takes nothing. A write that finds it full may hold the process for half a second, and work
 * that is repeated would hold it all the time: what looks again does so beside it.
 */
export function refuseWhileIll(folder: string): void {
  const trouble = troubles.size > 0 ? troubles.get(folder) : undefined;
  if (trouble?.kind === "full" || trouble?.kind === "read-only") throw refusal(trouble.kind, trouble.error);
}

/** Why a request has no answer in time, if a disk is to blame: one that is ill, or was while the request may have waited. */
export function diskRefusal(cause: unknown): Error | undefined {
  const [first] = troubles.values();
  const recent = last && Date.now() - last.endedAt < longestRequestMs ? last.kind : undefined;
  const kind = first?.kind ?? recent;
  return kind && refusal(kind, cause);
}

/** The sentence on a disk of this process that is ill; undefined while all are well. */
export function diskCause(): string | undefined {
  const [first] = troubles.values();
  return first && says[first.kind];
}

/** Runs a sync of a file in `folder`; one that takes long is an episode, too. */
export async function timedSync(folder: string, sync: () => Promise<void>): Promise<void> {
  const slow = setTimeout(() => begin(folder, "slow", new Error(says.slow)), slowMs).unref();
  try {
    await sync();
  } catch (error) {
    throw diskError(folder, error);
  } finally {
    clearTimeout(slow);
  }
}

/** What the health of this process says of its disks: nothing while they are well. */
export function diskFindings(): { name: string; status: "degraded"; detail: string }[] {
  return [...troubles.values()].map(({ kind }) => ({
    name: "disk",
    status: "degraded",
    detail: `${says[kind]} ${remedy[kind]}`,
  }));
}

/** Returns the function that ends it. */
export function onDiskChange(listener: (change: DiskChange) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function kindOf(error: unknown): Kind | undefined {
  const { errcode = 0, code } = Object(error) as { errcode?: number; code?: string };
  return kindOfSqlite[errcode % 256] ?? (typeof code === "string" ? kindOfFile[code] : undefined);
}

/** SQLite does not say why a write failed. */
function kindOfProbe(folder: string): Kind {
  try {
    closeSync(openSync(join(folder, probeName), "w", 0o600));
    rmSync(join(folder, probeName), { force: true });
    return "failing";
  } catch (error) {
    return kindOf(error) ?? "failing";
  }
}

function refusal(kind: Kind, cause: unknown): Error {
  return fail("overloaded", `${says[kind]} Try again later.`, { retry_after: retryAfterSeconds }, cause);
}

function begin(folder: string, kind: Kind, error: unknown): void {
  const known = troubles.get(folder);
  // A disk that fails was slow before; the operator needs the worse news.
  if (known && (known.kind !== "slow" || kind === "slow")) return;
  troubles.set(folder, { kind, since: known?.since ?? Date.now(), error });
  if (!known) setTimeout(() => void lookAgain(folder), lookAgainMs).unref();
  for (const listener of listeners) listener({ is: "failed", folder, kind, error });
}

/** Ends the episode when the folder takes a file in time. */
async function lookAgain(folder: string): Promise<void> {
  const began = performance.now();
  const isWell = await takesFile(folder);
  const trouble = troubles.get(folder);
  if (!trouble) return;
  if (!isWell || performance.now() - began > slowMs) {
    setTimeout(() => void lookAgain(folder), lookAgainMs).unref();
    return;
  }
  troubles.delete(folder);
  last = { kind: trouble.kind, endedAt: Date.now() };
  const seconds = Math.round((Date.now() - trouble.since) / 1000);
  for (const listener of listeners) listener({ is: "recovered", folder, kind: trouble.kind, seconds });
}

async function takesFile(folder: string): Promise<boolean> {
  const path = join(folder, probeName);
  try {
    const file = await open(path, "w", 0o600);
    try {
      await file.writeFile(Buffer.alloc(probeBytes));
      await file.sync();
    } finally {
      await file.close();
    }
    return true;
  } catch {
    // What the episode is about was told at its beginning.
    return false;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

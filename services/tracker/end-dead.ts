import { setTimeout as pause } from "node:timers/promises";
import type { Bearer } from "./bearer.ts";
import { endJoinLeases } from "./joins/lease-join.ts";
import { endLeases } from "./lease.ts";
import type { TrackerRoom } from "./room.ts";

/** Milliseconds. That a process is dead is known some 10 s after its death. */
const everyMs = 3000;

export interface Watch {
  signal: AbortSignal;
  /** Told that something has come free. */
  onFreed(): void;
  onError(error: unknown): void;
}

/** Ends what was leased to processes that have died, again and again until the signal. */
export async function watchForDead(room: TrackerRoom, bearer: Bearer, watch: Watch): Promise<void> {
  const { signal, onFreed, onError } = watch;
  while (!signal.aborted) {
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      if ((await endDead(room, bearer)) > 0) onFreed();
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }
}

/** Tells how many they were. Where one process has the store to itself, all before it are dead. */
export function endDead(room: TrackerRoom, bearer: Bearer): Promise<number> {
  return bearer.endDead(id => endAll(room, id));
}

/** Ends the life of this process, so that another takes over at once. */
export function endOwn(room: TrackerRoom, bearer: Bearer): Promise<void> {
  return bearer.end(id => endAll(room, id));
}

async function endAll(room: TrackerRoom, bearer: string): Promise<void> {
  await endLeases(room, bearer);
  await endJoinLeases(room, bearer);
}

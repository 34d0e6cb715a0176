import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Erasing, EventsToErase } from "./event-log.ts";
import type { SealedLog } from "./sealed/sealed-log.ts";

/** Erases, or counts, in the next bodies or segments after a place; `last` is null at the end. */
type Slice = (after: string) => Promise<{ found: number; last: string | null }>;

/** The parts of a log, as cursors name them. */
const [hotPart, sealedPart] = ["hot ", "sealed "];

/**
 * Erases in the hot part, and then in the sealed one: what is sealed meanwhile is erased already, or is looked at after it.
 * A call ends after its time, at the end of a slice.
 */
export async function eraseInParts(
  hot: Slice,
  sealed: Pick<SealedLog, "erase" | "removeUnsealed"> | undefined,
  wanted: EventsToErase,
  { cursor, dry, forMs }: Erasing,
): Promise<{ found: number; next: string | null }> {
  const until = performance.now() + forMs;
  let isSealed = cursor.startsWith(sealedPart);
  let after = cursor.slice((isSealed ? sealedPart : hotPart).length);
  for (let found = 0; ; await yieldToLoop()) {
    const slice = isSealed ? await sealed?.erase(wanted, after, dry) : await hot(after);
    found += slice?.found ?? 0;
    const last = slice?.last ?? null;
    if (last === null && (isSealed || !sealed)) return { found, next: null };
    // A segment that was planned with what was there before is written anew.
    if (last === null) await sealed?.removeUnsealed();
    isSealed ||= last === null;
    after = last ?? "";
    if (performance.now() >= until) return { found, next: `${isSealed ? sealedPart : hotPart}${after}` };
  }
}

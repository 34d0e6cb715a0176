import type { BatchLimits } from "./delivery-options.ts";
import { faultsOf, type Lane, type PendingEvent } from "./lane.ts";
import { BatchPacker, type LaneView, merged, type SendUnit, untouched } from "./send-units.ts";

/*
 * Lanes that write files. One file is written at a time, and each holds what follows the one before. A file is written down
 * before it is written: an attempt that is repeated, after a kill or a failure, has the same name and replaces what the one
 * before has left.
 */

/** The largest files, unless their owner chooses otherwise. */
export const fileBatch: BatchLimits = { max_events: 1_000, max_wait_ms: 60_000 };

const oneEach: BatchLimits = { max_events: 1, max_wait_ms: 0 };

/** The next file of a lane, due or not; none while one is being written. */
export function* fileUnitsOf(
  lane: Lane,
  view: LaneView,
  { batch }: { batch: BatchLimits | null },
): Iterable<SendUnit> {
  if (view.underWay.size > 0) return;
  const packer = new BatchPacker(batch ?? oneEach);
  const events = merged(lane.retries, untouched(lane, view.fresh, new Set()));
  let end: number | undefined;
  for (const event of events) {
    end ??= endFor(lane, event.seq);
    const unit = event.seq > end ? packer.rest(true) : packer.add(event);
    if (!unit) continue;
    yield asRetried(lane, unit);
    return;
  }
  const last = packer.rest(view.more || end !== Number.POSITIVE_INFINITY);
  if (last) yield asRetried(lane, last);
}

/** The last `seq` that a file which begins with this one may hold: a planned one keeps its end, and a replay has files of its own. */
function endFor({ file, replayedTo = 0 }: Lane, first: number): number {
  if (file && first <= file.to) return file.to;
  return first <= replayedTo ? replayedTo : Number.POSITIVE_INFINITY;
}

/** The unit with the failures of its events. */
function asRetried({ retries }: Lane, unit: SendUnit): SendUnit {
  if (retries.length === 0) return unit;
  const seqs = new Set(unit.events.map(({ seq }) => seq));
  const again = retries.filter(({ seq }) => seqs.has(seq));
  if (again.length === 0) return unit;
  return {
    events: unit.events,
    failures: Math.max(...again.map(faultsOf)),
    dueAt: Math.max(...again.map(({ notBefore }) => notBefore)),
    waitMs: 0,
  };
}

/** The lane with the file that these events are written to. One that is planned keeps its name. */
export function planFile(lane: Lane, events: readonly PendingEvent[], at: number): Lane {
  const [from, to] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0];
  const { file } = lane;
  return { ...lane, file: file && from <= file.to ? { ...file, to } : { from, to, at } };
}

/** The digits of a `seq` in a name, so that names sort as their events do. */
const digits = 12;

/**
 * The path of a planned file, below what its owner has named. The endpoint's id keeps files of endpoints apart that write to one
 * place; what a replay repeats has a folder of its own.
 */
export function filePath({ file, replayedTo = 0, replayedAt = 0 }: Lane, webhookId: string): string {
  if (!file) throw new Error("No file is planned");
  const name = fileName(file.from, webhookId);
  if (file.from <= replayedTo) return `replays/${stamp(replayedAt)}/${name}`;
  return `${new Date(file.at).toISOString().slice(0, 10).replaceAll("-", "/")}/${name}`;
}

/** The path of one event that somebody has sent again by hand. */
export function filePathAlone(seq: number, webhookId: string, now: number): string {
  return `replays/${stamp(now)}/${fileName(seq, webhookId)}`;
}

function fileName(seq: number, webhookId: string): string {
  return `${String(seq).padStart(digits, "0")}-${webhookId.slice(0, 8)}.ndjson`;
}

function stamp(time: number): string {
  return new Date(time).toISOString().replace(/[-:]/g, "");
}

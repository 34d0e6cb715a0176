import { randomUUID } from "node:crypto";
import { atOnce, type Steps, type StoredSource, type TrackerRoom } from "./room.ts";

/** A loss of power ends the process that holds a lease, and so the lease: there is nothing to wait for the disk for. */
const survives = "end of process";

/** Longer than any poll takes: one whose lease ends has died. */
export const leaseMs = 90_000;

/** A source whose poll belongs to the bearer of its token. */
export type LeasedSource = StoredSource & { lease: string };

/** Takes at most `max` of the sources that are due, the longest overdue first. */
export function leaseDue(room: TrackerRoom, max: number): Promise<LeasedSource[]> {
  const take = (steps: Steps) => {
    const query = { dueAt: { $lte: room.now() } };
    return steps.sources.find({ query, sort: ["dueAt"], limit: max }).map(due => lease(room, steps, due));
  };
  return atOnce(room, take, survives);
}

/** Takes one source, due or not; null when it is being polled or gone. */
export function leaseOne(room: TrackerRoom, id: string): Promise<LeasedSource | null> {
  const take = (steps: Steps) => {
    const source = steps.sources.findById(id);
    const isFree = source && (source.lease === undefined || source.dueAt <= room.now());
    return isFree ? lease(room, steps, source) : null;
  };
  return atOnce(room, take, survives);
}

/** When the next source is due, in milliseconds; null without sources. */
export async function nextDueAt({ sources }: TrackerRoom): Promise<number | null> {
  const [next] = await sources.find({ sort: ["dueAt"], limit: 1 });
  return next?.dueAt ?? null;
}

/** Puts a poll off that could not be made; the source has no part in it. */
export async function handBack(
  room: TrackerRoom,
  { _id, lease }: LeasedSource,
  dueAt: number,
): Promise<void> {
  const putOff = ({ sources }: Steps) => {
    if (sources.findById(_id)?.lease === lease)
      sources.updateById(_id, { $set: { dueAt }, $unset: { lease: true } });
  };
  await atOnce(room, putOff, survives);
}

/** Ends the leases that a process which died has left. The embedded store has one process, so at its start all are. */
export async function endLeases({ sources, now }: TrackerRoom): Promise<void> {
  await sources.updateMany({ lease: { $gt: "" } }, { $set: { dueAt: now() }, $unset: { lease: true } });
}

function lease({ now }: TrackerRoom, { sources }: Steps, source: StoredSource): LeasedSource {
  const token = randomUUID();
  sources.updateById(source._id, { $set: { lease: token, dueAt: now() + leaseMs } });
  return { ...source, lease: token };
}

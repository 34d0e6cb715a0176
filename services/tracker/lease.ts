import { tokensOf } from "./bearer.ts";
import { atOnce, type Steps, type StoredSource, type TrackerRoom } from "./room.ts";

/** A loss of power ends the process that holds a lease, and so the lease: there is nothing to wait for the disk for. */
const survives = "end of process";

/** Longer than any poll takes: one whose lease ends has died. */
export const leaseMs = 90_000;

/** Sources that are taken in one go. */
const share = 64;
/** Of so many times as many others may take some at the same moment, so that each picks by chance. */
const choice = 4;
/** Milliseconds by which processes that wait for the same source look apart: whoever comes first takes it. */
const apartMs = 100;

/** A source whose poll belongs to the bearer of its token. */
export type LeasedSource = StoredSource & {
  lease: string;
  /** Milliseconds, by the clock of the wall, as the log has it. */
  leaseUntil: number;
};

/** Takes at most `max` of the sources that are due, about the longest overdue first, and not all of very many. */
export async function leaseDue(room: TrackerRoom, max: number): Promise<LeasedSource[]> {
  if (room.tokens.next() === null) return [];
  const { isShared } = room.sources;
  const wanted = Math.min(max, share);
  const query = { dueAt: { $lte: room.now() } };
  const limit = isShared ? wanted * choice : wanted;
  const due = await room.sources.find({ query, sort: ["dueAt"], limit });
  const picked = isShared ? picks(due, wanted, room.random) : due;
  return allLeased(picked.map(({ _id }) => leaseOne(room, _id, isDue)));
}

/**
 * Takes one source that is wanted, unless it is being polled or gone, or this process may not. Each is a transaction of
 * its own, which touches one document.
 */
export function leaseOne(
  room: TrackerRoom,
  id: string,
  isWanted: (source: StoredSource, now: number) => boolean = () => true,
): Promise<LeasedSource | null> {
  return atOnce(
    room,
    steps => {
      const source = steps.sources.findById(id);
      const token = room.tokens.next();
      const isOurs = source && isIdle(source, room.now()) && isWanted(source, room.now());
      return isOurs && token !== null ? lease(room, steps, source, token) : null;
    },
    survives,
  );
}

/** When to look for the next source that is due, in milliseconds; null without sources. */
export async function nextDueAt({ sources, random }: TrackerRoom): Promise<number | null> {
  const [next] = await sources.find({ sort: ["dueAt"], limit: 1 });
  return next ? next.dueAt + (sources.isShared ? Math.floor(random() * apartMs) : 0) : null;
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

/** Ends the leases of a bearer that is no more. */
export async function endLeases({ sources, now }: TrackerRoom, bearer: string): Promise<void> {
  await sources.updateMany({ lease: tokensOf(bearer) }, { $set: { dueAt: now() }, $unset: { lease: true } });
}

/** Those that another took first are left out. Rejects when none could be asked for: what was leased is to be polled. */
export async function allLeased<Leased>(leasing: Promise<Leased | null>[]): Promise<Leased[]> {
  const outcomes = await Promise.allSettled(leasing);
  const failed = outcomes.find(({ status }) => status === "rejected");
  const leased = outcomes.flatMap(each =>
    each.status === "fulfilled" && each.value !== null ? each.value : [],
  );
  if (leased.length === 0 && failed) throw (failed as PromiseRejectedResult).reason;
  return leased as Leased[];
}

function picks<Item>(items: Item[], count: number, random: () => number): Item[] {
  const drawn = items.map(item => ({ item, lot: random() })).sort((a, b) => a.lot - b.lot);
  return drawn.slice(0, count).map(({ item }) => item);
}

function isDue({ dueAt }: StoredSource, now: number): boolean {
  return dueAt <= now;
}

function isIdle({ lease, dueAt }: StoredSource, now: number): boolean {
  return lease === undefined || dueAt <= now;
}

function lease({ now }: TrackerRoom, { sources }: Steps, source: StoredSource, token: string): LeasedSource {
  sources.updateById(source._id, { $set: { lease: token, dueAt: now() + leaseMs } });
  return { ...source, lease: token, leaseUntil: Date.now() + leaseMs };
}

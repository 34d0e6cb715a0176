import { type MonitorCheck, type MonitorCounts, pageStates } from "../../contracts/monitors.contract.ts";
import type { Platforms } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { type Asking, askMember } from "./ask-member.ts";
import { checkOf } from "./checks.ts";
import { leave } from "./forget.ts";
import type { RunningCheck, StoredCheck, StoredMember, StoredMonitor } from "./monitors.store.ts";
import { endMember } from "./read-member.ts";
import { isoTime } from "./shown.ts";
import { takeOver } from "./tell-pages.ts";

/** A check that has ended, or when it is looked at again. */
type Advanced = { ended: StoredCheck; againInMs: 0 } | { ended?: undefined; againInMs: number };

/** A check is over after this time whatever happens, in milliseconds: what has not ended by then has failed. */
const longestMs = 24 * 3_600_000;
/** Members that are asked at a time, and for how long (ms): a step ends long before its lease does. */
const [askedTogether, askMs] = [8, 30_000];

/**
 * Advances a check: asks for a poll of each of its sources, takes over what polls have found, and ends the check when each
 * source has been polled.
 */
export async function advance(
  context: TrackerContext,
  monitor: StoredMonitor,
  running: RunningCheck,
  platforms: Platforms,
): Promise<Advanced> {
  const all = await context.members.find({ query: { monitorId: monitor._id }, sort: ["_id"] });
  for (const member of all.filter(({ isStale }) => isStale)) await leave(context, member);
  const members = all.filter(({ isStale }) => !isStale);
  const isLate = context.now() - running.startedAt > longestMs;
  if (!isLate) await askAll({ context, monitor, checkId: running.id, platforms }, members);
  await takeOver(context, monitor, running.id);
  const open = (await waiting(context, monitor._id, running.id)).filter(
    ({ askedFor }) => isLate || askedFor === running.id,
  );
  for (const member of open) await endMember(context, monitor, running.id, member, isLate);
  await takeOver(context, monitor, running.id);
  const left = await waiting(context, monitor._id, running.id);
  if (left.length > 0) return { againInMs: pause(context.now() - running.startedAt) };
  return { ended: await endOf(context, monitor, running), againInMs: 0 };
}

/** Milliseconds until it is looked at again: soon at first, and more seldom the longer it takes. */
function pause(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 10, 200), 10_000);
}

/** The members that have not ended in this check. */
async function waiting(
  { members }: Pick<TrackerContext, "members">,
  monitorId: string,
  checkId: string,
): Promise<StoredMember[]> {
  const all = await members.find({ query: { monitorId, isStale: null }, sort: ["_id"] });
  return all.filter(({ doneFor }) => doneFor !== checkId);
}

/** Asks for those that were not asked yet, a bounded number at a time and for a bounded time. */
async function askAll(asking: Asking, members: StoredMember[]): Promise<void> {
  const { context, checkId } = asking;
  const until = context.now() + askMs;
  const rest = members
    .filter(({ askedFor, doneFor }) => askedFor !== checkId && doneFor !== checkId)
    .values();
  const ask = async () => {
    for (const member of rest) {
      if (context.now() >= until || context.closing.aborted) return;
      await askMember(asking, member);
    }
  };
  await Promise.all(Array.from({ length: askedTogether }, ask));
}

/** The check at its end, with counts of what it found. It is not stored yet. */
async function endOf(
  context: TrackerContext,
  monitor: StoredMonitor,
  running: RunningCheck,
): Promise<StoredCheck> {
  const before = (await context.checks.findById(running.id)) ?? checkOf(monitor, running);
  if (before.ended_at !== null) return before;
  const { pages, same, ...others } = await countPages(context, running.id);
  const unlisted = await sameOfSites(context, monitor._id, running.id);
  const counts = { ...others, pages: pages + unlisted, same: same + unlisted };
  const ended_at = isoTime(context.now());
  return { ...before, counts, status: statusOf(counts), ended_at, error: errorOf(counts) };
}

async function countPages({ pages }: Pick<TrackerContext, "pages">, checkId: string): Promise<MonitorCounts> {
  const states = await Promise.all(
    pageStates.map(async status => [status, await pages.count({ checkId, status })] as const),
  );
  const counts = Object.fromEntries(states) as Omit<MonitorCounts, "pages">;
  return { ...counts, pages: states.reduce((total, [, number]) => total + number, 0) };
}

/** Pages of sites that are the same, which are counted and not listed. */
async function sameOfSites(
  { members }: Pick<TrackerContext, "members">,
  monitorId: string,
  checkId: string,
): Promise<number> {
  const all = await members.find({ query: { monitorId, isStale: null } });
  return all.reduce((total, { doneFor, same = 0 }) => total + (doneFor === checkId ? same : 0), 0);
}

function statusOf({ pages, failed }: MonitorCounts): MonitorCheck["status"] {
  if (failed === 0) return "completed";
  return failed < pages ? "partial" : "failed";
}

function errorOf({ failed, pages }: MonitorCounts): string | null {
  return failed === 0 ? null : `${failed} of ${pages} pages could not be read.`;
}

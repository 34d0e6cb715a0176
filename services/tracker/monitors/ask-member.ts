import { unsealFields } from "../../../mixins/clients/job-vault.ts";
import { codeOf } from "../../contracts/errors.ts";
import { monitorTag } from "../../contracts/monitors.contract.ts";
import {
  viewRecord,
  type WatchChanges,
  type WatchOptions,
  watchOptions,
} from "../../contracts/watch.contract.ts";
import { isUnavailable, type Platforms, refusal } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { ownAmong, type Tracking } from "../tracking/subscribe.ts";
import { watch } from "../watches/watch.ts";
import type { StoredMember, StoredMonitor } from "./monitors.store.ts";
import { noteEnd, statusOf } from "./read-member.ts";

/** What asks for the sources of a check. */
export interface Asking {
  context: TrackerContext;
  monitor: StoredMonitor;
  checkId: string;
  platforms: Platforms;
}

/**
 * Asks for a poll of one source of a check; tracks it before, where it is not tracked, or not as the monitor wants it now.
 * What is tracked for the first time has been read by that, and is new. A site is then read by its polls.
 */
export async function askMember(asking: Asking, member: StoredMember): Promise<void> {
  const { context, monitor, checkId } = asking;
  if (member.sourceId !== undefined && member.revision === monitor.revision) {
    if (await askSource(context, checkId, member)) return;
    // Somebody has ended its tracking.
  }
  try {
    const { source, isNew } = await trackMember(asking, member);
    const { _id: sourceId } = source;
    const tracked = { ...member, sourceId, revision: monitor.revision };
    await context.members.update(member._id, {
      $set: { sourceId, revision: monitor.revision },
      $unset: { tries: true },
    });
    if (isNew && member.kind !== "site")
      await noteEnd(context, monitor, checkId, tracked, "new", statusOf(source));
    else await askSource(context, checkId, tracked);
  } catch (error) {
    await failedToTrack(asking, member, error);
  }
}

/** Makes a source due now. False when it is not tracked any more. */
async function askSource(
  { sources, members, subscriptions, now }: TrackerContext,
  checkId: string,
  { _id, keyId, sourceId = "" }: StoredMember,
): Promise<boolean> {
  const source = await sources.findById(sourceId);
  if (!source || !(await subscriptions.findOne({ keyId, sourceId }))) return false;
  const at = now();
  await sources.change(sourceId, current =>
    // A poll under way is the one that was asked for.
    current && current.lease === undefined
      ? { ...current, dueAt: Math.min(current.dueAt, at), askedAt: at }
      : undefined,
  );
  // Last: what a process has noted as asked for is due, if it dies here as well.
  await members.update(_id, { $set: { askedFor: checkId, polledBefore: source.polledAt } });
  return true;
}

async function trackMember(
  { context, monitor, platforms }: Asking,
  { kind, sid, target }: StoredMember,
): Promise<Pick<Tracking, "source" | "isNew">> {
  const { keyId, limits, _id: id, retentionDays, goal, judge, targets } = monitor;
  const kept = targets.find(each => each.id === target)?.options ?? {};
  const named = await unsealFields(context.vault, viewRecord(keyId), kept);
  const options = { ...named, ...(goal !== undefined && judge && { goal }), paused: true };
  const own = ownAmong({ tags: [monitorTag(id)], keep: { days: retentionDays } });
  const tracker = { keyId, limits, monitor: id, ...own };
  return await watch(context, tracker, { kind, sid, options: complete(options) }, platforms);
}

/** The options, and null for each that is not named: a source is read as the monitor wants it, whatever it was before. */
function complete(options: WatchOptions): WatchChanges {
  const {
    tags: _tags,
    keep: _keep,
    ...all
  } = Object.fromEntries(Object.keys(watchOptions.props).map(name => [name, null])) as WatchChanges;
  return { ...all, ...options };
}

/** Tries of a source in one check, while the network or this installation is to blame. */
const mostTries = 20;

async function failedToTrack(
  { context, monitor, checkId }: Asking,
  member: StoredMember,
  error: unknown,
): Promise<void> {
  const { tries = 0 } = member;
  const isOurs = refusal(error) === null && (isUnavailable(error) || codeOf(error) === "overloaded");
  if (isOurs && tries < mostTries) {
    await context.members.update(member._id, { $inc: { tries: 1 } });
    return;
  }
  if (codeOf(error) === undefined) context.onMonitorError(monitor._id, error);
  const reason = codeOf(error) === undefined ? "Something went wrong here." : (error as Error).message;
  await context.members.update(member._id, { $unset: { tries: true } });
  await noteEnd(context, monitor, checkId, member, "failed", { error: reason });
}

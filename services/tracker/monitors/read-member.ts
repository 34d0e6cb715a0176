import type { PageState } from "../../contracts/monitors.contract.ts";
import { problemOf } from "../../domain/polling/source-problem.ts";
import type { TrackerContext } from "../context.ts";
import { addressOf, type StoredSource } from "../sources.store.ts";
import type { StoredMember, StoredMonitor, StoredPage } from "./monitors.store.ts";
import { pageOf } from "./pages.ts";
import { countSite } from "./site-member.ts";
import { tellPages } from "./tell-pages.ts";

/** Ends a member in a check when its source has been polled, with all that goes on from there. */
export async function endMember(
  context: TrackerContext,
  monitor: StoredMonitor,
  checkId: string,
  member: StoredMember,
  isLate: boolean,
): Promise<void> {
  const { sourceId = "", polledBefore = 0 } = member;
  const source = await context.sources.findById(sourceId);
  if (source && isPolled(source, polledBefore)) {
    await noteSource(context, monitor, checkId, member, source);
    return;
  }
  if (!source)
    await noteEnd(context, monitor, checkId, member, "failed", { error: "It is no longer tracked." });
  else if (isLate)
    await noteEnd(context, monitor, checkId, member, "failed", { error: "It was not read within a day." });
}

/** Whether it was polled since then, and no further poll goes on with that one. */
function isPolled({ polledAt, asked, askedAt = 0, more }: StoredSource, before: number): boolean {
  return polledAt > before && polledAt >= askedAt && !asked && !more;
}

async function noteSource(
  context: TrackerContext,
  monitor: StoredMonitor,
  checkId: string,
  member: StoredMember,
  source: StoredSource,
): Promise<void> {
  const { title, ...seen } = { title: source.name, ...statusOf(source) };
  if (source.failures > 0) {
    const error = source.problem?.reason ?? problemOf(source) ?? "It could not be read.";
    await noteEnd(context, monitor, checkId, member, "failed", { ...seen, title, error });
    return;
  }
  await noteEnd(context, monitor, checkId, member, member.isKnown ? "same" : "new", { ...seen, title });
}

/** What is known of a source's last check, for the page that it is. */
export function statusOf({
  problem,
  run,
  version,
}: StoredSource): Pick<StoredPage, "httpStatus" | "version"> {
  const status = problem?.status ?? run?.status;
  return { ...(status !== undefined && { httpStatus: status }), ...(version !== undefined && { version }) };
}

/**
 * Ends a member in a check. Where its polls have found no page that differs, one says what became of the whole. A search has
 * results alone, so it is listed only where it failed.
 */
export async function noteEnd(
  context: TrackerContext,
  monitor: StoredMonitor,
  checkId: string,
  member: StoredMember,
  status: PageState,
  found: Partial<StoredPage> = {},
): Promise<void> {
  if (status === "failed" || (member.kind === "web" && !(await hasPages(context, checkId, member)))) {
    const source = member.sourceId === undefined ? null : await context.sources.findById(member.sourceId);
    const url = source ? addressOf(source).externalId : member.sid;
    const title = source?.name ?? null;
    const page = pageOf(member, `${checkId}/${member._id}`, {
      title,
      ...found,
      url,
      status,
      at: context.now(),
    });
    // Its time is that of the first try, so that a repeat makes the same event.
    const noted = (await context.pages.change(page._id, known => known ?? page)) ?? page;
    if (noted.checkId === undefined) {
      await tellPages(context, monitor, checkId, [noted]);
      await context.pages.update(page._id, { $set: { checkId } });
    }
  }
  const isRead = status !== "failed";
  const same = isRead && member.kind === "site" ? await countSite(context, monitor, checkId, member) : 0;
  const known = isRead ? { isKnown: true as const } : {};
  await context.members.update(member._id, { $set: { doneFor: checkId, same, ...known } });
}

async function hasPages(
  { pages }: Pick<TrackerContext, "pages">,
  checkId: string,
  { _id: memberId, monitorId }: StoredMember,
): Promise<boolean> {
  const query = { monitorId, memberId, checkId: { $in: [checkId, null] } };
  return (await pages.findOne(query)) !== null;
}

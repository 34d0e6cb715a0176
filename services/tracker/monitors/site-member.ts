import type { TrackerContext } from "../context.ts";
import type { StoredMember, StoredMonitor, StoredPage } from "./monitors.store.ts";
import { pageOf } from "./pages.ts";
import { tellPages } from "./tell-pages.ts";

/**
 * What a check says of a site beside its news: in its first check each page is new; later those that are the same are counted
 * and not listed. Answers how many. A repeat finds what is there already.
 */
export async function countSite(
  context: TrackerContext,
  monitor: StoredMonitor,
  checkId: string,
  member: StoredMember,
): Promise<number> {
  let there = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { urls, next } = await context.sitePages(monitor, member.sourceId ?? "", cursor);
    if (!member.isKnown) await addNew(context, monitor, checkId, member, urls);
    there += urls.length;
    cursor = next;
  }
  if (!member.isKnown) return 0;
  const { _id: memberId } = member;
  const listed = await context.pages.count({
    checkId,
    memberId,
    status: { $in: ["new", "changed", "moved"] },
  });
  return Math.max(there - listed, 0);
}

async function addNew(
  context: TrackerContext,
  monitor: StoredMonitor,
  checkId: string,
  member: StoredMember,
  found: { url: string; title: string }[],
): Promise<void> {
  const at = context.now();
  const pages: StoredPage[] = [];
  for (const { url, title } of found) {
    const page = pageOf(member, `${checkId}/${member._id}/${url}`, { url, title, status: "new", at });
    // Its time is that of the first try, so that a repeat makes the same event.
    const noted = (await context.pages.change(page._id, known => known ?? { ...page, checkId })) ?? page;
    pages.push(noted);
  }
  await tellPages(context, monitor, checkId, pages);
}

import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Source } from "../../contracts/source.ts";
import type { TrackerContext } from "../context.ts";
import { publicSource, type StoredSource } from "../sources.store.ts";
import { pageEvent } from "./events.ts";
import type { StoredMonitor, StoredPage } from "./monitors.store.ts";
import { shownPage } from "./pages.ts";

/** Pages that are taken over at a time. */
const slice = 200;

/** Gives the check what polls have found, after the events of these pages are in the log. */
export async function takeOver(
  context: TrackerContext,
  monitor: StoredMonitor,
  checkId: string,
): Promise<void> {
  for (;;) {
    const query = { monitorId: monitor._id, checkId: null };
    const found = await context.pages.find({ query, limit: slice });
    if (found.length > 0) await tellPages(context, monitor, checkId, found);
    const ids = found.map(({ _id }) => _id);
    if (ids.length > 0) await context.pages.updateMany({ _id: { $in: ids } }, { $set: { checkId } });
    if (found.length < slice) return;
    await yieldToLoop();
  }
}

/** Appends an event for each page, where the monitor has them. */
export async function tellPages(
  context: TrackerContext,
  monitor: StoredMonitor,
  checkId: string,
  pages: StoredPage[],
): Promise<void> {
  if (!monitor.pageEvents) return;
  const ids = [...new Set(pages.flatMap(({ sourceId }) => sourceId ?? []))];
  const sources = await context.sources.find({ query: { _id: { $in: ids } } });
  const bySource = new Map<string, Source>(
    sources.map((source: StoredSource) => [source._id, publicSource(source)]),
  );
  const events = pages.map(page =>
    pageEvent(monitor, checkId, shownPage(page), bySource.get(page.sourceId ?? "") ?? null),
  );
  await context.log.append(events);
}

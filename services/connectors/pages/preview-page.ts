import type { PagePicture } from "../../contracts/page-reads.contract.ts";
import type { View, ViewPreview } from "../../contracts/watch.contract.ts";
import type { FeedItem } from "../../domain/feed/feed.ts";
import { emptyText, firstBytes } from "../../domain/page-diff/compare-page.ts";
import type { Snapshot } from "../../domain/watch/snapshot.ts";
import { type Aim, type ConnectorTools, type Previewed, type Remembered, readingOf } from "../connector.ts";
import { toListPreview } from "../feeds/resolve-feed.ts";
import { pageState } from "./page-state.ts";
import { learnedBy, readView } from "./poll-page.ts";
import { accepted, findAddress, ofTarget } from "./resolve-page.ts";

/** The most bytes of a text that is shown. */
const maxShown = 20 * 1024;

/** A page as a watch sees it now, compared with what the key's own watch of it remembers. */
export async function previewPage(sid: string, tools: ConnectorTools, aim: Aim = {}): Promise<Previewed> {
  const found = await findAddress(sid, tools, aim);
  if ("feed" in found) return await toListPreview(found.feed, tools);
  const { view = {}, withPage = false, withPicture = false } = aim;
  const remembered = (await aim.remembered?.(found.url)) ?? { reason: noEarlier };
  const { job, snapshot } = await snapshotThrough(found.url, { view, withPage, remembered }, tools);
  const { markdown, title, url } = accepted(
    readView(job, { ok: true, ...emptyText, lines: [], rest: "", ignored: 0 }),
  );
  const shown = Object.keys(view).length > 0 && snapshot.ok ? snapshot.text : markdown;
  const text = firstBytes(shown, maxShown);
  const listed = snapshot.ok && snapshot.list;
  const notice = listed
    ? { notice: `${listed.items.length} entries are found by \`${listed.selector}\`.` }
    : text.length < shown.length && { notice: "The text is cut at 20 KB." };
  return {
    source: "WEB",
    name: title || new URL(url).host,
    url: found.url,
    text,
    items: listed ? listed.items.slice(0, maxListed).map(shownItem) : null,
    view: await previewOf(snapshot, { url: found.url, view, title, remembered }, tools),
    outline: snapshot.outline ?? null,
    ...(withPicture && { picture: await pictureOf(found.url, snapshot, view, tools) }),
    ...notice,
  };
}

/** Entries of a list that are shown. */
const maxListed = 50;

function shownItem({ title, url, date_published }: FeedItem) {
  return { title: title ?? null, url: url ?? null, published_at: date_published ?? null };
}

/** Null where no browser shows the page: its parts can be pointed at without a picture. */
async function pictureOf(
  url: string,
  snapshot: Snapshot,
  view: View,
  { picturePage }: ConnectorTools,
): Promise<PagePicture | null> {
  if (view.method === "POST") return null;
  // A picture is a browser's, whatever reads the text.
  const { render: _, ...how } = readingOf(view);
  return (await picturePage?.(url, selectorsIn(snapshot, view), how).catch(() => null)) ?? null;
}

/** What a person may point at, and what the watch has chosen, which comes first: the work is bounded. */
function selectorsIn({ outline = [] }: Snapshot, { select = [], remove = [] }: View): string[] {
  const parts = outline.map(({ selector }) => selector);
  const around = outline.flatMap(({ within }) => within.map(({ selector }) => selector));
  return [...new Set([...select, ...remove, ...parts, ...around])];
}

const noEarlier = "There is no earlier check to compare with";

async function snapshotThrough(
  url: string,
  { view, withPage, remembered }: { view: View; withPage: boolean; remembered: Remembered },
  tools: ConnectorTools,
) {
  const wanted = { view, outline: withPage, ...learnedBy(remembered.state ?? {}) };
  const asked = { ...readingOf(view), views: [wanted], withMarkdown: true };
  const { job, snapshots } = await tools.scrapePage(url, asked).catch(error => {
    throw ofTarget(error);
  });
  const snapshot: Snapshot = snapshots?.[0] ?? { ok: false, reason: "The page has no content." };
  return { job, snapshot };
}

interface Compared {
  url: string;
  view: View;
  title: string;
  remembered: Remembered;
}

/** What the view sees, and whether a poll now would report it. */
async function previewOf(
  snapshot: Snapshot,
  { url, view, title, remembered }: Compared,
  tools: ConnectorTools,
): Promise<ViewPreview> {
  if (!snapshot.ok)
    return {
      ...{ text: "", fields: null, lines_ignored: 0, would_fire: false, why: snapshot.reason },
      change: null,
    };
  const { fields = null, ignored } = snapshot;
  const { state = {}, reason = noEarlier } = remembered;
  const seen = { state: pageState(state), snapshot, view, title, reason, at: tools.now() };
  const text = firstBytes(snapshot.text, maxShown);
  const list = snapshot.list && {
    list: { selector: snapshot.list.selector, count: snapshot.list.items.length },
  };
  return { text, fields, lines_ignored: ignored, ...list, ...(await tools.foreseeSnapshot(url, seen)) };
}

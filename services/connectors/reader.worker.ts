/** Runs in worker threads: what a site sends would block everything else. Each task loads what it needs. */
import { serveTasks } from "../../mixins/runtime/thread-worker.ts";
import type { ItemNews } from "../domain/feed/compare-feed.ts";
import type { FeedDocument } from "../domain/feed/digest-feed.ts";
import type { SitemapDocument } from "../domain/feed/digest-sitemap.ts";
import type { FoundPage } from "../domain/feed/feed.ts";
import type { FetchedHtml } from "../domain/feed/known-feeds.ts";
import type { View } from "../domain/watch/view.ts";
import type { PolledSnapshot, PreviewedSnapshot } from "./pages/page-state.ts";

const tasks = {
  digestFeed: async (document: FeedDocument) =>
    (await import("../domain/feed/digest-feed.ts")).digestFeed(document),
  digestSitemap: async (document: SitemapDocument) =>
    (await import("../domain/feed/digest-sitemap.ts")).digestSitemap(document),
  listSitemap: async (body: Uint8Array) => (await import("./sites/list-sitemap.ts")).listSitemap(body),
  feedLinksIn: async (page: FetchedHtml) => (await import("../domain/feed/known-feeds.ts")).feedLinksIn(page),
  countingNews: async ({ news, view }: { news: ItemNews[]; view: View }) =>
    (await import("../domain/feed/compare-feed.ts")).countingNews(news, view),
  fullItems: async (found: FoundPage[]) => (await import("./feeds/full-item.ts")).fullItems(found),
  itemVersions: async (news: ItemNews[]) => (await import("./feeds/item-versions.ts")).itemVersions(news),
  compareSnapshot: async (snapshot: PolledSnapshot) =>
    (await import("./pages/page-state.ts")).compareSnapshot(snapshot),
  foreseeSnapshot: async (snapshot: PreviewedSnapshot) =>
    (await import("./pages/page-state.ts")).foreseeSnapshot(snapshot),
};

export type ReaderTasks = typeof tasks;

export default serveTasks(tasks);

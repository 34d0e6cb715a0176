import type { ConnectorTools } from "../../services/connectors/connector.ts";
import { itemVersions } from "../../services/connectors/feeds/item-versions.ts";
import { compareSnapshot, foreseeSnapshot } from "../../services/connectors/pages/page-state.ts";
import { fail } from "../../services/contracts/errors.ts";
import { countingNews } from "../../services/domain/feed/compare-feed.ts";
import { feedLinksIn } from "../../services/domain/feed/known-feeds.ts";

/** Does here what the tools of connectors do in threads. No page is known: each is read. */
export const threadless: Pick<
  ConnectorTools,
  "revisitPage" | "itemVersions" | "compareSnapshot" | "foreseeSnapshot" | "countingNews" | "feedLinksIn"
> = {
  revisitPage: async url => Promise.reject(fail("internal_error", `Nothing is known of ${url}.`)),
  itemVersions: async (_url, news) => itemVersions(news),
  compareSnapshot: async (_url, look) => compareSnapshot(look),
  foreseeSnapshot: async (_url, look) => foreseeSnapshot(look),
  countingNews: async (_url, news, view) => countingNews(news, view),
  feedLinksIn: async document => feedLinksIn(document),
};

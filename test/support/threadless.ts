import type { ConnectorTools } from "../../services/connectors/connector.ts";
import { compareLook, foreseeLook } from "../../services/connectors/pages/page-state.ts";
import { countingNews } from "../../services/domain/feed/compare-feed.ts";
import { feedLinksIn } from "../../services/domain/feed/known-feeds.ts";

/** Does here what the tools of connectors do in threads. */
export const threadless: Pick<
  ConnectorTools,
  "compareLook" | "foreseeLook" | "countingNews" | "feedLinksIn"
> = {
  compareLook: async (_url, look) => compareLook(look),
  foreseeLook: async (_url, look) => foreseeLook(look),
  countingNews: async (_url, news, view) => countingNews(news, view),
  feedLinksIn: async document => feedLinksIn(document),
};

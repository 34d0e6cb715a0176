import type { ConnectorTools } from "../../services/connectors/connector.ts";
import { compareSnapshot, foreseeSnapshot } from "../../services/connectors/pages/page-state.ts";
import { countingNews } from "../../services/domain/feed/compare-feed.ts";
import { feedLinksIn } from "../../services/domain/feed/known-feeds.ts";

/** Does here what the tools of connectors do in threads. */
export const threadless: Pick<
  ConnectorTools,
  "compareSnapshot" | "foreseeSnapshot" | "countingNews" | "feedLinksIn"
> = {
  compareSnapshot: async (_url, look) => compareSnapshot(look),
  foreseeSnapshot: async (_url, look) => foreseeSnapshot(look),
  countingNews: async (_url, news, view) => countingNews(news, view),
  feedLinksIn: async document => feedLinksIn(document),
};

import type { ConnectorTools } from "../../../services/connectors/connector.ts";
import { pollFeed } from "../../../services/connectors/feeds/poll-feed.ts";
import { fail } from "../../../services/contracts/errors.ts";
import { digestFeed } from "../../../services/domain/feed/digest-feed.ts";
import type { View } from "../../../services/domain/watch/view.ts";
import { threadless } from "../../support/threadless.ts";

const url = "https://x.example/feed";
const feed = (...titles: string[]) =>
  `<rss version="2.0"><channel><title>X</title>${titles.map(title => `<item><guid>${title}</guid><title>${title}</title><description>&lt;p&gt;About &lt;b&gt;${title}&lt;/b&gt;&lt;/p&gt;</description></item>`).join("")}</channel></rss>`;

function toolsFor(body: string): ConnectorTools {
  return {
    ...threadless,
    admit: text => new URL(text),
    fetchDocument: async () => ({
      ...{ status: 200, url, canonicalUrl: url, headers: {}, contentType: "application/rss+xml" },
      body: Buffer.from(body),
    }),
    readFeed: async ({ body: bytes, contentType, url: base }, memory) =>
      digestFeed({ body: bytes, contentType, url: base, memory, maxNews: 50 }),
    readSitemap: async () => ({ ok: false, reason: "A feed is no sitemap." }),
    timeLeftMs: () => 1000,
    scrapePage: async () => Promise.reject(fail("internal_error", "A feed is not scraped.")),
    now: () => Date.parse("2026-11-23T10:00:00Z"),
    random: () => 0,
    minIntervalMs: 60_000,
  };
}

async function told(view: View | undefined): Promise<string[]> {
  let state: Record<string, unknown> = {};
  const titles: string[] = [];
  for (const body of [
    feed("Old"),
    feed("Old", "Boots on sale", "Shoes"),
    feed("Old", "Boots on sale", "Hats"),
  ]) {
    const source = { externalId: url, state, failures: 0, ...(view && { view }) };
    const result = await pollFeed(source, toolsFor(body));
    if (!result.ok) throw new Error(result.reason);
    titles.push(...result.posts.map(({ data }) => (data.item as { title: string }).title));
    state = result.state;
  }
  return titles;
}

test.each<[View | undefined, string[]]>([
  [undefined, ["Shoes", "Boots on sale", "Hats"]],
  [{ ignore: ["on sale"] }, ["Shoes", "Hats"]],
  [{ when: { contains: ["about boots"] } }, ["Boots on sale"]],
  [{ when: { not_contains: ["/^(Shoes|Hats)$/m"] } }, ["Boots on sale"]],
])("a feed in the view %j tells %j", async (view, titles) => {
  expect((await told(view)).sort()).toEqual([...titles].sort());
});

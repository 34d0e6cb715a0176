import type { ConnectorTools } from "../../../services/connectors/connector.ts";
import { resolveFeed } from "../../../services/connectors/feeds/resolve-feed.ts";
import { resolvePage } from "../../../services/connectors/pages/resolve-page.ts";
import { fail } from "../../../services/contracts/errors.ts";
import { digestFeed } from "../../../services/domain/feed/digest-feed.ts";
import { reduceText } from "../../../services/domain/watch/eye/reduce-page.ts";
import { takeSnapshot } from "../../../services/domain/watch/snapshot.ts";
import { threadless } from "../../support/threadless.ts";

const channel = "UCabcdefghijklmnopqrstuv";
const videos = `https://www.youtube.com/feeds/videos.xml?channel_id=${channel}`;
const releases = "https://github.com/a/b/releases";
const atom = (title: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>${title}</title><entry><id>1</id><title>One</title></entry></feed>`;

/** Tools of a web that has these documents, by address; a number is a status. */
function toolsOf(web: Record<string, string | number>): ConnectorTools & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    ...threadless,
    admit: text => new URL(text),
    fetchDocument: async url => {
      asked.push(url);
      const found = web[url] ?? 404;
      const status = typeof found === "number" ? found : 200;
      const body = Buffer.from(typeof found === "number" ? "" : found);
      return { status, url, canonicalUrl: url, headers: {}, contentType: "text/html", body };
    },
    readFeed: async ({ body, contentType, url }) =>
      digestFeed({ body, contentType, url, memory: undefined, maxNews: 50 }),
    readSitemap: async () => ({ ok: false, reason: "No sitemap." }),
    timeLeftMs: () => 30_000,
    scrapePage: async url => ({
      snapshots: [
        takeSnapshot({ html: reduceText("Some text of the page.", "Page"), url, title: "Page" }, {}),
      ],
      job: {
        url,
        data: {
          markdown: "Some text of the page.",
          metadata: { title: "Page", status_code: 200, final_url: url },
        },
      } as never,
      headers: {},
    }),
    now: Date.now,
    random: () => 0,
    minIntervalMs: 1000,
  };
}

describe.each([
  ["as a feed", resolveFeed],
  ["as a page", resolvePage],
])("the page of a known site %s", (_, resolve) => {
  test("is its feed, and the page itself is not read", async () => {
    const tools = toolsOf({ [`${releases}.atom`]: atom("Releases") });
    expect(await resolve(releases, tools)).toMatchObject({
      kind: "rss",
      externalId: `${releases}.atom`,
      name: "Releases",
    });
    expect(tools.asked).toEqual([`${releases}.atom`]);
  });

  test("of a channel with a handle names its feed", async () => {
    const page = "https://www.youtube.com/@corvids";
    const tools = toolsOf({
      [page]: `<html>${"x".repeat(1e6)}"externalId":"${channel}"</html>`,
      [videos]: atom("Corvids"),
    });
    expect(await resolve(page, tools)).toMatchObject({ kind: "rss", externalId: videos, name: "Corvids" });
  });

  test("whose feed is refused for now says so, and is no page that changes", async () => {
    const tools = toolsOf({ [`${releases}.atom`]: 429, [releases]: "<html>Releases</html>" });
    await expect(resolve(releases, tools)).rejects.toMatchObject({
      type: "upstream_error",
      message: "The site answered with status 429.",
    });
  });
});

test("the page of a known site without a feed is looked at itself", async () => {
  const named = '<link rel="alternate" type="application/atom+xml" href="/news.atom">';
  const tools = toolsOf({
    [releases]: `<html>${named}</html>`,
    "https://github.com/news.atom": atom("News"),
  });
  expect(await resolvePage(releases, tools)).toMatchObject({ kind: "rss", name: "News" });
  const other = toolsOf({ [releases]: "<html>Releases</html>" });
  expect(await resolvePage(releases, other)).toMatchObject({ kind: "web", externalId: releases });
  await expect(resolveFeed(releases, other)).rejects.toMatchObject(
    fail("validation_failed", "The document is not a feed. POST /track/web watches a page that has no feed."),
  );
});

import { feedInPage, feedOfPage } from "../../../../services/domain/feed/known-feeds.ts";

const channel = "UCabcdefghijklmnopqrstuv";
const videos = "https://www.youtube.com/feeds/videos.xml";

describe("the feed of a page, by the page's address", () => {
  test.each([
    ["https://github.com/nodejs/node/releases", "https://github.com/nodejs/node/releases.atom"],
    ["https://github.com/nodejs/node/tags/", "https://github.com/nodejs/node/tags.atom"],
    ["https://www.github.com/nodejs/node/commits", "https://www.github.com/nodejs/node/commits.atom"],
    ["https://github.com/nodejs/node/commits/main", "https://github.com/nodejs/node/commits/main.atom"],
    ["https://github.com/a/b/commits/v1/docs", "https://github.com/a/b/commits/v1/docs.atom"],
    [`https://www.youtube.com/channel/${channel}`, `${videos}?channel_id=${channel}`],
    [`https://m.youtube.com/channel/${channel}/videos?view=0`, `${videos}?channel_id=${channel}`],
    ["https://youtube.com/user/corvids", `${videos}?user=corvids`],
    ["https://www.youtube.com/playlist?list=PLabcdefghij0123", `${videos}?playlist_id=PLabcdefghij0123`],
    ["https://www.reddit.com/r/birding/", "https://www.reddit.com/r/birding/.rss"],
    [
      "https://old.reddit.com/r/birding+crows/top?t=week",
      "https://www.reddit.com/r/birding+crows/top/.rss?t=week",
    ],
    ["https://reddit.com/u/a_magpie", "https://www.reddit.com/user/a_magpie/.rss"],
    ["https://www.reddit.com/user/a_magpie/submitted", "https://www.reddit.com/user/a_magpie/submitted/.rss"],
  ])("%s", (page, feed) => {
    expect(feedOfPage(page)).toBe(feed);
  });

  test.each([
    "https://github.com/nodejs/node",
    "https://github.com/nodejs/node/releases/tag/v1",
    "https://github.com/nodejs/node/releases.atom",
    "https://github.com/nodejs/node/commits/main.atom",
    "https://github.com:8443/nodejs/node/releases",
    "https://www.youtube.com/@corvids",
    "https://www.youtube.com/channel/short",
    "https://www.youtube.com/watch?v=abc&list=PLabcdefghij0123",
    "https://www.reddit.com/r/birding/comments/1/a_title",
    "https://www.reddit.com/r/birding/about",
    "https://github.com.example/nodejs/node/releases",
    "https://example.com/r/birding",
    "no url",
  ])("none for %s", page => {
    expect(feedOfPage(page)).toBeUndefined();
  });
});

describe("the feed that a page of a channel names", () => {
  const page = "https://www.youtube.com/@corvids";

  test.each([
    `<link rel="alternate" type="application/rss+xml" title="RSS" href="${videos}?channel_id=${channel}">`,
    `<link rel="canonical" href="https://www.youtube.com/channel/${channel}">`,
    `<script>var ytInitialData = {"externalId":"${channel}"}</script>`,
    `<meta itemprop="identifier" content="${channel}">`,
  ])("in %s", html => {
    const other = "UCzzzzzzzzzzzzzzzzzzzzzz";
    const text = `<a href="/channel/${other}">a friend</a>${"x".repeat(1e6)}${html}`;
    expect(feedInPage(page, text)).toBe(`${videos}?channel_id=${channel}`);
  });

  test.each([
    [page, "<html>Before you continue</html>"],
    ["https://example.com/@corvids", `{"externalId":"${channel}"}`],
  ])("none: %s", (url, html) => {
    expect(feedInPage(url, html)).toBeUndefined();
  });
});

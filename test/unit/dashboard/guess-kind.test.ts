import { guessKind, sidOf } from "../../../dashboard/sources/guess-kind.ts";
import { kindInWords } from "../../../dashboard/sources/kinds.ts";

test.each([
  ["", "web"],
  ["https://example.com/prices", "web"],
  ["https://example.com", "web"],
  ["example.com/docs/", "web"],
  ["127.0.0.1:8080/", "web"],
  ["http://127.0.0.1:8080/", "web"],
  ["https://example.com/feed.xml", "rss"],
  ["https://example.com/blog/feed/", "rss"],
  ["https://example.com/releases.atom", "rss"],
  ["https://example.com/feeds/news", "rss"],
  ["https://example.com/sitemap.xml.gz", "rss"],
  ["https://example.com/feedback", "web"],
  ["new openings in Vienna", "search"],
  ["kubernetes", "search"],
  ["corvid_lab", "microblog"],
  ["@corvid", "microblog"],
  ["#birds", "microblog"],
  ["search: birds", "microblog"],
  ["bluesky:ada.example", "microblog"],
  ["mastodon:#birds", "microblog"],
  ["@ada@birds.example", "microblog"],
  ["ada@birds.example", "microblog"],
  ["ada@birds example", "search"],
  ["https://x.com/magpie", "microblog"],
  ["https://x.com/magpie/status/12", "web"],
  ["bsky.app/profile/ada.example", "microblog"],
  ["discord:corvids", "chatserver"],
  ["telegram:harbour", "messenger"],
  ["https://discord.gg/abc", "chatserver"],
  ["https://t.me/harbour", "messenger"],
])("%j is a %s", (text, kind) => {
  expect(guessKind(text)).toBe(kind);
});

test.each([
  ["example.com/docs/ ", "site", "https://example.com/docs/"],
  ["http://example.com/", "web", "http://example.com/"],
  ["example.com", "search", "example.com"],
  ["corvid_lab", "microblog", "corvid_lab"],
  ["@corvid_lab", "microblog", "corvid_lab"],
] as const)("%j as a %s is sent as %s", (text, kind, sid) => {
  expect(sidOf(text, kind)).toBe(sid);
});

test.each([
  [{ source: "WEB" }, "Page"],
  [{ source: "MICROBLOG", network: "bluesky" }, "Microblog on Bluesky"],
  [{ source: "MESSENGER", network: "telegram-preview" }, "Messenger on public pages of Telegram"],
  [{ source: "CHATSERVER", network: "another" }, "Chat server on another"],
])("%j is shown as %s", (source, words) => expect(kindInWords(source)).toBe(words));

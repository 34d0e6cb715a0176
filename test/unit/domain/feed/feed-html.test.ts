import type { FeedItem } from "../../../../services/domain/feed/feed.ts";
import { feedHtml } from "../../../../services/domain/feed/feed-html.ts";
import { digestHtml } from "../../../../services/scraper/extract/digest-html.ts";

const wanted = {
  formats: ["markdown" as const, "links" as const],
  ...{ onlyMainContent: false, keepHtml: false, keepText: false, crawl: false },
};

const read = (items: Partial<FeedItem>[], more: { title?: string; homeUrl?: string } = {}) => {
  const whole = items.map((item, at) => ({ id: String(at), ...item }));
  const html = feedHtml({ hubs: [], skipHours: [], skipDays: [], items: whole, ...more });
  return digestHtml({ html, url: "https://site.example/feed", wall: null }, wanted);
};

test("a feed is its title and a list of its items", () => {
  const { markdown, links, metadata } = read(
    [
      {
        title: "Herons & storks",
        url: "https://a.example/1",
        date_published: "2026-01-31T12:00:00Z",
        authors: [{ name: "Ann" }, { url: "https://a.example/ben" }, { name: "Cy" }],
        summary: "They *came* back.",
        language: "en",
      },
      { title: "Eggs", date_modified: "2026-01-30T00:00:00Z", content_html: "<p>Four <b>eggs</b>.</p>" },
      { url: "https://a.example/3", content_text: "No title." },
      { url: "https://a.example/4" },
      { title: "Sound", attachments: [{ url: "https://a.example/5.mp3", mime_type: "audio/mpeg" }] },
    ],
    { title: "Birds", homeUrl: "https://a.example/" },
  );
  expect(markdown?.trim()).toBe(`# [Birds](https://a.example/)

- [Herons & storks](https://a.example/1) (2026-01-31, Ann, Cy)

  They \\*came\\* back.

- Eggs (2026-01-30)

  Four eggs.

- [Untitled](https://a.example/3)

  No title.

- <https://a.example/4>

- Sound

  [audio/mpeg](https://a.example/5.mp3)`);
  expect(links).toEqual(["", "1", "3", "4", "5.mp3"].map(path => `https://a.example/${path}`));
  expect(metadata).toMatchObject({ title: "Birds", language: "en" });
});

test("long texts are cut between words", () => {
  const markdown = read([{ title: "A", summary: "word ".repeat(500) }]).markdown ?? "";
  expect(markdown.trim()).toMatch(/^- A\n\n {2}(word )+…$/);
  expect(markdown.length).toBeLessThan(700);
});

test("items that are left out are counted", () => {
  const markdown = read(Array.from({ length: 1200 }, (_, at) => ({ title: `Item ${at}` }))).markdown ?? "";
  expect(markdown).toContain("Item 999");
  expect(markdown).not.toContain("Item 1000");
  expect(markdown.trim()).toMatch(/The first 1000 of 1200 items are shown\.$/);
});

test("a feed without anything is an empty page", () => {
  expect(read([]).markdown?.trim()).toBe("");
});

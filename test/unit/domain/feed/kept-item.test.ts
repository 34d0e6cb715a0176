import { itemVersions } from "../../../../services/connectors/feeds/item-versions.ts";
import type { FeedItem } from "../../../../services/domain/feed/feed.ts";
import { keptItem } from "../../../../services/domain/feed/kept-item.ts";
import { itemChange } from "../../../../services/domain/history/item-change.ts";

const item: FeedItem = {
  id: "1",
  url: "https://x.example/1",
  title: "Outage",
  content_html: "<h2>Now</h2><p>We <b>look</b> into it.</p><ul><li>API</li><li>Web</li></ul>",
  summary: "Short.",
  date_published: "2026-03-02T09:00:00.000Z",
  authors: [
    { name: "Ada" },
    { url: "https://x.example/ben" },
    { name: "Cy", avatar: "https://x.example/c.png" },
  ],
  attachments: [{ url: "https://x.example/a.mp3", mime_type: "audio/mpeg" }],
};

test("an item is kept with its text as Markdown", () => {
  expect(keptItem(item)).toEqual({
    title: "Outage",
    url: "https://x.example/1",
    author: "Ada, https://x.example/ben, Cy",
    published: "2026-03-02T09:00:00.000Z",
    text: "## Now\n\nWe **look** into it.\n\n- API\n- Web",
    enclosures: [{ url: "https://x.example/a.mp3" }],
  });
});

test("what a feed does not say is left out", () => {
  expect(keptItem({ id: "1", summary: "Short." })).toEqual({ text: "Short." });
});

test("the same item is the same version, and another one is not", () => {
  const news = { kind: "created" as const, postId: "p", revision: "r", item };
  const [first, second, other] = itemVersions([
    news,
    { ...news },
    { ...news, item: { ...item, title: "Calm" } },
  ]);
  expect(first).toEqual(second);
  expect(first).toMatchObject({ item: "p", title: "Outage", words: expect.stringMatching(/^Outage\nAda/) });
  expect(other?.hash).not.toBe(first?.hash);
});

test.each<[string, Partial<FeedItem>, { added: string[]; removed: string[] } | undefined]>([
  ["a title", { title: "Outage, solved" }, { added: ["Outage, solved"], removed: ["Outage"] }],
  [
    "a paragraph",
    { content_html: "<h2>Now</h2><p>It works again.</p><ul><li>API</li><li>Web</li></ul>" },
    { added: ["It works again."], removed: ["We **look** into it."] },
  ],
  [
    "an address",
    { url: "https://x.example/2" },
    { added: ["https://x.example/2"], removed: ["https://x.example/1"] },
  ],
  ["an attachment", { attachments: [] }, { added: [], removed: ["https://x.example/a.mp3"] }],
  ["a date alone", { date_published: "2026-03-03T09:00:00.000Z" }, undefined],
  ["a counter alone", { content_html: `${item.content_html}<p>3 comments</p>` }, undefined],
])("what has changed with %s", (_, change, expected) => {
  const found = itemChange(keptItem(item), keptItem({ ...item, ...change }));
  expect(found && { added: found.added, removed: found.removed }).toEqual(expected);
  for (const line of expected?.added ?? []) expect(found?.diff).toContain(`+${line}\n`);
});

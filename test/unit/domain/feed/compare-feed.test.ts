import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compareFeed } from "../../../../services/domain/feed/compare-feed.ts";
import type { FeedItem } from "../../../../services/domain/feed/feed.ts";
import type { FeedMemory } from "../../../../services/domain/feed/feed-memory.ts";
import { readFeed } from "../../../../services/domain/feed/parse-feed.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "fixtures", "feeds");
const a: FeedItem = { id: "a", url: "https://x.example/a", title: "A", content_text: "Alpha" };
const b: FeedItem = { id: "b", url: "https://x.example/b", title: "B", content_text: "Beta" };
const c: FeedItem = { id: "c", url: "https://x.example/c", title: "C", content_text: "Gamma" };

/** Feeds one after the other; the news of each, the first being the baseline. */
function follow(documents: FeedItem[][], guidless = false) {
  let memory: FeedMemory | undefined;
  return documents.map(items => {
    const compared = compareFeed(memory, items, { guidless });
    // As it is stored: the memory is JSON.
    memory = JSON.parse(JSON.stringify(compared.memory)) as FeedMemory;
    return compared.news.map(({ kind, item }) => `${kind} ${item.title}`);
  });
}

test.each<[string, FeedItem[][], string[][]]>([
  ["a new item", [[a], [b, a]], [[], ["created B"]]],
  ["new items, oldest first", [[a], [c, b, a]], [[], ["created B", "created C"]]],
  ["an item that comes back", [[a, b], [a], [a, b]], [[], [], []]],
  ["an empty feed in between", [[a, b], [], [b, a]], [[], [], []]],
  ["a first item in an empty feed", [[], [a]], [[], ["created A"]]],
  ["a change of text", [[a], [{ ...a, content_text: "Other" }]], [[], ["updated A"]]],
  [
    "a date in the text",
    [
      [{ ...a, content_html: "<p>Launch: December 4, 2026, 14:30 UTC</p>" }],
      [{ ...a, content_html: "<p>Launch: December 9, 2026, 14:30 UTC</p>" }],
    ],
    [[], ["updated A"]],
  ],
  [
    "a stamp, a score and a link's origin in the text",
    [
      [
        {
          ...a,
          content_html: "<p>Alpha</p><p>Last updated: May 4, 2026</p><p>Points: 3</p><p># Comments: 4</p>",
        },
      ],
      [
        {
          ...a,
          content_html: "<p>Alpha</p><p>Last updated: May 5, 2026</p><p>Points: 9</p><p># Comments: 7</p>",
        },
      ],
    ],
    [[], []],
  ],
  ["a change and back", [[a], [{ ...a, title: "A2" }], [a], [a]], [[], ["updated A2"], ["updated A"], []]],
  [
    "another order",
    [
      [a, b, c],
      [c, a, b],
    ],
    [[], []],
  ],
  ["white space", [[a], [{ ...a, content_text: " Alpha\n" }]], [[], []]],
  [
    "markup alone",
    [[a], [{ ...a, content_text: undefined as never, content_html: "<p>Alpha</p>" }]],
    [[], []],
  ],
  ["another date", [[a], [{ ...a, date_modified: "2025-01-01T00:00:00.000Z" }]], [[], []]],
  [
    "comment counts",
    [[{ ...a, content_text: "Alpha. 3 comments" }], [{ ...a, content_text: "Alpha. 14 comments" }]],
    [[], []],
  ],
  [
    "tracking parameters",
    [
      [{ ...a, content_html: "Go https://x.example/?utm_source=a" }],
      [{ ...a, content_html: "Go https://x.example/?utm_source=b" }],
    ],
    [[], []],
  ],
  ["the same item twice in a document", [[a], [a, a, b, b]], [[], ["created B"]]],
  ["a link that moves", [[a], [{ ...a, url: "https://x.example/elsewhere" }]], [[], []]],
  [
    "guids made anew for each fetch",
    [
      [a, b],
      [
        { ...a, id: "1" },
        { ...b, id: "2" },
      ],
      [
        { ...a, id: "3" },
        { ...b, id: "4" },
        { ...c, id: "5" },
      ],
    ],
    [[], [], ["created C"]],
  ],
  [
    "guids made anew, with a change of text",
    [
      [a, b, c],
      [
        { ...a, id: "1" },
        { ...b, id: "2" },
        { ...c, id: "3" },
      ],
      [
        { ...a, id: "4", title: "A2" },
        { ...b, id: "5" },
      ],
    ],
    [[], [], ["updated A2"]],
  ],
  [
    "one guid for all",
    [
      [
        { ...a, id: "same" },
        { ...b, id: "same" },
      ],
      [
        { ...c, id: "same" },
        { ...a, id: "same" },
        { ...b, id: "same" },
      ],
    ],
    [[], ["created C"]],
  ],
  [
    "guids that begin to repeat",
    [
      [a, b],
      [{ ...c, id: "a" }, a, b],
      [{ ...c, id: "a" }, a, b],
    ],
    [[], ["created C"], []],
  ],
  [
    "no links, and guids that begin to repeat",
    [
      [
        { id: "1", title: "N" },
        { ...a, id: "2" },
      ],
      [
        { id: "1", title: "N" },
        { ...a, id: "2" },
        { ...b, id: "2" },
      ],
    ],
    [[], ["created B"]],
  ],
  [
    "a link that all items share",
    [
      [{ ...a, url: "https://x.example/" }],
      [
        { ...b, url: "https://x.example/" },
        { ...a, url: "https://x.example/" },
      ],
    ],
    [[], ["created B"]],
  ],
  [
    "http that becomes https, guids too",
    [[{ ...a, id: "http://x.example/a", url: "http://x.example/a" }], [{ ...a, id: a.url ?? "" }]],
    [[], []],
  ],
])("%s", (_, documents, news) => expect(follow(documents)).toEqual(news));

/** As the reader makes an item that has no guid: the link is its id. */
const log = (title: string, facts: Partial<FeedItem> = {}): FeedItem => ({
  id: "https://x.example/log",
  url: "https://x.example/log",
  title,
  ...facts,
});
const on = (day: number) => ({ date_published: `2026-01-0${day}T00:00:00.000Z` });

test.each<[string, FeedItem[][], string[][]]>([
  [
    "a changelog: items that share a link",
    [
      [log("2"), log("1")],
      [log("5"), log("4"), log("3"), log("2"), log("1")],
      [log("5"), log("4"), log("3"), log("2"), log("1")],
    ],
    [[], ["created 3", "created 4", "created 5"], []],
  ],
  [
    "the same that begins with one item",
    [[log("1")], [log("2"), log("1")], [log("3"), log("2"), log("1")]],
    [[], ["created 2"], ["created 3"]],
  ],
  [
    "items of one title that dates tell apart",
    [
      [log("Update", on(1)), log("Update", { ...on(2), content_text: "B" })],
      [log("Update", { ...on(3), content_text: "C" }), log("Update", { ...on(2), content_text: "B2" })],
    ],
    [[], ["updated Update", "created Update"]],
  ],
  [
    "items that their texts alone tell apart",
    [
      [log("Price", { content_text: "1" }), log("Price", { content_text: "2" })],
      [log("Price", { content_text: "3" }), log("Price", { content_text: "1" })],
    ],
    [[], ["created Price"]],
  ],
  [
    "an edit of an item that its title tells apart",
    [
      [log("2"), log("1")],
      [log("2", { content_text: "more" }), log("1")],
    ],
    [[], ["updated 2"]],
  ],
  [
    "one item with a fixed link, dated: each is new",
    [[log("1", on(1))], [log("2", on(2))], [log("1", on(3))]],
    [[], ["created 2"], ["created 1"]],
  ],
  [
    "one item with a fixed link and no date: a new text is an edit",
    [[log("1")], [log("2")]],
    [[], ["updated 2"]],
  ],
  [
    "dates made anew for each fetch",
    [
      [log("2", on(1)), log("1", on(1))],
      [log("2", on(2)), log("1", on(2))],
      [log("3", on(3)), log("2", on(3)), log("1", on(3))],
    ],
    [[], [], ["created 3"]],
  ],
  [
    "links that tell apart: an edit",
    [
      [b, a],
      [{ ...b, title: "B2" }, a],
    ],
    [[], ["updated B2"]],
  ],
])("without guids: %s", (_, documents, news) => expect(follow(documents, true)).toEqual(news));

test("one guid and one link for all items: each new one is news, and so is an edit", () => {
  const same = (title: string, text = "") => log(title, { id: "static", content_text: text });
  const documents = [
    [same("1")],
    [same("3"), same("2"), same("1")],
    [same("4"), same("3", "more"), same("2")],
  ];
  expect(follow(documents)).toEqual([[], ["created 2", "created 3"], ["updated 3", "created 4"]]);
});

test("two versions of an entry under one id are one entry", () => {
  const version = { ...a, content_text: "Alpha, amended" };
  expect(
    follow([
      [a, b],
      [version, a, b],
      [version, b],
    ]),
  ).toEqual([[], ["updated A"], []]);
});

const many = (count: number, dated: boolean) =>
  Array.from(
    { length: count },
    (_, n): FeedItem => ({
      id: `n${n}`,
      url: `https://x.example/n/${n}`,
      title: `N ${n}`,
      ...(dated && { date_published: new Date(Date.UTC(2026, 0, 1) - n * 3_600_000).toISOString() }),
    }),
  );
const backdated = { ...a, date_published: "2001-01-01T00:00:00.000Z" };

test.each<[string, FeedItem[], FeedItem[]]>([
  ["at the end of 1,500 without dates", many(1500, false), [...many(1500, false), a]],
  ["with an old date among 1,500", many(1500, true), [...many(1500, true), backdated]],
  ["at the end of 12,000", many(12_000, false), [...many(12_000, false), a]],
])("a new item %s", (_, before, after) =>
  expect(follow([before, after, after])).toEqual([[], ["created A"], []]),
);

test("news left out of one step follow in the next ones, in order, for a feed of 3,000 new items", () => {
  let { memory } = compareFeed(undefined, [a]);
  const items = [...many(3000, true), backdated];
  const told: string[] = [];
  for (let step = 0; step < 7; step++) {
    const compared = compareFeed(memory, items, { maxNews: 500 });
    expect(compared.complete).toBe(step >= 5);
    ({ memory } = compared);
    told.push(...compared.news.map(({ item }) => item.id));
  }
  expect(told).toEqual(
    many(3000, true)
      .map(({ id }) => id)
      .reverse(),
  );
});

test.each(readdirSync(folder).filter(name => !name.endsWith(".golden.json")))(
  "%s twice makes no news",
  name => {
    const parsed = readFeed(readFileSync(join(folder, name)), "", "https://feeds.example/");
    const items = parsed.ok ? parsed.feed.items : [];
    expect(follow([items, items, items])).toEqual([[], [], []]);
  },
);

test("any documents of any items: the same twice makes no news, and nothing is new twice", () => {
  const random = seeded(20250603);
  const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T;
  const words = ["x", "y", "z"];
  const make = (): FeedItem => {
    const title = pick(words);
    return {
      id: pick([..."123456"]),
      title,
      ...(random() < 0.8 && { url: `https://x.example/${pick(words)}` }),
      ...(random() < 0.5 && on(pick([1, 2]))),
    };
  };
  for (let round = 0; round < 300; round++) {
    const options = { guidless: round % 2 === 0 };
    let { memory } = compareFeed(undefined, []);
    for (let step = 0; step < 6; step++) {
      const items = Array.from({ length: Math.floor(random() * 6) }, make);
      const first = compareFeed(memory, items, options);
      const again = compareFeed(first.memory, items, options);
      expect({ items, news: again.news }).toEqual({ items, news: [] });
      expect(compareFeed(memory, items, options)).toEqual(first);
      memory = first.memory;
    }
  }
});

test("news beyond the bound come with the next comparison, in order", () => {
  const { memory } = compareFeed(undefined, []);
  const first = compareFeed(memory, [c, b, a], { maxNews: 2 });
  expect([first.complete, first.news.map(({ item }) => item.id)]).toEqual([false, ["a", "b"]]);
  const second = compareFeed(first.memory, [c, b, a], { maxNews: 2 });
  expect([second.complete, second.news.map(({ item }) => item.id)]).toEqual([true, ["c"]]);
});

test("revisions differ for each change, and are the same when a poll is repeated", () => {
  const { memory } = compareFeed(undefined, [a]);
  const changed = { ...a, title: "A2" };
  const first = compareFeed(memory, [changed]);
  expect(compareFeed(memory, [changed]).news).toEqual(first.news);
  const back = compareFeed(first.memory, [a]);
  const again = compareFeed(back.memory, [changed]);
  const revisions = [first, back, again].map(({ news }) => news[0]?.revision);
  expect(new Set(revisions).size).toBe(3);
});

test("the memory takes 28 bytes for each item of the document and of those that left it", () => {
  let memory: FeedMemory | undefined;
  for (let fetch = 0; fetch < 12; fetch++) {
    const items = many(1200, false).map(item => ({ ...item, id: `${fetch} ${item.id}`, title: `${fetch}` }));
    ({ memory } = compareFeed(memory, items));
    expect(compareFeed(memory, items).news).toEqual([]);
  }
  expect(JSON.stringify(memory).length).toBeLessThan(28 * (1200 + 2000) + 200);
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compareFeed, type FeedMemory } from "../../../../services/domain/feed/compare-feed.ts";
import type { FeedItem } from "../../../../services/domain/feed/feed.ts";
import { readFeed } from "../../../../services/domain/feed/read-feed.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "fixtures", "feeds");
const a: FeedItem = { id: "a", url: "https://x.example/a", title: "A", content_text: "Alpha" };
const b: FeedItem = { id: "b", url: "https://x.example/b", title: "B", content_text: "Beta" };
const c: FeedItem = { id: "c", url: "https://x.example/c", title: "C", content_text: "Gamma" };

/** Feeds one after the other; the news of each, the first being the baseline. */
function follow(...documents: FeedItem[][]) {
  let memory: FeedMemory | undefined;
  return documents.map(items => {
    const compared = compareFeed(memory, items);
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
])("%s", (_, documents, news) => expect(follow(...documents)).toEqual(news));

test.each(readdirSync(folder).filter(name => !name.endsWith(".golden.json")))(
  "%s twice makes no news",
  name => {
    const parsed = readFeed(readFileSync(join(folder, name)), "", "https://feeds.example/");
    const items = parsed.ok ? parsed.feed.items : [];
    expect(follow(items, items, items)).toEqual([[], [], []]);
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
    };
  };
  for (let round = 0; round < 300; round++) {
    let { memory } = compareFeed(undefined, []);
    for (let step = 0; step < 6; step++) {
      const items = Array.from({ length: Math.floor(random() * 6) }, make);
      const first = compareFeed(memory, items);
      const again = compareFeed(first.memory, items);
      expect({ items, news: again.news }).toEqual({ items, news: [] });
      expect(compareFeed(memory, items)).toEqual(first);
      memory = first.memory;
    }
  }
});

test("news beyond the bound come with the next comparison, in order", () => {
  const { memory } = compareFeed(undefined, []);
  const first = compareFeed(memory, [c, b, a], 2);
  expect([first.complete, first.news.map(({ item }) => item.id)]).toEqual([false, ["a", "b"]]);
  const second = compareFeed(first.memory, [c, b, a], 2);
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

test("the memory of a busy feed stays below 200 KB", () => {
  let memory: FeedMemory | undefined;
  for (let fetch = 0; fetch < 12; fetch++) {
    const items = Array.from({ length: 1200 }, (_, n) => ({
      id: `${fetch}-${n}`,
      url: `https://x.example/${fetch}/${n}`,
      title: `${fetch} ${n}`,
    }));
    ({ memory } = compareFeed(memory, items));
    expect(compareFeed(memory, items).news).toEqual([]);
  }
  expect(JSON.stringify(memory).length).toBeLessThan(200 * 1024);
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

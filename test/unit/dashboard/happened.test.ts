import { happenedIn } from "../../../dashboard/events/happened.ts";

const change = {
  title: "Prices",
  url: "https://example.com/prices",
  added: ["12"],
  removed: ["10"],
  diff: "@@ -1 +1 @@\n-10\n+12\n",
  fields: { price: { from: 10, to: 12 } },
  value: { from: 10, to: 12 },
  pictures: { before: null, after: "k", difference: null },
};

test("a change has its diff, fields, number and pictures", () => {
  const { diff, added, removed, value, pictures, title, url } = change;
  expect(happenedIn({ data: { change, version: "01J" } })).toEqual({
    isKnown: true,
    ...{ title, url, version: "01J" },
    change: { diff, added, removed, value, pictures, fields: [{ name: "price", from: 10, to: 12 }] },
  });
});

test.each([
  [{ item: { title: "An entry", url: "https://example.com/1", content_text: "Its text" } }, "Its text"],
  [{ post: { legacy: { full_text: "A post" } } }, "A post"],
  [{ message: { content: "In a chat" } }, "In a chat"],
])("an entry or a post has its text: %j", (data, text) => {
  expect(happenedIn({ data })).toMatchObject({ isKnown: true, text });
});

test.each([
  [{ post: { legacy: { full_text: "A post" }, url: "https://example.com/1" } }],
  [{ message: { content: "In a chat", url: "https://example.com/1" } }],
])("a post and a message have their address: %j", data => {
  expect(happenedIn({ data })).toMatchObject({ url: "https://example.com/1" });
});

test.each([{}, { change: null }, { change: "x", item: 3, reason: 7 }, { change: { added: [1], diff: {} } }])(
  "of %j there is nothing to say in words",
  data => {
    expect(happenedIn({ data })).toEqual({ isKnown: false });
  },
);

test("a failing source has its reason", () => {
  expect(happenedIn({ data: { reason: "The page answers 500." } })).toEqual({
    isKnown: true,
    reason: "The page answers 500.",
  });
});

const page = { url: "https://example.com/docs/start", title: "Start" };

test("a changed page of a site has its address, and is led to by it", () => {
  const { url, title } = page;
  const found = happenedIn({ data: { page, change: { added: ["12"], removed: [] }, version: "01J" } });
  expect(found).toMatchObject({ isKnown: true, title, url, page: url, version: "01J" });
  expect(found.change?.added).toEqual(["12"]);
});

test("a page that moved has both addresses", () => {
  const moved = { from: "https://example.com/a", to: "https://example.com/b" };
  expect(happenedIn({ data: { page, ...moved, reason: "It redirects." } })).toMatchObject({
    moved,
    reason: "It redirects.",
  });
});

test("a change of the whole site has how widely it was seen", () => {
  const of = { added: ["We move"], removed: [], seen_on: 8, looked_at: 9, pages: 240, examples: [page.url] };
  expect(happenedIn({ data: { change: of } })).toMatchObject({
    counts: [
      ["Seen on pages", 8],
      ["Pages looked at", 9],
      ["Pages watched", 240],
    ],
    examples: [page.url],
  });
});

test("a round through a site has its counts", () => {
  expect(happenedIn({ data: { check: { pages: 2, visited: 2, added: 0 } } }).counts).toEqual([
    ["Pages watched", 2],
    ["Visited", 2],
    ["New", 0],
  ]);
});

test("a result of a search has its title, address and description", () => {
  const result = { url: "https://example.org/", title: "Crows", description: "They bend wire.", date: null };
  expect(happenedIn({ data: { result } })).toEqual({
    isKnown: true,
    title: "Crows",
    url: "https://example.org/",
    text: "They bend wire.",
  });
});

test.each([
  [
    { judged: true, meaningful: false, confidence: 0.9, reason: "A typo.", goal: "Prices" },
    { isMeaningful: false, confidence: 0.9, reason: "A typo.", goal: "Prices" },
  ],
  [
    { judged: false, reason: "The model did not answer.", goal: "Prices" },
    { reason: "The model did not answer.", goal: "Prices" },
  ],
  ["yes", undefined],
])("of the judgement %j it keeps what it understands", (judgement, verdict) => {
  expect(happenedIn({ data: { reason: "Changed", judgement } }).verdict).toEqual(verdict);
});

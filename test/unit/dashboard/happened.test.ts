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

import { comparePage, readPageText } from "../../../../services/domain/page-change/compare-page.ts";
import { withoutNoise } from "../../../../services/domain/page-change/noise.ts";

test.each<[string, string, string]>([
  ["white space", "Open  on   weekdays", " Open on weekdays "],
  ["an instant", "Fetched 2025-06-03T10:15:00Z", "Fetched 2025-06-04T11:16:01.5+02:00"],
  ["a day with a time", "Seen 3 June 2025, 10:15", "Seen 4 July 2025, 9:05 pm"],
  ["seconds", "It is 10:15:01 now", "It is 10:15:59 now"],
  ["an update mark", "Last updated: June 3, 2025", "Last updated: July 14, 2025"],
  ["an update mark without a year's end", "Updated 3/6/2025 at 10:15", "Updated 4/6/2025 at 11:20"],
  ["a German one", "Stand: 3.6.2025", "Stand: 14.7.2025"],
  ["relative time", "Posted 3 minutes ago", "Posted 2 hours ago"],
  ["relative time in words", "an hour ago", "5 days ago"],
  ["relative time in German", "vor 3 Minuten", "vor 2 Stunden"],
  ["views", "1,204 views", "1,311 views"],
  ["comments", "Comments (3)", "Comments (14)"],
  ["likes in thousands", "1.2k likes", "1.3k likes"],
  ["visitors", "12 users online", "3 users online"],
  ["render time", "Page rendered in 0.123 seconds", "Page rendered in 1.5 seconds"],
  ["a session in a link", "[Go](/a?sid=abc&x=1)", "[Go](/a?sid=xyz&x=1)"],
  ["a tracked link", "[Go](/a?utm_source=a)", "[Go](/a?utm_source=b)"],
  ["a token", "ref 0f8fad5b-d9cb-469f-a165-70867728950e", "ref 7c9e6679-7425-40de-944b-e07fc1f90ae7"],
  ["a copyright year", "© 2024 Shop", "© 2025 Shop"],
])("noise: %s", (_, before, after) => expect(withoutNoise(after)).toBe(withoutNoise(before)));

test.each<[string, string, string]>([
  ["a price", "Price: 10.00 EUR", "Price: 12.00 EUR"],
  ["opening hours", "Open 9:00-17:00", "Open 10:00-17:00"],
  ["the day of an event", "The fair: 12 March 2025", "The fair: 14 March 2025"],
  ["a stock", "5 in stock", "sold out"],
  ["a version", "Version 1.2.3", "Version 1.2.4"],
  ["a telephone number", "Call 555 0100", "Call 555 0199"],
  ["a word", "We are open", "We are closed"],
  ["a link", "[Go](/a?id=1)", "[Go](/a?id=2)"],
])("no noise: %s", (_, before, after) => expect(withoutNoise(after)).not.toBe(withoutNoise(before)));

test.each(["Advertisement", "**Sponsored**", "Anzeige:", "- Ads"])("%j is an advertisement", line =>
  expect(withoutNoise(line)).toBe(""),
);

const page = ["# Shop", "Shoes: 10 EUR", "Hats: 5 EUR", "Updated 10:15:01", "Sale", "Sale"].join("\n\n");

function compare(before: string, after: string) {
  const [a, b] = [readPageText(before), readPageText(after)];
  if (!a || !b) throw new Error("a page says nothing");
  return comparePage(a, b);
}

test.each([
  ["itself", page],
  ["other white space", page.replaceAll("\n\n", "\n\n\n  ")],
  ["noise", page.replace("10:15:01", "11:22:33")],
  ["another order of blocks", page.split("\n\n").reverse().join("\n\n")],
  ["an advertisement more", `${page}\n\nAdvertisement`],
])("a page and %s are the same", (_, other) => expect(compare(page, other)).toBeUndefined());

test("a change tells what came, what went, and the lines around", () => {
  const change = compare(page, page.replace("5 EUR", "6 EUR").replace("10:15:01", "11:00:00"));
  expect(change).toEqual({
    previousHash: readPageText(page)?.hash,
    currentHash: expect.stringMatching(/^[\da-f]{64}$/),
    added: ["Hats: 6 EUR"],
    removed: ["Hats: 5 EUR"],
    diff: expect.stringContaining("-Hats: 5 EUR\n+Hats: 6 EUR\n"),
  });
  expect(change?.diff).toMatch(/^--- previous\t?\n\+\+\+ current\t?\n@@ -\d,\d \+\d,\d @@\n/);
  expect(change?.diff).not.toContain("-Updated");
});

test("a block that is there once less has gone", () =>
  expect(compare(page, page.replace("\n\nSale\n\nSale", "\n\nSale"))).toMatchObject({
    added: [],
    removed: ["Sale"],
  }));

test.each(["", " \n\n ", "---\n\n* * *", "Advertisement"])("%j says nothing", text =>
  expect(readPageText(text)).toBeUndefined(),
);

test("a change of any size fits into an event, and says when it was cut", () => {
  const lines = (mark: string) =>
    Array.from({ length: 20_000 }, (_, n) => `${mark} line ${n} ${"ü".repeat(500)}`);
  const change = compare(lines("old").join("\n"), lines("new").join("\n"));
  expect(change?.truncated).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(change))).toBeLessThan(250 * 1024);
});

test("a change beyond what is kept is a change all the same", () => {
  const long = Array.from({ length: 20_000 }, (_, n) => `line ${n}`).join("\n");
  expect(compare(`${long}\nend`, `${long}\nfin`)).toMatchObject({ added: [], removed: [], truncated: true });
});

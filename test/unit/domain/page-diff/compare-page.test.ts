import { readPageText } from "../../../../services/domain/page-diff/compare-page.ts";
import { withoutNoise } from "../../../../services/domain/page-diff/noise.ts";
import { comparePage } from "./compare.ts";

test.each<[string, string, string]>([
  ["white space", "Open  on   weekdays", " Open on weekdays "],
  ["the stamp of a fetch", "Fetched 2025-06-03T10:15:00Z", "Fetched 2025-06-04T11:16:01.5+02:00"],
  [
    "a stamp with its day",
    "Last updated on Friday, May 8th, 2026 at 2:30pm (UTC+1)",
    "Last updated on Sunday, May 10th, 2026 at 3:30am (UTC+1)",
  ],
  ["a clock", "Server time: 10:15:01", "Server time: 10:15:59"],
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
  ["a session in a link", "[Go](/a;jsessionid=1F?PHPSESSID=abc&x=1)", "[Go](/a?PHPSESSID=xyz&x=1)"],
  ["a token in a link", "[Out](/out?_wpnonce=abc)", "[Out](/out?_wpnonce=xyz)"],
  ["the revision of a picture", "![A](/a.png?v=1)", "![A](/a.png?v=2)"],
  ["the revision of a script", "[Code](https://x.example/a.js?9fe1)", "[Code](https://x.example/a.js?77ab)"],
  ["a signed picture", "![A](/i?id=1&X-Amz-Signature=a)", "![A](/i?id=1&X-Amz-Signature=b)"],
  ["the score of a link beside its comments", "12 points by a | 3 comments", "14 points by a | 5 comments"],
  ["shares beside comments", "30 shares · 4 comments", "31 shares · 5 comments"],
  ["a pixel", "Text ![](https://x.example/t/pixel.gif?1718)", "Text"],
  ["who reads", "12 readers online", "3 readers online"],
  ["a heading's level", "## News", "### News"],
  ["emphasis", "The **new** `key` of _all_", "The new key of all"],
  ["a tracked link", "[Go](/a?utm_source=a)", "[Go](/a?utm_source=b)"],
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
  ["a parameter of a link", "[Go](/a?sid=1)", "[Go](/a?sid=2)"],
  ["another picture", "![A](/show?id=1)", "![A](/show?id=2)"],
  ["a struck word", "~~Sold~~ out", "Sold out"],
  ["upper case", "Open", "OPEN"],
  ["a time alone", "10:15:01", "10:16:32"],
  ["a day with a time", "Seen 3 June 2025, 10:15", "Seen 4 July 2025, 9:05 pm"],
  ["a token", "ref 0f8fad5b-d9cb-469f-a165-70867728950e", "ref 7c9e6679-7425-40de-944b-e07fc1f90ae7"],
  ["a count in a sentence", "The clip had 300 views in May", "The clip had 900 views in May"],
  [
    "what a day is stated for",
    "As of May 4, 2026, the pool is closed",
    "As of May 9, 2026, the pool is closed",
  ],
  ["a label with more than a moment", "Updated prices: 12.50", "Updated prices: 13.50"],
  ["a number after a label", "Stand 12", "Stand 14"],
  ["a deadline in Chinese", "报名截止：2026年12月4日", "报名截止：2026年12月9日"],
  ["a day that is announced", "Now: May 4, 2026, 10:00", "Now: May 5, 2026, 10:00"],
  ["the answer to a question", "It is May 4, 2026.", "It is May 5, 2026."],
  ["the year of a house", "Built: 1 May 1920", "Built: 1 May 1930"],
  ["holdings", "| ACME | 1,000 shares |", "| ACME | 1,500 shares |"],
  ["points of a game", "Reds 12 points", "Reds 14 points"],
  ["hits of a game", "12 hits | 3 runs", "13 hits | 3 runs"],
  ["what is offered online", "We offer 40 online courses", "We offer 50 online courses"],
  ["rooms", "There are 5 reading rooms", "There are 6 reading rooms"],
  ["the code of a talk", "Session ID: S-20411", "Session ID: S-20412"],
  ["a picture without a name", "![](/collections/boot-1.jpg)", "![](/collections/boot-2.jpg)"],
  ["a picture in a noisy line", "![](/boot-1.jpg) 3 minutes ago", "![](/boot-2.jpg) 3 minutes ago"],
  ["words about now", "Open right now", "Open"],
  ["a version after a label", "Обновление 2.1", "Обновление 2.2"],
  ["a version of three parts", "Updated 2.1.3", "Updated 2.1.4"],
  ["what expires", "The link expires in 30 minutes", "The link expires in 60 minutes"],
  ["the number of a heading", "## 7. Liability", "## 8. Liability"],
  ["the next update", "Next update: May 4, 2026, 10:00", "Next update: May 5, 2026, 10:00"],
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
  ["an advertisement more", `${page}\n\nAdvertisement`],
])("a page and %s are the same", (_, other) => expect(compare(page, other)).toBeUndefined());

test("a change shows what was added, what was removed, and the lines around", () => {
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

test.each<[string, string[], string[]]>([
  ["a stamp", ["Last updated", "2026-12-04 10:15"], ["Last updated", "2026-12-05 11:20"]],
  ["a score and its comments", ["Points: 3", "# Comments: 4"], ["Points: 9", "# Comments: 11"]],
])("two lines may be noise together: %s", (_, before, after) => {
  expect(compare(["Text", ...before].join("\n\n"), ["Text", ...after].join("\n\n"))).toBeUndefined();
  expect(compare(["Text", before[1]].join("\n\n"), ["Text", after[1], "end"].join("\n\n"))).toBeDefined();
});

test("code is compared as it is", () => {
  const code = (line: string) => `Use this:\n\n\`\`\`\n${line}\n\`\`\``;
  expect(compare(code("- a_ = 1"), code("+ a_ = 1"))).toMatchObject({
    added: ["+ a_ = 1"],
    removed: ["- a_ = 1"],
  });
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

describe("a page costs no more than its length", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`);

  test("marks that are piled on one letter", () => {
    const piled = `e${"\u0301\u0327".repeat(500_000)}`;
    expect(compare(`Text\n${piled}`, `Text\nmore\n${piled}`)).toMatchObject({
      added: expect.arrayContaining(["more"]),
    });
  });

  test("the noise rules end after 40,000 lines, and what follows counts as it is", () => {
    const stamp = (time: string) => `Updated 2026-12-04 ${time}`;
    const [few, many] = [lines(30_000), lines(40_000)];
    const noisy = (before: string[], time: string) => [...before, stamp(time), "end"].join("\n");
    expect(compare(noisy(few, "10:15"), noisy(few, "11:20"))).toBeUndefined();
    expect(compare(noisy(many, "10:15"), noisy(many, "11:20"))).toMatchObject({ truncated: true });
    expect(compare(noisy(many, "10:15"), noisy(many, "10:15"))).toBeUndefined();
  });

  test("the same after a million characters, also of one line", () => {
    const long = "long ".repeat(220_000);
    expect(compare(`${long}a`, `${long}b`)).toMatchObject({ added: [], removed: [], truncated: true });
    expect(compare(`${long}a`, `${long}a`)).toBeUndefined();
  });

  test("10,000 lines are kept", () => {
    const text = readPageText(lines(50_000).join("\n"))?.text ?? "";
    expect(text.split("\n")).toHaveLength(10_000);
  });

  test("pages that have nothing in common, and those that have every second line", () => {
    const others = (mark: string) => lines(20_000).map((line, n) => (n % 2 ? `${mark} ${line}` : "same"));
    expect(compare(others("a").join("\n"), others("b").join("\n"))).toMatchObject({
      diff: "",
      truncated: true,
    });
  });
});

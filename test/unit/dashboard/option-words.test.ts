import { wordsOfOptions } from "../../../dashboard/source/option-words.ts";

test("the options of a page are said in words", () => {
  const words = wordsOfOptions("web", {
    select: [".price", "h1"],
    ignore: ["/^\\d+ people/"],
    when: { contains: ["in stock", "available"], added_only: true, value: { select: ".price", below: 20 } },
    unique_lines: true,
    interval: "15m",
    schedule: { time_zone: "Europe/Vienna", days: ["mon", "fri"], from: "08:00" },
    render: "always",
    headers: { "accept-language": "•••" },
    json: { schema: { properties: { price: {}, title: {} } } },
    screenshot: true,
  });
  expect(Object.fromEntries(words)).toEqual({
    Watches: ".price, h1",
    "Ignores lines with": "/^\\d+ people/",
    Fields: "price, title",
    Reports:
      "when it contains “in stock” or “available”; when something was added; when the number at .price falls below 20; only lines that were not there before",
    Checks: "every 15 minutes, on Mon, Fri from 08:00 to 24:00 (Europe/Vienna)",
    "Reads it": "in a browser, always",
    Sends: "the headers accept-language",
    Pictures: "before and after each change",
  });
});

test("without options it says what is watched", () => {
  expect(wordsOfOptions("rss", {})).toEqual([["Watches", "New and changed entries"]]);
  expect(wordsOfOptions("microblog", {})).toEqual([["Watches", "New posts"]]);
  expect(wordsOfOptions("web", {})[0]?.[1]).toContain("whole page");
  expect(wordsOfOptions("web", { interval: "1d" })).toContainEqual(["Checks", "every day"]);
});

test("the options of a site and of a search are said in words", () => {
  expect(
    Object.fromEntries(
      wordsOfOptions("site", {
        limit: 5000,
        include: ["/docs/**"],
        exclude: ["/docs/old/**"],
        max_depth: 3,
        include_subdomains: true,
        sitemaps: false,
        goal: "Prices",
        judge: false,
      }),
    ),
  ).toEqual({
    Watches: "New, changed, gone and moved pages",
    Goal: "Prices (not judged at present)",
    Pages:
      "at most 5,000; only /docs/**; without /docs/old/**; up to 3 links from the entry page; on subdomains, too; not those of sitemaps",
  });
  expect(wordsOfOptions("site", {})).toContainEqual(["Pages", "at most 1,000"]);
  expect(wordsOfOptions("search", { domains: ["example.com"], window: "week" })).toEqual([
    ["Watches", "New results"],
    ["Looks at", "example.com; the last week"],
  ]);
});

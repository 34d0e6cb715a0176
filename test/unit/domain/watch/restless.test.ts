import { matcherOf, shownLine } from "../../../../services/domain/watch/patterns.ts";
import { line, listed, WatchedLines } from "./watched-lines.ts";

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const text = times(12, n => line(`A sentence about boots, number ${"abcdefghijkl"[n]}.`, `main>p:${n + 2}`));
const withLine = (of: string, place = "main>p", area: "main" | "aside" = "main") => [
  line(of, place, area),
  ...text,
];

test("a line that differs in three of four checks is muted, and shown with the pattern that settles it", () => {
  const watch = new WatchedLines();
  for (let n = 0; n < 10; n += 1) watch.check(withLine(`${20 + n} applicants`));
  expect(watch.verdicts.map(({ outcome }) => outcome)).toEqual([
    ...["same", "changed", "changed"],
    ...times(7, () => "muted"),
  ]);
  const last = watch.verdicts.at(-1);
  expect(last?.why).toBe("Only lines that are muted have changed: 1 line changes at nearly every check.");
  expect(last?.muted).toMatchObject([
    { place: "main>p", text: "29 applicants", ignore: "/^[\\d.,:]+ applicants$/" },
  ]);
  expect(matcherOf(last?.muted[0]?.ignore ?? "")("1,204 applicants")).toBe(true);
});

test("beside a number that is watched, the reason names the muted lines too", () => {
  const watch = new WatchedLines({ when: { value: { changed_by_percent: 1 } } });
  for (let n = 0; n < 10; n += 1) watch.check(withLine(`${20 + n} applicants`), undefined, 30);
  expect(watch.verdicts.at(-1)).toMatchObject({
    outcome: "muted",
    why: "The number is 30: as before. Only lines that are muted have changed: 1 line changes at nearly every check.",
  });
});

test("a restless line that rests for five checks is told once, where it differs from what was told last", () => {
  const watch = new WatchedLines();
  for (let n = 0; n < 8; n += 1) watch.check(withLine(`Queue position: ${400 - n}`));
  const rests = times(8, () => watch.check(withLine("Queue position: 7")));
  expect(rests.map(({ outcome }) => outcome)).toEqual([
    ...["muted", "same", "same", "same", "same"],
    ...["changed", "same", "same"],
  ]);
  expect(rests[5]?.change).toMatchObject({ added: ["Queue position: 7"], removed: ["Queue position: 398"] });
  expect(rests[5]?.muted).toEqual([]);
});

test("a restless line that rests at what was told last is told no more", () => {
  const watch = new WatchedLines();
  for (const n of [1, 2, 3, 4, 5, 3, 3, 3, 3, 3, 3, 3]) watch.check(withLine(`${n} in the queue`));
  expect(watch.told).toHaveLength(2);
});

test("other words in a line of which only numbers changed are news at once", () => {
  const watch = new WatchedLines();
  for (let n = 0; n < 8; n += 1) watch.check(withLine(`Queue position: ${400 - n}`));
  expect(watch.check(withLine("It is your turn: come in")).change).toMatchObject({
    added: ["It is your turn: come in"],
  });
});

test("a change beside a muted line is told, and nothing of the muted line with it", () => {
  const watch = new WatchedLines();
  for (let n = 0; n < 8; n += 1) watch.check(withLine(`${20 + n} applicants`));
  const other = [
    line("99 applicants", "main>p"),
    ...text.slice(0, 3),
    line("Sold out", "main>p:5"),
    ...text.slice(4),
  ];
  expect(watch.check(other).change).toMatchObject({ added: ["Sold out"], removed: [text[3]?.text] });
});

test("a muted line keeps its place in the memory while lines come and go above it", () => {
  const watch = new WatchedLines();
  const page = (news: string[], count: number) => [
    ...listed(news, "main>ul"),
    line(`Seen by ${count} of us`, `main>p:${news.length + 1}`),
    ...text,
  ];
  for (let n = 0; n < 8; n += 1) watch.check(page(["One"], n));
  expect(watch.check(page(["Two", "One"], 70)).change).toMatchObject({ added: ["Two"], removed: [] });
  expect(watch.check(page(["Two", "One"], 71)).outcome).toBe("muted");
  expect(watch.check(page(["Three", "Two", "One"], 72)).change).toMatchObject({
    added: ["Three"],
    removed: [],
  });
});

test.each([1, 2, 3, 5, 8])(
  "a list that gets %d lines at its top and loses as many tells every one",
  count => {
    const watch = new WatchedLines();
    const news = times(200, n => `News number ${n} of the day`).reverse();
    for (let n = 0; n < 20; n += 1) {
      const start = news.length - 10 - n * count;
      watch.check([...listed(news.slice(start, start + 10), "main>ul"), ...text]);
    }
    expect(watch.added).toHaveLength(19 * count);
    expect(watch.verdicts.flatMap(({ muted }) => muted)).toEqual([]);
  },
);

test("what a day brings is no noise: other words in checks that are a day apart", () => {
  const watch = new WatchedLines();
  const dishes = ["Goulash", "Soup of lentils", "Trout", "Dumplings", "Salad", "Stew of beans", "Pancakes"];
  for (const dish of dishes) watch.check(withLine(`Today: ${dish}`), 24 * 3_600_000);
  expect(watch.told).toHaveLength(dishes.length - 1);
});

test("lines that somebody has pointed at are not muted where most of them are restless", () => {
  const watch = new WatchedLines({ select: [".queue"] });
  for (let n = 0; n < 10; n += 1) watch.check([line(`Queue position: ${n}`, "#queue")]);
  expect(watch.told).toHaveLength(9);
  const wide = new WatchedLines({ select: ["main"] });
  for (let n = 0; n < 10; n += 1) wide.check(withLine(`Queue position: ${n}`));
  expect(wide.told).toHaveLength(2);
});

test("the pattern of a muted line silences it", () => {
  const texts: [string, (n: number) => string][] = [
    ["numbers", n => `Booked ${n} times in the last 24 hours`],
    ["a clock", n => `Your session ends in ${n}:57`],
    ["stars", n => `★ 4.6 (${1200 + n} reviews)`],
    ["a link", n => `[Apply](https://x.example/apply?sess=a${n}b)`],
    ["names", n => `${["Anna", "Bo", "Cem", "Dora"][n % 4]} from Graz bought this ${n} minutes ago, hurry`],
    ["emphasis", n => `**Only** ${n} [left (of 90)](/stock)`],
  ];
  for (const [, make] of texts) {
    const watch = new WatchedLines();
    for (let n = 1; n < 9; n += 1) watch.check(withLine(make(n)));
    const [muted] = watch.verdicts.at(-1)?.muted ?? [];
    expect(muted?.ignore).not.toBe("");
    const matches = matcherOf(muted?.ignore ?? "");
    const isIgnored = (each: string) => matches(each) || matches(shownLine(each));
    expect(times(20, n => make(n + 31)).filter(each => !isIgnored(each))).toEqual([]);
    expect(text.filter(each => isIgnored(each.text))).toEqual([]);
  }
});

test.each([
  [
    "a price",
    "$",
    [100, 101, 102, 103, 104].map(n => `$${n}`),
    "Sold out",
    ["$95", "$96", "$97", "$98", "$99"],
    "Discontinued for ever",
  ],
  [
    "Chinese",
    "",
    [9, 8, 7, 6, 5].map(n => `剩余${n}张票`),
    "已售罄",
    ["剩余95张票", "剩余94张票", "剩余93张票"],
    "永久停售",
  ],
  [
    "Japanese",
    "",
    [9, 8, 7, 6, 5].map(n => `残り${n}枚`),
    "販売終了",
    ["残り95枚", "残り94枚", "残り93枚"],
    "返金します",
  ],
  ["glued", "", [9, 8, 7, 6, 5].map(n => `${n}left`), "Sold out", ["95left", "94left", "93left"], "Closed"],
])("other words are news each time, also after others: %s", (_, _sign, numbers, first, more, last) => {
  for (const area of ["main", "aside"] as const) {
    const watch = new WatchedLines();
    const check = (said: string) => watch.checkConfirmed(() => withLine(said, `${area}>p`, area));
    for (const said of numbers) check(said);
    expect(check(first).change?.added).toEqual([first]);
    const told = more.map(said => check(said).outcome);
    expect(told).toEqual(["changed", ...more.slice(1).map(() => "muted")]);
    expect(check(last).change?.added).toEqual([last]);
  }
});

test("a number that has become words at each check is restless as any words", () => {
  const watch = new WatchedLines();
  for (let n = 0; n < 6; n += 1) watch.check(withLine(`Seen by ${n} people`));
  for (const name of ["Anna", "Bo", "Cem", "Dora", "Eve", "Finn", "Gus", "Hal"])
    watch.check(withLine(`Seen by ${name}`));
  expect(watch.verdicts.slice(-4).map(({ outcome }) => outcome)).toEqual(times(4, () => "muted"));
});

test("a list that is new at each check tells each of its lines", () => {
  const watch = new WatchedLines();
  const flats = times(
    60,
    n => `Flat in the ${["old", "new", "red"][n % 3]} house of ${"abcdefghijklmnopqrst"[Math.floor(n / 3)]}`,
  );
  for (let n = 0; n < 12; n += 1) watch.check([...listed(flats.slice(n * 5, n * 5 + 5), "main>ul"), ...text]);
  expect(watch.added).toEqual(flats.slice(5));
  expect(watch.verdicts.at(-1)?.muted).toEqual([]);
});

test("a line that moves up into the place of a restless one is not muted", () => {
  const watch = new WatchedLines();
  const teasers = ["Boots", "Hats", "Gloves", "Scarves", "Coats", "Socks"];
  const status = (said: string, place: string) => line(said, place);
  for (const teaser of teasers)
    watch.check([line(`Look: ${teaser}`, "main>p"), status("Open", "main>p:30"), ...text]);
  watch.check([status("Open", "main>p"), ...text]);
  expect(watch.check([status("CLOSED because of fire", "main>p"), ...text]).change?.added).toContain(
    "CLOSED because of fire",
  );
});

test("a restless line that changes its place with another one takes its habit along", () => {
  const watch = new WatchedLines();
  const page = (first: string, second: string) => [line(first, "main>p"), ...text, line(second, "main>p:30")];
  for (let n = 0; n < 7; n += 1) watch.check(page(`Seen by ${n} people`, "Open"));
  watch.check(page("Open", "Seen by 6 people"));
  expect(watch.check(page("Closed", "Seen by 6 people")).change?.added).toContain("Closed");
  expect(watch.check(page("Closed", "Seen by 9 people")).outcome).toBe("muted");
});

test.each([6, 11, 24])(
  "other words in checks that are %d hours apart are told, also where they were muted",
  hours => {
    const watch = new WatchedLines();
    const dishes = ["Goulash", "Soup", "Trout", "Dumplings", "Salad", "Stew", "Pancakes", "Fish"];
    for (const dish of dishes) watch.check(withLine(`Today: ${dish}`));
    for (const dish of dishes)
      expect(watch.check(withLine(`Today: ${dish} and rice`), hours * 3_600_000).change?.added).toEqual([
        `Today: ${dish} and rice`,
      ]);
  },
);

test.each([350, 550])(
  "a table of %d rows whose numbers move is muted, and other words in it are told",
  count => {
    const watch = new WatchedLines();
    const rows = (n: number) =>
      times(
        count,
        k =>
          `Coin ${"abcdefghij"[k % 10]}${"klmnopqrst"[Math.floor(k / 10) % 10]}${"uvwxyzabc"[Math.floor(k / 100)]} $${100 + k}.${10 + n}`,
      );
    for (let n = 0; n < 10; n += 1) watch.check(listed(rows(n), "main>table"));
    expect(watch.told).toHaveLength(2);
    const other = rows(10).with(7, "Coin hka is gone");
    expect(watch.check(listed(other, "main>table")).change?.added).toEqual(["Coin hka is gone"]);
  },
);

test.each([
  [
    "headlines",
    ["The mayor resigns", "The storm hits the coast", "The team wins", "The school opens", "The vote"],
    "",
  ],
  [
    "a label",
    ["Breaking: fire", "Breaking: flood", "Breaking: strike", "Breaking: storm", "Breaking: sun"],
    "",
  ],
  ["a price", [1, 2, 3, 4, 5].map(n => `Price: $${n}`), "/^Price: \\$[\\d.,:]+$/"],
  ["numbers of another line", [1, 2, 3, 4, 5].map(n => `${n} boats`), ""],
])("a pattern silences its line alone: %s", (_, said, pattern) => {
  const watch = new WatchedLines();
  const other = [line("Price: $7 a day", "main>p:30"), line("12 boats", "main>p:31")];
  for (const each of said) watch.check([...withLine(each), ...other]);
  expect(watch.verdicts.at(-1)?.muted.map(({ ignore }) => ignore)).toEqual([pattern]);
});

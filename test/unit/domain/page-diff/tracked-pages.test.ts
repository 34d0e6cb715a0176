import { extractPage } from "../../../../reader/page/extract-page.ts";
import { readPageText } from "../../../../services/domain/page-diff/compare-page.ts";
import { comparable } from "../../../../services/domain/page-diff/noise.ts";
import type { PageChange } from "../../../../services/domain/watch/line-difference.ts";
import { comparePage } from "./compare.ts";
import { type PageName, pageNames, type Surroundings, trackedPage } from "./tracked-pages.ts";

/** From HTML to the change, as a poll does it. */
function compare(before: string, after: string): PageChange | undefined {
  const [a, b] = [before, after].map(html => readPageText(markdownOf(html)));
  if (!a || !b) throw new Error("a page says nothing");
  return comparePage(a, b);
}

function markdownOf(html: string): string {
  const source = { html, url: "https://site.example/page" };
  return extractPage(source, { formats: ["markdown"], onlyMainContent: true }).markdown ?? "";
}

function edited(name: PageName, from: string, to: string): PageChange | undefined {
  const before = trackedPage(name);
  if (!before.includes(from)) throw new Error(`${name} has no ${from}`);
  return compare(
    before,
    trackedPage(name, content => content.replaceAll(from, to)),
  );
}

// Each change: what of the page becomes what. The lines that went hold the one, the lines that came the other.
test.each<[page: PageName, from: string, to: string]>([
  ["release", "kestrel-4.2.tar.gz", "kestrel-4.3.tar.gz"],
  ["release", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "356a192b7913b04c54574d18c28d46e6395428ab"],
  ["release", "0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7"],
  ["release", "Published December 1, 2026", "Published December 5, 2026"],
  ["release", "51,200 downloads", "51,300 downloads"],
  ["release", "retries: 5", "retries: 6"],
  ["launch", "December 4, 2026, 14:30 UTC", "December 9, 2026, 09:10 UTC"],
  ["launch", "14:30 UTC", "14:45 UTC"],
  ["launch", "watch?v=AAAAAAAA", "watch?v=BBBBBBBB"],
  ["launch", "watch?v=AAAAAAAA", "watch?v=aaaaaaaa"],
  ["launch", "pad 39", "pad 40"],
  ["appointment", "2026-12-04 10:30", "2026-11-25 09:00"],
  ["appointment", "2026-12-04 10:30", "2026-12-04 11:30"],
  ["appointment", "office=4", "office=5"],
  ["shop", "$129.00", "$119.00"],
  ["shop", "5 left", "4 left"],
  ["shop", "Delivery in 3 days", "Delivery in 5 days"],
  ["shop", "boot-brown.jpg", "boot-black.jpg"],
  ["shop", "ref=A17", "ref=A18"],
  ["shop", "312 buyers", "313 buyers"],
  ["auction", "£1,250", "£1,300"],
  ["auction", "8 bids", "9 bids"],
  ["auction", "6 December 2026, 18:00", "7 December 2026, 18:00"],
  ["poll", "1,200 votes", "51,200 votes"],
  ["statusPage", "All systems operational", "Degraded performance"],
  ["statusPage", "Dec 1, 14:30 UTC", "Dec 1, 15:30 UTC"],
  ["docs", "burst_size", "burst_limit"],
  ["docs", "status 429", "status 503"],
  ["docs", "by Ann", "by Ben"],
  ["front", "Old bridge closes", "Old bridge opens"],
  ["front", "/bridge", "/bridge-2"],
  ["forum", "Replies: 7", "Replies: 8"],
  ["forum", "for two", "for three"],
  ["legal", "as of January 1, 2027", "as of February 1, 2027"],
  ["legal", "As of March 1, 2027", "As of April 1, 2027"],
  ["legal", "Version 3.1", "Version 3.2"],
  ["legal", "7a", "7b"],
  ["fahrplan", "2026-12-04T10:30", "2026-12-04T18:45"],
  ["fahrplan", "Stand 12", "Stand 14"],
  ["stellen", "Teilzeit", "Vollzeit ab sofort"],
  ["stellen", "15. Januar 2027, 12:00 Uhr", "20. Januar 2027, 12:00 Uhr"],
  ["musee", "12 décembre 2026 à 14h30", "13 décembre 2026 à 16h00"],
  ["musee", "8 €", "9 €"],
  ["liga", "31", "34"],
  ["liga", "6 de diciembre de 2026, 18:00", "7 de diciembre de 2026, 20:00"],
  ["afisha", "12 декабря 2026 г., 19:00", "14 декабря 2026 г., 20:00"],
  ["afisha", "1 200 ₽", "1 500 ₽"],
  ["shangdian", "88元", "98元"],
  ["shangdian", "5件", "3件"],
  ["shangdian", "2026年12月4日 10:30", "2026年12月9日 09:10"],
  ["yoyaku", "2026年12月4日 10:30", "2026年11月25日 09:00"],
  ["yoyaku", "3日前まで", "7日前まで"],
  ["yoyaku", "8,800円", "9,800円"],
  ["mawaid", "4 ديسمبر 2026، 10:30", "9 ديسمبر 2026، 09:10"],
  ["mawaid", "150", "200"],
])("%s: %s becomes %s", (page, from, to) => {
  const change = edited(page, from, to);
  expect(change?.removed).toEqual([expect.stringContaining(from)]);
  expect(change?.added).toEqual([expect.stringContaining(to)]);
  expect(change?.truncated).toBeUndefined();
});

test.each<[page: PageName, from: string, to: string]>([
  ["release", "December 2, 2026 at 10:15", "December 3, 2026 at 11:20"],
  ["release", '<p class="meta">Last updated: December 2, 2026 at 10:15</p>', ""],
  ["launch", "2026-12-01T08:00:05Z", "2026-12-01T09:12:44Z"],
  ["launch", "8d1f00a2", "77aa31c0"],
  ["launch", "pad.jpg?v=17", "pad.jpg?v=18"],
  ["appointment", "jsessionid=A1B2C3", "jsessionid=Z9Y8X7"],
  ["appointment", "utm_source=home", "utm_source=mail"],
  ["appointment", "12 people are viewing", "3 people are viewing"],
  ["appointment", "<p>12 people are viewing this right now.</p>", ""],
  ["shop", "1,204 views", "1,311 views"],
  ["shop", "17 people", "9 people"],
  ["shop", "?ver=8", "?ver=9"],
  ["auction", "Ends in 2d 4h 11m", "Ends in 1d 23h 59m"],
  ["statusPage", "10:15:01", "10:16:32"],
  ["statusPage", "7f3a99c1d2", "0b17c2aa41"],
  ["docs", "2026-11-30", "2026-12-01"],
  ["docs", "0.123 seconds", "1.5 seconds"],
  ["docs", "<strong>600</strong>", "<b><span>600</span></b>"],
  ["docs", "<p>", '<p class="text-17" data-nonce="a8f1">'],
  ["front", "3 minutes ago", "2 hours ago"],
  ["front", "14 comments", "15 comments"],
  ["front", "1.2k views | 30 shares", "1.3k views | 31 shares"],
  ["front", '<div class="ad">Advertisement</div>', ""],
  ["front", "h2>", "h3>"],
  ["forum", "5 hours ago", "1 day ago"],
  ["forum", "Views: 4,310", "Views: 4,402"],
  ["forum", "Users online: 31", "Users online: 2"],
  ["legal", "4 December 2026", "5 December 2026"],
  ["legal", "© 2026", "© 2027"],
  ["fahrplan", "4.12.2026, 10:15 Uhr", "4.12.2026, 10:20 Uhr"],
  ["stellen", "vor 3 Tagen", "vor 4 Tagen"],
  ["stellen", "4. Dezember 2026 um 09:30 Uhr", "5. Dezember 2026 um 10:00 Uhr"],
  ["stellen", "1.204 Aufrufe", "1.311 Aufrufe"],
  ["stellen", "17 Besucher", "3 Besucher"],
  ["musee", "4 décembre 2026 à 10h15", "5 décembre 2026 à 11h20"],
  ["musee", "il y a 3 heures", "il y a un jour"],
  ["musee", "1 204 vues", "1 311 vues"],
  ["liga", "4 de diciembre de 2026, 10:15", "5 de diciembre de 2026, 11:20"],
  ["liga", "hace 5 minutos", "hace una hora"],
  ["liga", "350 visitas", "351 visitas"],
  ["afisha", "4 декабря 2026 г., 10:15", "5 декабря 2026 г., 11:20"],
  ["afisha", "3 минуты назад", "2 часа назад"],
  ["afisha", "1 204 просмотра", "1 311 просмотров"],
  ["shangdian", "最后更新：2026年12月4日 10:15", "最后更新：2026年12月5日 11:20"],
  ["shangdian", "3分钟前", "2小时前"],
  ["shangdian", "1204次浏览", "1311次浏览"],
  ["yoyaku", "最終更新日：2026年12月4日", "最終更新日：2026年12月5日"],
  ["yoyaku", "<p>3分前</p>", "<p>2時間前</p>"],
  ["yoyaku", "12月4日 10:15現在", "12月4日 11:20現在"],
  ["mawaid", "آخر تحديث: 4 ديسمبر 2026", "آخر تحديث: 5 ديسمبر 2026"],
  ["mawaid", "قبل 3 دقائق", "قبل ساعتين"],
])("%s: %s becomes %s in silence", (page, from, to) => expect(edited(page, from, to)).toBeUndefined());

test("two entries of a list that change places are a change, and both are named", () => {
  const change = compare(
    trackedPage("ranking"),
    trackedPage("ranking", content =>
      content.replace("The Old Oven", "@").replace("Rye House", "The Old Oven").replace("@", "Rye House"),
    ),
  );
  expect([change?.added, change?.removed]).toEqual([[expect.any(String)], [expect.any(String)]]);
  expect(`${change?.added}`).toMatch(/The Old Oven|Rye House/);
  expect(change?.diff).toMatch(/^[-+]. (?:The Old Oven|Rye House)$/m);
  expect(change?.truncated).toBeUndefined();
});

test("an entry that comes in at the top of a numbered list is all that came", () => {
  const change = compare(
    trackedPage("release"),
    trackedPage("release", content => content.replace("<ol>", "<ol><li>Tabs can be pinned</li>")),
  );
  expect(change).toMatchObject({ added: [expect.stringContaining("Tabs can be pinned")], removed: [] });
});

test.each<[string, Partial<Surroundings>]>([
  [
    "related links",
    { related: "<li><a href='/r/2'>A museum of salt</a></li><li><a href='/r/9'>New</a></li>" },
  ],
  ["a cookie banner", { cookie: "We and our 800 partners use cookies." }],
  ["a footer", { footer: "1,031 visitors since 2019 · © 2027 Harbour" }],
])("%s around the content changes in silence", (_, around) => {
  for (const name of pageNames)
    expect(
      compare(
        trackedPage(name),
        trackedPage(name, content => content, around),
      ),
    ).toBeUndefined();
});

test("noise that goes along with a change is not listed", () => {
  const change = compare(
    trackedPage("docs", content => `${content}<p>Last updated: 1 May 2026</p><img src="/pixel?1718" alt="">`),
    trackedPage("docs", content => content.replace("429", "503").replace("2026-11-30", "2026-12-01")),
  );
  expect(change?.removed).toEqual(["Requests beyond the limit get status 429."]);
  expect(change?.added).toEqual(["Requests beyond the limit get status 503."]);
  expect(change?.diff).not.toMatch(/^[-+].*(?:updated|modified|pixel|rendered)/im);
});

// What the rules take for noise, as the pages above write it.
const noisePlaces =
  /updated|generated|refreshed|modified|rendered|request id|viewing|views|online|ends in|ago|©|advertisement|stand:|aktualisiert|vor \d|aufrufe|besucher|mise à jour|il y a|vues|actualización|hace|visitas|обновлено|назад|просмотр|更新|前<|现在|現在|浏览|تحديث|قبل/i;

test.each(pageNames)("any word of the content of %s that becomes another is a change", name => {
  let words = 0;
  for (const [text] of trackedPage(name, content => content).matchAll(
    /(?<=>)[^<>]*[\p{L}\p{N}][^<>]*(?=<)/gu,
  )) {
    if (noisePlaces.test(`${text}<`)) continue;
    for (const word of new Set(text.match(/[\p{L}\p{N}]{2,}/gu) ?? [])) {
      const edit = (content: string) =>
        content.replace(`>${text}<`, `>${text.replace(word, shifted(word))}<`);
      if (trackedPage(name, edit) === trackedPage(name)) continue;
      words += 1;
      expect([word, compare(trackedPage(name), trackedPage(name, edit))?.added.length]).toEqual([word, 1]);
    }
  }
  expect(words).toBeGreaterThan(4);
});

/** Another word of the same kind: the next letter or digit in place of each. */
function shifted(word: string): string {
  return word.replace(/[\p{L}\p{N}]/gu, sign =>
    sign === "9"
      ? "1"
      : sign.toLowerCase() === "z"
        ? "b"
        : String.fromCodePoint((sign.codePointAt(0) ?? 0) + 1),
  );
}

test.each(pageNames)("other markup around the same text of %s is silent", name => {
  const wrapped = trackedPage(name, content =>
    content
      .replace(/<p(?: class="\w+")?>/g, '<p class="x1" id="n8"><span style="color:#111">')
      .replaceAll("</p>", "</span></p>\n\n"),
  );
  expect(compare(trackedPage(name), wrapped)).toBeUndefined();
});

// Lines without end on one page would else hold up all others.
test.each([
  "1,",
  "1 ",
  "a few ",
  "updated 1",
  "· 1 ",
  "about ",
  "1 day ",
  "![](",
  "https://x.example/?a=1&",
  "( 1 views",
])("lines of nothing but %j are compared in time that grows with their length", piece => {
  const lines = Array.from({ length: 40 }, () => piece.repeat(4000 / piece.length));
  expect(comparable([...lines, piece.repeat(100_000)])).toHaveLength(41);
});

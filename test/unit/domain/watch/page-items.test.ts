import { parseHtml } from "../../../../reader/html/parse-html.ts";
import { compareList, readList } from "../../../../services/domain/watch/page-items.ts";

const url = "https://acme.test/jobs/";

interface Job {
  href?: string;
  title: string;
  text?: string;
}

function listed(jobs: Job[], wanted: string | true = "li") {
  const entries = jobs.map(({ href, title, text = "" }) => {
    const name = href === undefined ? `<b>${title}</b>` : `<a href="${href}">${title}</a>`;
    return `<li><h3>${name}</h3><p>${text}</p></li>`;
  });
  const tree = parseHtml(`<main><ul>${entries.join("")}</ul></main>`, { withDrawings: true });
  return readList(tree, url, wanted, undefined)?.items ?? [];
}

/** The titles that each list tells, after the one before. */
function told(...lists: Job[][]): string[][] {
  let seen: ReturnType<typeof compareList>["seen"] | undefined;
  return lists.map(jobs => {
    const found = compareList(seen, listed(jobs));
    seen = found.seen;
    return found.news.map(({ item }) => item.title ?? "");
  });
}

const cook = { href: "/jobs/1", title: "Cook", text: "Vienna" };
const pilot = { href: "/jobs/2", title: "Pilot", text: "Koper" };
const smith = { href: "/jobs/3", title: "Smith", text: "Graz" };
const notice = (text: string, title = "Notice of the council") => ({ title, text });

test.each<[string, Job[][], string[][]]>([
  ["the first look tells nothing, a new entry is told", [[cook], [pilot, cook]], [[], ["Pilot"]]],
  [
    "the newest is first on the page, and last of the events",
    [[cook], [smith, pilot, cook]],
    [[], ["Pilot", "Smith"]],
  ],
  [
    "another order is no news",
    [
      [cook, pilot, smith],
      [smith, cook, pilot],
    ],
    [[], []],
  ],
  ["an entry that leaves and comes back is no news", [[cook, pilot], [cook], [pilot, cook]], [[], [], []]],
  [
    "a title or text that is edited is no news",
    [[cook], [{ ...cook, title: "Chief cook", text: "Linz" }]],
    [[], []],
  ],
  [
    "tracking parameters and sessions are no other link",
    [[cook], [{ ...cook, href: "/jobs/1?utm_source=x&PHPSESSID=a8f3" }]],
    [[], []],
  ],
  [
    "a link that is made anew each time is the same entry",
    [
      [cook, pilot],
      [{ ...cook, href: "/go/9f" }, pilot],
    ],
    [[], []],
  ],
  [
    "another entry with the same words beside it is new",
    [[cook], [cook, { ...cook, href: "/jobs/9" }]],
    [[], ["Cook"]],
  ],
  [
    "without links, counters are no news",
    [[notice("12 comments, open")], [notice("13 comments, open")]],
    [[], []],
  ],
  [
    "without links, another text is another entry",
    [[notice("The bridge is closed.")], [notice("The bridge is open.")]],
    [[], ["Notice of the council"]],
  ],
  [
    "without links, another date is another entry",
    [[notice("5 May 2026, window 3")], [notice("6 May 2026, window 3")]],
    [[], ["Notice of the council"]],
  ],
])("%s", (_, lists, expected) => {
  expect(told(...lists)).toEqual(expected);
});

test("more new entries than one check tells follow in the next ones", () => {
  const many = Array.from({ length: 120 }, (_, n) => ({ href: `/jobs/${n}`, title: `Job number ${n}` }));
  const first = compareList(compareList(undefined, []).seen, listed(many));
  const second = compareList(first.seen, listed(many));
  const third = compareList(second.seen, listed(many));
  expect([first, second, third].map(({ news, isWhole }) => [news.length, isWhole])).toEqual([
    [50, false],
    [50, false],
    [20, true],
  ]);
  const ids = [first, second, third].flatMap(({ news }) => news.map(({ postId }) => postId));
  expect(new Set(ids).size).toBe(120);
});

test("after a change of the rules for noise, an entry without a link is taken for known once, and one with a link is not", () => {
  const { seen } = compareList(undefined, listed([cook, notice("One")]));
  const { news } = compareList(seen, listed([cook, notice("Another"), pilot]), true);
  expect(news.map(({ item }) => item.title)).toEqual(["Pilot"]);
});

test("the memory of entries that have left the page is bounded", () => {
  let seen = compareList(undefined, listed([cook])).seen;
  for (let page = 0; page < 40; page += 1) {
    const jobs = Array.from({ length: 50 }, (_, n) => ({
      href: `/j/${page}-${n}`,
      title: `Job ${page} ${n}`,
    }));
    seen = compareList(seen, listed(jobs)).seen;
  }
  expect(seen.seen.length).toBe(28 * (50 + 300));
});

test("what an entry shows has absolute addresses, and its date is an instant", () => {
  const tree = parseHtml(
    `<html lang="de"><main><article><img data-src="../a.jpg" src="data:image/gif;base64,R0"><h2><a href="eins?utm_source=x">Eins</a></h2><span class="datum">14. März 2026</span><p>Ein Text.</p></article></main></html>`,
  );
  expect(readList(tree, url, "article", undefined)).toEqual({
    selector: "article",
    items: [
      {
        id: "https://acme.test/jobs/eins",
        url: "https://acme.test/jobs/eins?utm_source=x",
        title: "Eins",
        content_text: "14. März 2026\nEin Text.",
        image: "https://acme.test/a.jpg",
        date_published: "2026-03-14T00:00:00.000Z",
      },
    ],
  });
});

test("an entry is chosen by XPath, too", () => {
  expect(listed([cook, pilot], "//ul/li[2]").map(({ title }) => title)).toEqual(["Pilot"]);
});

test("a list that is to be found keeps its selector until that finds nothing", () => {
  const page = (tag: string) =>
    parseHtml(
      `<main>${[cook, pilot, smith].map(({ href, title, text }) => `<${tag} class="job"><h3><a href="${href}">${title}</a></h3><p>${text}</p></${tag}>`).join("")}</main>`,
    );
  const found = readList(page("div"), url, "auto", undefined);
  expect([found?.selector, found?.items.length]).toEqual(["div.job", 3]);
  expect(readList(page("div"), url, true, ".job")?.selector).toBe(".job");
  expect(readList(page("section"), url, "auto", "div.job")?.selector).toBe("section.job");
  expect(readList(parseHtml("<main><p>Nothing here.</p></main>"), url, "auto", "div.job")).toBeUndefined();
});

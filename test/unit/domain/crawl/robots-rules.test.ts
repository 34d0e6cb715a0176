import fc from "fast-check";
import { robotsRules } from "../../../../services/domain/crawl/robots-rules.ts";

const site = "https://site.example";
const rules = (text: string, status: number | null = 200) => robotsRules(text, status, `${site}/robots.txt`);
const allowed = (text: string, ...paths: string[]) => {
  const { allows } = rules(text);
  return paths.filter(path => allows(site + path));
};

/** RFC 9309, 2.2.1: groups. */
test.each([
  ["our own group", "User-agent: Magpie\nDisallow: /a", true],
  ["in any case", "uSeR-aGeNt: mAgPiE\ndIsAlLoW: /a", true],
  ["with a version", "User-agent: Magpie/1.0\nDisallow: /a", true],
  ["of another", "User-agent: Magpiebot\nDisallow: /a", false],
  ["of the beginning of our name", "User-agent: Mag\nDisallow: /a", false],
  ["for all", "User-agent: *\nDisallow: /a", true],
  [
    "for all when ours says otherwise",
    "User-agent: *\nDisallow: /a\n\nUser-agent: Magpie\nDisallow: /b",
    false,
  ],
  ["for all before or behind ours", "User-agent: Magpie\nDisallow: /b\n\nUser-agent: *\nDisallow: /a", false],
  ["for all when ours is empty", "User-agent: Magpie\nDisallow:\n\nUser-agent: *\nDisallow: /", false],
  ["shared with others", "User-agent: x\nUser-agent: Magpie\nUser-agent: y\nDisallow: /a", true],
  ["shared across blank lines", "User-agent: Magpie\n\n\nUser-agent: y\nDisallow: /a", true],
  ["shared across comments", "User-agent: Magpie # us\n# them\nUser-agent: y\nDisallow: /a", true],
  [
    "shared across other records",
    "User-agent: Magpie\nSitemap: /s.xml\nHost: x\nUser-agent: y\nDisallow: /a",
    true,
  ],
  ["not shared across rules", "User-agent: Magpie\nAllow: /\nUser-agent: y\nDisallow: /a", false],
  ["not shared across a delay", "User-agent: Magpie\nCrawl-delay: 1\n\nUser-agent: y\nDisallow: /", false],
  [
    "twice, together",
    "User-agent: Magpie\nDisallow: /b\n\nUser-agent: x\nDisallow: /\n\nUser-agent: Magpie\nDisallow: /a",
    true,
  ],
  ["rules before any group", "Disallow: /a\nUser-agent: *\nDisallow: /b", false],
  ["no rules", "", false],
  ["no records", "<html>\n<body>Not found</body>", false],
  ["carriage returns", "User-agent: *\rDisallow: /a", true],
  ["both line ends", "User-agent: *\r\nDisallow: /a\r\n", true],
  ["a byte order mark", "\ufeffUser-agent: *\nDisallow: /a", true],
  ["blanks around", "  User-agent  :   *  \n\tDisallow\t:\t/a\t", true],
  ["an odd agent beside", "User-agent: \nUser-agent: *\nDisallow: /a", true],
])("%s", (_what, text, isForbidden) => {
  expect(allowed(text, "/a")).toEqual(isForbidden ? [] : ["/a"]);
});

/** RFC 9309, 2.2.2 and 2.2.3: rules, and the paths that they forbid. */
test.each([
  [["Disallow: /"], ["/", "/a", "/a?b"], []],
  [["Disallow:"], [], ["/", "/a"]],
  [["Disallow: /a"], ["/a", "/a/", "/ab", "/a?b", "/a/b"], ["/", "/A", "/b/a"]],
  [["Disallow: a"], ["/a"], ["/"]],
  [["Disallow: /a/"], ["/a/", "/a/b"], ["/a"]],
  [["Disallow: /*.gif$"], ["/a.gif", "/b/c.gif"], ["/a.gif?x", "/a.gift"]],
  [["Disallow: /a$"], ["/a"], ["/a/", "/ab", "/a?b"]],
  [["Disallow: *.php"], ["/x.php", "/x.php?y"], ["/php"]],
  [["Disallow: /a*b*c"], ["/abc", "/axxbyyc/d"], ["/acb"]],
  [["Disallow: /a**b"], ["/ab", "/axb"], ["/a"]],
  [["Disallow: /x$y"], ["/x$y"], ["/x"]],
  [
    ["Disallow: /a", "Allow: /a/b"],
    ["/a", "/a/c"],
    ["/a/b", "/a/bc"],
  ],
  [["Allow: /a/b", "Disallow: /a"], ["/a", "/a/c"], ["/a/b"]],
  [["Allow: /a", "Disallow: /a"], [], ["/a"]],
  [["Disallow: /a", "Allow: /a"], [], ["/a"]],
  [["Disallow: /", "Allow: /$"], ["/a"], ["/"]],
  [
    ["Disallow: /*?", "Allow: /*?page="],
    ["/a?x", "/a?x&page=1"],
    ["/a", "/a?page=1"],
  ],
  [["Disallow: /a # not this", "Disallow: /b#c"], ["/a", "/b"], ["/c"]],
  [["Disallow: /", "Allow: /robots.txt.bak"], ["/x"], ["/robots.txt", "/robots.txt.bak"]],
  // The table of 2.2.2.
  [["Disallow: /foo/bar?baz=quz"], ["/foo/bar?baz=quz"], ["/foo/bar?baz=qux"]],
  [
    ["Disallow: /foo/bar?baz=https://foo.bar"],
    ["/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar"],
    [],
  ],
  [["Disallow: /foo/bar/\u30c4"], ["/foo/bar/%E3%83%84", "/foo/bar/\u30c4", "/foo/bar/%e3%83%84"], []],
  [["Disallow: /foo/bar/%E3%83%84"], ["/foo/bar/%E3%83%84", "/foo/bar/\u30c4"], []],
  [["Disallow: /foo/bar/%62%61%7A"], ["/foo/bar/baz"], ["/foo/bar/bar"]],
  [["Disallow: /a/b"], ["/%61/b"], ["/a%2Fb"]],
  // The examples of 5.2.
  [
    ["Allow: /example/page/", "Disallow: /example/page/disallowed.gif"],
    ["/example/page/disallowed.gif"],
    ["/example/page/"],
  ],
])("%j", (lines, forbidden, free) => {
  const text = ["User-agent: *", ...lines].join("\n");
  expect(allowed(text, ...forbidden)).toEqual([]);
  expect(allowed(text, ...free)).toEqual(free);
});

test("the example of RFC 9309, 5.1", () => {
  const text = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: magpie
Disallow: /example/page.html

User-Agent: quxbot`;
  expect(allowed(text, "/example/page.html", "/example/allowed.gif", "/x.gif")).toEqual([
    "/example/allowed.gif",
    "/x.gif",
  ]);
});

/** RFC 9309, 2.3.1: what the answer's status says. */
test.each<[number | null, boolean, boolean]>([
  [200, false, true],
  [204, false, true],
  [301, true, true],
  [400, true, true],
  [401, true, true],
  [403, true, true],
  [404, true, true],
  [410, true, true],
  [429, true, true],
  [500, false, false],
  [503, false, false],
  [599, false, false],
  [null, false, false],
])("an answer of %p: /a %p, /b %p", (status, a, b) => {
  const { allows } = rules("User-agent: *\nDisallow: /a", status);
  expect([allows(`${site}/a`), allows(`${site}/b`)]).toEqual([a, b]);
});

test.each<[string, number | null]>([
  ["User-agent: *\nCrawl-delay: 2.5", 2500],
  ["User-agent: *\nCrawl-delay: 9\nUser-agent: Magpie\nCrawl-delay: 1\nDisallow: /a", 1000],
  ["User-agent: *\nCrawl-delay: 9\nUser-agent: Magpie\nDisallow: /a", null],
  ["User-agent: other\nCrawl-delay: 9", null],
  ["User-agent: *\nCrawl-delay: soon", null],
  ["User-agent: *\nCrawl-delay: -1", null],
  ["User-agent: *\nCrawl-delay: Infinity", null],
])("%j asks for a delay of %p ms", (text, expected) => {
  expect(rules(text).crawlDelayMs).toBe(expected);
});

test("sitemaps belong to no group", () => {
  const text = `Sitemap: https://site.example/a.xml
User-agent: other
Disallow: /
sitemap: /b.xml # here
Sitemap: https://cdn.example/c.xml.gz
Sitemap: https://site.example/a.xml
Sitemap: ftp://site.example/d.xml
Sitemap:`;
  expect(rules(text).sitemaps).toEqual([
    "https://site.example/a.xml",
    "https://site.example/b.xml",
    "https://cdn.example/c.xml.gz",
  ]);
});

test("says nothing of other origins", () => {
  const { allows } = rules("User-agent: *\nDisallow: /");
  expect([`${site}:8443/a`, "https://other.example/a", "no url"].map(allows)).toEqual([true, true, true]);
});

/** RFC 9309, 2.5. */
test("500 KiB are read, and what is cut off counts for nothing", () => {
  const filler = `${"#".repeat(127)}\n`.repeat(3999);
  const head = `${filler}User-agent: *\nDisallow: /within\nDisallow: /cut`;
  const space = 500 * 1024 - head.length;
  const text = `${filler}${"#".repeat(space - 1)}\nUser-agent: *\nDisallow: /within\nDisallow: /cut-off\nDisallow: /beyond`;
  expect(allowed(text, "/within", "/cut", "/cut-off", "/beyond")).toEqual(["/cut", "/cut-off", "/beyond"]);
});

test("files that cost time with each page forbid more than they say", () => {
  const rule = `/*${"a*".repeat(50)}b`;
  const text = `User-agent: *\n${`Disallow: /x${rule}\n`.repeat(4000)}Allow: /x/*y\nDisallow: /plain`;
  expect(allowed(text, `/${"a".repeat(2000)}`, "/x/y", "/x", "/plain", "/")).toEqual([
    `/${"a".repeat(2000)}`,
    "/x",
    "/",
  ]);
});

/** RFC 9309, 2.2.2, as it reads: every rule is tried on every beginning of the path. */
function fits(rule: string, path: string): boolean {
  if (rule === "" || rule === "$") return rule === "" || path === "";
  if (rule[0] === "*")
    return Array.from({ length: path.length + 1 }, (_, at) => path.slice(at)).some(rest =>
      fits(rule.slice(1), rest),
    );
  return rule[0] === path[0] && path !== "" && fits(rule.slice(1), path.slice(1));
}

function isAllowedBy(lines: [boolean, string][], path: string): boolean {
  const fitting = lines.filter(([, rule]) => fits(rule, path));
  const longest = Math.max(...fitting.map(([, rule]) => rule.length));
  const deciding = fitting.filter(([, rule]) => rule.length === longest);
  return deciding.length === 0 || deciding.some(([isAllowed]) => isAllowed);
}

test("any rules say of any path what the RFC says", () => {
  const piece = fc.constantFrom("a", "b", "/", "*", "$", "ab", "a/", "?", "=");
  const rule = fc.array(piece, { maxLength: 6 }).map(pieces => `/${pieces.join("")}`.replace(/\*{2,}/g, "*"));
  const step = fc.constantFrom("a", "b", "/", "$", "ab", "c");
  const path = fc.tuple(fc.array(step, { maxLength: 8 }), fc.constantFrom("", "?a=b", "?=", "?b$"));
  const lines = fc.array(fc.tuple(fc.boolean(), rule), { maxLength: 12 });
  fc.assert(
    fc.property(lines, path, (rulesOfFile, [steps, query]) => {
      // A URL has no empty query, and its path begins with a slash.
      const asked = `/${steps.join("")}${query}`;
      const text = rulesOfFile.map(([isAllowed, each]) => `${isAllowed ? "Allow" : "Disallow"}: ${each}`);
      const { allows } = rules(["User-agent: *", ...text].join("\n"));
      expect(allows(site + asked)).toBe(isAllowedBy(rulesOfFile, asked));
    }),
    { numRuns: 2000 },
  );
});

test.each(["/a[", "/a|b", "/a^", "/a`b", '/a"b', "/a{b}", "/a?x[]=1", "/a?f|g"])(
  "%s is found as it is written and escaped",
  path => {
    const escaped = path.replace(/["[\]^`{|}]/g, encodeURIComponent);
    for (const rule of [path, escaped])
      expect(allowed(`User-agent: *\nDisallow: ${rule}`, path, escaped)).toEqual([]);
  },
);

test("many names and many rules cost their sum, not their product", () => {
  const names = "User-agent: Magpie\n".repeat(12_000);
  const lines = Array.from({ length: 12_000 }, (_, n) => `Disallow: /${n}`).join("\n");
  expect(allowed(names + lines, "/11999", "/x")).toEqual(["/x"]);
});

test("a long line before the end of what is read costs its length", () => {
  const text = `User-agent: *\nDisallow: /a\n#${"a".repeat(499 * 1024)}\n${"x".repeat(10_000)}`;
  expect(allowed(text, "/a", "/b")).toEqual(["/b"]);
});

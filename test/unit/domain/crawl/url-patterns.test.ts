import { RequestBudget } from "../../../../reader/text/request-budget.ts";
import { PatternError, urlPatterns } from "../../../../services/domain/crawl/url-patterns.ts";

const fits = (pattern: string, url: string) =>
  urlPatterns([pattern], [])(url.startsWith("http") ? url : `https://www.site.example${url}`);

test.each([
  [
    "/blog/*",
    ["/blog/a", "/blog/a/", "/blog/a?x=1"],
    ["/blog", "/blog/", "/blog/a/b", "/en/blog/a", "/Blog/a"],
  ],
  ["/blog/**", ["/blog", "/blog/", "/blog/a", "/blog/a/b/c?x"], ["/blogs", "/", "/en/blog/a"]],
  ["/blog/*/", ["/blog/a", "/blog//", "/my/blogs"], ["/"]],
  ["/**/print", ["/print", "/a/print", "/a/b/print/"], ["/print/a", "/sprint"]],
  ["/a/**/z", ["/a/z", "/a/b/z", "/a/b/c/z"], ["/a/bz", "/az"]],
  ["/post-*", ["/post-1", "/post-"], ["/post", "/post-1/a"]],
  ["/a**z", ["/az", "/abz", "/a/b/z"], ["/a/b"]],
  ["*.pdf", ["/a.pdf", "/a/b/c.pdf", "/a.pdf?x"], ["/a.pdf.html", "/apdf"]],
  ["blog/*", ["/blog/a", "/en/blog/a"], ["/blog", "/myblog/a"]],
  ["/", ["/", "/?a"], ["/a"]],
  ["/**", ["/", "/a/b"], []],
  ["/a?x=*", ["/a?x=1", "/a/?x=", "/a?x=1&y=/b"], ["/a", "/a?y=1", "/ab?x=1"]],
  ["/a.b+(c)[d]", ["/a.b+(c)[d]"], ["/aXb+(c)[d]", "/a.bb(c)[d]"]],
  ["/café/*", ["/café/a", "/caf%c3%a9/a"], ["/cafe/a"]],
  ["/a b", ["/a b", "/a%20b"], ["/ab"]],
  [
    "https://site.example/a/*",
    ["/a/b", "http://site.example/a/b"],
    ["/a/b/c", "https://blog.site.example/a/b"],
  ],
  ["https://www.Site.example", ["/", "https://site.example"], ["/a"]],
  ["http://*.site.example/**", ["https://blog.site.example/a", "https://a.b.site.example"], ["/a"]],
  ["http://**", ["/", "/a/b"], []],
  ["https://bücher.example/*", ["https://xn--bcher-kva.example/a"], ["/a"]],
  ["http://site.example:8080/**", ["http://site.example:8080/a"], ["http://site.example/a"]],
])("the glob %s", (pattern, yes, no) => {
  expect(yes.filter(url => !fits(pattern, url))).toEqual([]);
  expect(no.filter(url => fits(pattern, url))).toEqual([]);
});

test.each([
  ["/\\.pdf$/", ["/a.pdf"], ["/a.pdf?x", "/pdf"]],
  ["/^/docs/v[0-9]+/$/", ["/docs/v12/"], ["/docs/v12", "/x/docs/v12/"]],
  ["/^\\/docs\\//", ["/docs/a"], ["/a/docs/a"]],
  ["/[?&]month=/", ["/a?x&month=3"], ["/month=3"]],
  ["/(?i)blog/", ["/my-BLOG/a"], ["/site"]],
  ["/site/", ["/site"], ["/a"]],
  ["/^https://blog\\./", ["https://blog.site.example/"], ["/", "/https://blog."]],
])("the expression %s", (pattern, yes, no) => {
  expect(yes.filter(url => !fits(pattern, url))).toEqual([]);
  expect(no.filter(url => fits(pattern, url))).toEqual([]);
});

test.each<[string[], string[], string, boolean]>([
  [[], [], "/a", true],
  [["/a", "/b"], [], "/b", true],
  [["/a", "/b"], [], "/c", false],
  [[], ["/a"], "/a", false],
  [[], ["/a"], "/b", true],
  [["/a/**"], ["/a/b/**"], "/a/b/c", false],
  [["/a/**"], ["/a/b/**"], "/a/c", true],
])("include %j and exclude %j: %s is taken: %s", (include, exclude, path, expected) => {
  expect(urlPatterns(include, exclude)(`https://site.example${path}`)).toBe(expected);
});

test("what is no URL is not taken", () => {
  expect(urlPatterns([], [])("no url")).toBe(false);
});

test.each<[string[], string[], string, number]>([
  [["/a", "/(/", "/b"], [], "include", 1],
  [[], ["/a", "/b", "/a(?=b)/"], "exclude", 2],
  [["/(a)\\1/"], [], "include", 0],
  [["/a{2000}/"], [], "include", 0],
  [["/(a{100}){9}/"], [], "include", 0],
  [[""], [], "include", 0],
  [["/a".repeat(300)], [], "include", 0],
  [Array.from({ length: 20 }, () => "/a{400}/"), [], "include", 12],
])("%.60j, %.60j: %s.%d cannot be used", (include, exclude, list, index) => {
  const attempt = () => urlPatterns(include, exclude, new RequestBudget());
  expect(attempt).toThrow(PatternError);
  expect(attempt).toThrow(expect.objectContaining({ list, index, message: expect.stringMatching(/\.$/) }));
});

test("patterns that were accepted by other limits are still those of their crawl", () => {
  const classes = `/^\\/${"\\p{L}".repeat(30)}$/`;
  const many = Array.from({ length: 20 }, (_, n) => `/a{400}${n}/`);
  expect(() => urlPatterns([classes], [], new RequestBudget())).toThrow(PatternError);
  const takes = urlPatterns([classes], many);
  expect(takes(`https://site.example/${"b".repeat(30)}`)).toBe(true);
});

test("a hundred of each are enough for anyone, and do not take long on the longest URL", () => {
  const globs = Array.from({ length: 100 }, (_, n) => `/**/${"a*".repeat(100)}${n}`);
  const takes = urlPatterns([...globs, "/**"], globs);
  expect(takes(`https://site.example/${"a".repeat(2000)}`)).toBe(true);
});

test("expressions that backtrack for ever elsewhere end here", () => {
  const url = `https://site.example/${"a".repeat(2000)}`;
  for (const pattern of ["/(a+)+$/", "/(a|aa)+b/", "/(.*)*x/", `/${"a?".repeat(150)}${"a".repeat(150)}b/`])
    expect(typeof fits(pattern, url)).toBe("boolean");
});

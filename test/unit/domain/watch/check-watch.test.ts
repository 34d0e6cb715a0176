import { checkApplicable } from "../../../../services/domain/watch/applicable-options.ts";
import { domainOf } from "../../../../services/domain/watch/check-kinds.ts";
import { checkWatch } from "../../../../services/domain/watch/check-watch.ts";
import { meaningful } from "../../../../services/domain/watch/meaningful.ts";

test.each([
  ["web", { select: ["p"], interval: "1h", tags: ["a"], goal: "prices" }, null],
  ["rss", { interval: "1h", ignore: ["a"], tags: ["a"], judge: false }, null],
  ["rss", { select: ["p"] }, "A feed has no option `select`; it is for pages."],
  ["web", { limit: 10 }, "A page has no option `limit`; it is for sites."],
  ["site", { limit: 10, include: ["/docs/**"], when: { contains: ["a"] }, goal: "prices" }, null],
  ["site", { select: ["p"] }, "A site has no option `select`; it is for pages."],
  ["site", { screenshot: true }, "A site has no option `screenshot`; it is for pages."],
  ["search", { domains: ["example.com"], window: "day", interval: "1h", goal: "prices" }, null],
  ["search", { headers: {} }, "A search has no option `headers`; it is for pages, feeds and sites."],
  ["search", { limit: 10 }, "A search has no option `limit`; it is for sites."],
  ["microblog", { tags: ["a"], select: null }, null],
  [
    "microblog",
    { tags: ["a"], interval: "1h" },
    "Such a source has no option `interval`; it is for pages, feeds, sites and searches.",
  ],
  ["messenger", { screenshot: true }, "Such a source has no option `screenshot`; it is for pages."],
])("options of a %s source that has them, or none: %j", (kind, options, message) => {
  expect(checkApplicable(kind, options)?.message ?? null).toBe(message);
});

test.each([
  ["site", { include: ["/docs/**", "/(/"] }, "include.1", "invalid_pattern"],
  ["site", { exclude: ["/[/"] }, "exclude.0", "invalid_pattern"],
  ["site", { when: { value: { below: 3 } } }, "when.value", "not_applicable"],
  ["site", { remove: ["p["] }, "remove.0", "invalid_selector"],
  ["search", { domains: ["example.com", "https://example.com/"] }, "domains.1", "malformed"],
  ["search", { domains: ["localhost"] }, "domains.0", "malformed"],
  ["search", { when: { value: { below: 3 } } }, "when.value", "not_applicable"],
  ["search", { when: { removed_only: true } }, "when.removed_only", "not_applicable"],
])("what is wrong in options of a %s: %j", (kind, options, field, code) => {
  const error = checkWatch(kind, options, 60_000);
  expect([error?.field ?? null, error?.code ?? null]).toEqual([field, code]);
});

test.each([
  ["example.com", "example.com"],
  ["Docs.Example.COM", "docs.example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["127.0.0.1", null],
  ["example.com:80", null],
  ["*.example.com", null],
  ["a b.example", null],
])("the domain of %s", (text, domain) => {
  expect(domainOf(text)).toBe(domain);
});

test("a view is the same with what is usual, and without it", () => {
  expect(meaningful({ limit: 1000, max_depth: 10, sitemaps: true, judge: true, checks: false })).toEqual({});
  const chosen = { limit: 10, max_depth: 0, sitemaps: false, judge: false, checks: true };
  expect(meaningful(chosen)).toEqual(chosen);
});

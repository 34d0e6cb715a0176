import { checkApplicable } from "../../../../services/domain/watch/check-watch.ts";

test.each([
  ["web", { select: ["p"], interval: "1h", tags: ["a"] }, null],
  ["rss", { interval: "1h", ignore: ["a"], tags: ["a"] }, null],
  ["rss", { select: ["p"] }, "A feed has no option `select`; it is for pages."],
  ["microblog", { tags: ["a"], select: null }, null],
  [
    "microblog",
    { tags: ["a"], interval: "1h" },
    "Such a source has no option `interval`; it is for pages and feeds.",
  ],
  ["messenger", { screenshot: true }, "Such a source has no option `screenshot`; it is for pages."],
])("options of a %s source that has them, or none: %j", (kind, options, message) => {
  expect(checkApplicable(kind, options)?.message ?? null).toBe(message);
});

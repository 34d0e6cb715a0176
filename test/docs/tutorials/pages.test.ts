import { page, pages } from "../pages.ts";

const tutorials = [...pages.keys()].filter(path => path.startsWith("docs/tutorials/"));

test("the index lists each tutorial", () => {
  const listed = [...page("docs/README.md").matchAll(/\]\((tutorials\/[\w-]+\.md)\)/g)].map(
    ([, path]) => path,
  );
  expect(listed.map(path => `docs/${path}`).sort()).toEqual(tutorials.sort());
});

test.each(tutorials)("%s begins with a wish, ends with what the reader has, and is short", path => {
  const text = page(path);
  expect(text).toMatch(/^# .+\n\n\*\*The wish:\*\* /);
  expect(text).toMatch(/^## What you have$/m);
  expect(text.split("\n").length).toBeLessThanOrEqual(141);
});

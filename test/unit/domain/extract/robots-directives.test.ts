import { forbidsFollowing } from "../../../../services/domain/extract/robots-directives.ts";

test.each([
  ["nofollow", true],
  ["NOINDEX, NoFollow", true],
  ["noindex nofollow", true],
  ["none", true],
  [" none ", true],
  ["", false],
  ["index, follow", false],
  ["all", false],
  ["nofollowers", false],
  ["noindex", false],
  ["*: nofollow", true],
  ["googlebot: nofollow", false],
  ["googlebot: noindex, nofollow", false],
  ["googlebot: noindex, *: nofollow", true],
  ["nofollow, googlebot: noindex", true],
  ["max-snippet: 20, nofollow", true],
  ["max-image-preview:none", false],
  ["unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT, nofollow", true],
  ["unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT", false],
])("%p: %p", (directives, wanted) => {
  expect(forbidsFollowing(directives)).toBe(wanted);
});

test("takes a long text in its stride", () => {
  expect(forbidsFollowing(`${"a ".repeat(100_000)}${" ".repeat(100_000)}, nofollow`)).toBe(true);
});

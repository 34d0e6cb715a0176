import { isTrusted, learnLastmod, weighLastmods } from "../../../../services/domain/site/lastmod-trust.ts";
import { firstSiteMemory } from "../../../../services/domain/site/site-memory.ts";

const none = firstSiteMemory(0).lastmod;
const some = (count: number, time: number | null = 7) => Array.from({ length: count }, () => time);

test.each([
  ["one time for all pages", some(50), true],
  ["times of most pages", [...some(40), ...some(10, null)], true],
  ["times of few pages", [...some(10), ...some(40, null)], false],
  ["no entries", [], false],
])("%s", (_, times, trusted) => expect(isTrusted(weighLastmods(none, times))).toBe(trusted));

test("dates that are newer for nothing, and changes without a newer date, are believed no more", () => {
  const trust = weighLastmods(none, some(100));
  const vain = Array.from({ length: 21 }).reduce<typeof trust>(
    known => learnLastmod(known, { isSaid: true, isChanged: false }),
    trust,
  );
  const unsaid = Array.from({ length: 3 }).reduce<typeof trust>(
    known => learnLastmod(known, { isSaid: false, isChanged: true }),
    trust,
  );
  expect([trust, vain, unsaid].map(isTrusted)).toEqual([true, false, false]);
});

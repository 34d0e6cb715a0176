import { isTrusted, learnLastmod, weighLastmods } from "../../../../services/domain/site/lastmod-trust.ts";
import { firstSiteMemory } from "../../../../services/domain/site/site-memory.ts";
import { nextVisit, type PagePace } from "../../../../services/domain/site/visit-pace.ts";
import { seeded } from "../../../faults/random.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const at = Date.UTC(2026, 10, 27);

/** The waits of a page that changes so often, in rounds of an hour. */
function waits(
  changes: (n: number) => boolean,
  { isAsked = false, isListed = false, visits = 30 } = {},
): number[] {
  const random = seeded(1);
  let pace: PagePace | undefined;
  let now = at;
  return Array.from({ length: visits }, (_, n) => {
    const { dueAt, ...next } = nextVisit({
      ...(pace && { pace }),
      ...{ at: now, isChanged: changes(n), roundMs: hourMs, isAsked, isListed, random: random() },
    });
    const waitMs = dueAt - now;
    pace = next;
    now = dueAt;
    return waitMs;
  });
}

test("what changes at each visit is asked for in each round, and what rests at last every week", () => {
  expect(Math.max(...waits(() => true).slice(5))).toBeLessThanOrEqual(hourMs);
  const resting = waits(() => false);
  expect(Math.min(...resting.slice(-5))).toBeGreaterThan(6 * dayMs);
  expect(Math.max(...resting)).toBeLessThanOrEqual(7 * dayMs);
});

test("with an interval no page rests longer than eight rounds", () => {
  expect(Math.max(...waits(() => false, { isAsked: true }))).toBeLessThanOrEqual(8 * hourMs);
});

test("a page of which the sitemap tells is verified within the week, at any time of it", () => {
  const first = seeded(9);
  const dues = Array.from({ length: 1000 }, () => {
    const facts = { at, isChanged: false, roundMs: hourMs, isAsked: true, isListed: true, random: first() };
    return nextVisit(facts).dueAt - at;
  });
  expect(dues.filter(wait => wait < hourMs)).toEqual([]);
  expect(Math.max(...dues)).toBeLessThanOrEqual(7 * dayMs);
  expect(dues.filter(wait => wait < 4 * dayMs).length).toBeGreaterThan(300);
});

describe("the times of a sitemap", () => {
  const trust = firstSiteMemory(at).lastmod;
  const spread = Array.from({ length: 100 }, (_, n) => at - n * dayMs - hourMs);

  test("are believed at first where most pages have one", () => {
    expect(isTrusted(weighLastmods(trust, spread))).toBe(true);
    const half = spread.map((time, n) => (n % 2 === 0 ? time : null));
    expect(isTrusted(weighLastmods(trust, half))).toBe(false);
    expect(isTrusted(weighLastmods(trust, []))).toBe(false);
  });

  test("are trusted while most changes are said, and again after they prove themselves", () => {
    let learned = weighLastmods(trust, spread);
    for (let n = 0; n < 3; n += 1) learned = learnLastmod(learned, { isSaid: false, isChanged: true });
    expect(isTrusted(learned)).toBe(false);
    for (let n = 0; n < 40; n += 1) learned = learnLastmod(learned, { isSaid: true, isChanged: true });
    expect(isTrusted(learned)).toBe(true);
    for (let n = 0; n < 400; n += 1) learned = learnLastmod(learned, { isSaid: true, isChanged: false });
    expect(isTrusted(learned)).toBe(false);
  });
});

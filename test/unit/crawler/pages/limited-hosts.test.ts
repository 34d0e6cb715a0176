import { LimitedHosts } from "../../../../services/crawler/pages/limited-hosts.ts";

const url = "https://site.test/page";
const minute = 60_000;

function open() {
  const clock = { now: 0 };
  const limits = new LimitedHosts(() => clock.now);
  /** Refuses again and again, each time when the pause is over; the pauses, until the host is given up. */
  const refuse = (retryAfterMs: number | null, times = Number.POSITIVE_INFINITY) => {
    const pauses: number[] = [];
    while (pauses.length < times) {
      const pauseMs = limits.refused(url, { status: 429, retryAfterMs });
      if (pauseMs === undefined) return pauses;
      pauses.push(pauseMs);
      clock.now += pauseMs;
    }
    return pauses;
  };
  return { clock, limits, refuse };
}

test("a host gets the pauses that it asks for, for a quarter of an hour", () => {
  const { limits, refuse, clock } = open();
  expect(refuse(5000)).toEqual(Array.from({ length: 180 }, () => 5000));
  expect(clock.now).toBe(15 * minute);
  expect(limits.reasonAgainst(url)).toMatch("429 to every request for 15 minutes");
  expect(limits.reasonAgainst("https://other.test/")).toBeUndefined();
});

test("a host that names no time gets pauses that grow, for two minutes if it has taken nothing yet", () => {
  const { limits, refuse } = open();
  expect(refuse(null)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000]);
  expect(limits.reasonAgainst(url)).toMatch("for 2 minutes");
});

test("with each request that it takes, a host begins anew", () => {
  const { limits, refuse, clock } = open();
  limits.taken(url);
  expect(refuse(null, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  limits.taken(url);
  expect(refuse(null, 2)).toEqual([1000, 2000]);
  refuse(null);
  expect(limits.reasonAgainst(url)).toBeDefined();
  limits.taken(url);
  expect([limits.reasonAgainst(url), limits.pauseMs(url) <= minute, clock.now > 15 * minute]).toEqual([
    undefined,
    true,
    true,
  ]);
});

test("requests that were under way at the first refusal are one refusal, and those that wait give up", () => {
  const { limits, clock } = open();
  const waiting = limits.pausing(url);
  const answers = [1, 2, 3].map(() => limits.refused(url, { status: 429, retryAfterMs: null }));
  expect([answers, waiting.aborted, limits.pauseMs(url)]).toEqual([[1000, 1000, 1000], true, 1000]);
  expect(limits.pausing(url).aborted).toBe(false);
  clock.now = 400;
  expect(limits.pauseMs(url)).toBe(600);
});

test("an address that is refused after its host has taken others is given up alone", () => {
  const { limits } = open();
  const [login, limit] = [`${url}/login`, { status: 429, retryAfterMs: 1000 }];
  const refusals = (times: number) => Array.from({ length: times }, () => limits.refused(login, limit));
  expect(refusals(20)).not.toContain(undefined);
  limits.taken(url);
  expect(refusals(7)).toEqual([...Array.from({ length: 6 }, () => 1000), undefined]);
  expect(limits.reasonAgainst(login)).toBe("The site answered 429 to this page 7 times, and took others.");
  expect([limits.reasonAgainst(url), limits.refused(url, limit)]).toEqual([undefined, 1000]);
});

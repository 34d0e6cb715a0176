import type { LastmodTrust } from "./site-memory.ts";

/*
 * Whether `lastmod` of the sitemaps says when pages change. Most sites say so; some say the time of the last build of all
 * pages, or that of the request.
 */

/** Part of the entries that have to say a time; and how many of them may say the time of the request or one and the same. */
const [leastDated, mostAlike] = [0.8, 0.5];
const minuteMs = 60_000;
/** Experience of so many changes counts; older one fades. */
const maxExperience = 64;

/** The trust after a reading of all sitemaps at a time (ms). `times`: what each entry says, in milliseconds, null for nothing. */
export function weighLastmods(
  trust: LastmodTrust,
  times: readonly (number | null)[],
  at: number,
): LastmodTrust {
  const dated = times.filter(time => time !== null);
  const counts = new Map<number, number>();
  for (const time of dated) counts.set(time, (counts.get(time) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const justNow = dated.filter(time => time > at - 10 * minuteMs).length;
  const isSmall = dated.length < 4;
  const isPlausible =
    dated.length > 0 &&
    dated.length >= leastDated * times.length &&
    (isSmall || most <= mostAlike * dated.length) &&
    justNow <= mostAlike * dated.length;
  return { ...trust, isPlausible };
}

/** What a visit says of it. `isSaid`: the page was visited because its lastmod was newer. */
export function learnLastmod(
  trust: LastmodTrust,
  { isSaid, isChanged }: { isSaid: boolean; isChanged: boolean },
): LastmodTrust {
  const { said, unsaid, vain } = trust;
  const fade = said + unsaid + vain >= maxExperience ? 0.5 : 1;
  return {
    ...trust,
    said: said * fade + (isSaid && isChanged ? 1 : 0),
    unsaid: unsaid * fade + (!isSaid && isChanged ? 1 : 0),
    vain: vain * fade + (isSaid && !isChanged ? 1 : 0),
  };
}

/** Whether a page is visited when its lastmod says so, and else seldom. */
export function isTrusted({ isPlausible, said, unsaid, vain }: LastmodTrust): boolean {
  return isPlausible && unsaid <= 2 + said / 4 && vain <= 20 + 4 * said;
}

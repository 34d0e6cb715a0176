import type { LastmodTrust } from "./site-memory.ts";

/*
 * Whether `lastmod` of the sitemaps says when pages change. Most sites say so, and are believed until visits prove the
 * contrary; some say the time of the last build of all pages, or that of the request.
 */

/** Part of the entries that have to say a time. */
const leastDated = 0.8;
/** Experience of so many changes counts; older one fades. */
const maxExperience = 64;

/** The trust after a reading of all sitemaps. `times`: what each entry says, in milliseconds, null for nothing. */
export function weighLastmods(trust: LastmodTrust, times: readonly (number | null)[]): LastmodTrust {
  const dated = times.filter(time => time !== null).length;
  return { ...trust, isPlausible: dated > 0 && dated >= leastDated * times.length };
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

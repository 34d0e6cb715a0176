/** Longer waits are cut; nobody waits that long. */
const longestMs = 366 * 24 * 60 * 60 * 1000;

/**
 * Milliseconds that a `Retry-After` asks for (RFC 9110, 10.2.3): seconds or an HTTP date in one of its three forms (5.6.7).
 * Some servers send fractions of seconds. 0 for a date that is over; undefined where nothing is asked for, or in another
 * form. Callers have limits of their own.
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const asked = /^\d+(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1000) : dateOf(text) - now;
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(asked, 0), longestMs);
}

/** The date parser accepts more than HTTP dates, which begin with the name of a day and are in GMT, said or not. */
function dateOf(text: string): number {
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return Number.NaN;
  return Date.parse(/\d$/.test(text) ? `${text} GMT` : text);
}

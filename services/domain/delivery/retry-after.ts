/** The longest pause that a receiver gets. */
export const longestPauseMs = 3_600_000;

/**
 * Milliseconds that a receiver asks to be left alone (`Retry-After`, RFC 9110 section 10.2.3: seconds or a date), an
 * hour at the most; 0 when it does not ask, or not in a form that the standard knows.
 */
export function retryAfterMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? "";
  const seconds = /^\d+$/.test(text);
  // The date parser takes much that is no date of HTTP; those begin with the day's name.
  if (!seconds && !/^[A-Z][a-z]+,? /.test(text)) return 0;
  const asked = seconds ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), longestPauseMs);
}

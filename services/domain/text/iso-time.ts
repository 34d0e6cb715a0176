const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Milliseconds since the epoch of an ISO 8601 time with its zone, or of a day's beginning in UTC; NaN for any other text. */
export function isoTimeOf(text: string): number {
  return isoTime.test(text) && isInCalendar(text) ? Date.parse(text) : Number.NaN;
}

/** The date parser would accept 30 February as a day in March. */
function isInCalendar(time: string): boolean {
  const day = time.slice(0, 10);
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

const periodMinutes = { hourly: 60, daily: 1440, weekly: 10_080, monthly: 43_200, yearly: 525_600 };

/**
 * Minutes between updates as the syndication module has it (web.resource.org/rss/1.0/modules/syndication): so many
 * times a period, `daily` and once where only the other is told. Undefined when the feed tells neither, or nonsense.
 */
export function updateMinutes({
  updatePeriod,
  updateFrequency,
}: {
  updatePeriod?: string | undefined;
  updateFrequency?: number | undefined;
} = {}): number | undefined {
  if (updatePeriod === undefined && updateFrequency === undefined) return undefined;
  const period = (updatePeriod ?? "daily").trim().toLowerCase();
  if (!Object.hasOwn(periodMinutes, period)) return undefined;
  const times = Math.max(updateFrequency ?? 1, 1);
  return periodMinutes[period as keyof typeof periodMinutes] / times;
}

/** The longer of a feed's own wishes for an interval, as `ttlMinutes`; nothing when it has none. */
export function longestTtl(...minutes: (number | undefined)[]): { ttlMinutes?: number } {
  const ttlMinutes = Math.max(0, ...minutes.filter(each => each !== undefined));
  return ttlMinutes > 0 ? { ttlMinutes } : {};
}

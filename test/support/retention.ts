/** What is kept of sources and events where a test is not about that. */
export const retention = {
  keep: { days: 90, bytes: 200 * 1024 * 1024 },
  eventRetentionMs: 72 * 3_600_000,
};

import { killedCrawl } from "../faults/crawls/killed-crawl.ts";

test.each([
  { seed: 1, pages: 130, kills: 6 },
  { seed: 2, pages: 120, kills: 4, limit: 100 },
])(
  "killed at random moments, a crawl comes out the same: %j",
  async options => {
    const { wrong, kills } = await killedCrawl(options);
    expect(wrong).toEqual([]);
    expect(kills).toBe(options.kills);
  },
  180_000,
);

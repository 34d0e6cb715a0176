import { killedCrawl } from "../faults/crawls/killed-crawl.ts";

test.each([
  { seed: 1, pages: 180, kills: 10 },
  { seed: 2, pages: 90, kills: 2, limit: 80 },
])(
  "killed at random moments, a crawl comes out the same: %j",
  async options => {
    const { wrong, kills } = await killedCrawl(options);
    expect(wrong).toEqual([]);
    expect(kills).toBe(options.kills);
  },
  180_000,
);

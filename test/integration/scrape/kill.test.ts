import { killScrapes } from "../../faults/scrapes/kill-scrapes.ts";

test("kill -9 at any moment loses no accepted scrape, and none ends twice", async () => {
  const { accepted, completed, wrong } = await killScrapes(1, 5);
  expect(wrong).toEqual([]);
  expect(accepted).toBeGreaterThan(25);
  expect(completed).toBeGreaterThan(accepted / 2);
}, 120_000);

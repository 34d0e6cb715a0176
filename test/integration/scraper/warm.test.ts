import { jest } from "@jest/globals";
import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import type { PageTools } from "../../../services/scraper/context.ts";
import type { ExtractionPool } from "../../../services/scraper/extract/extraction-pool.ts";
import { warmBrowser } from "../../../services/scraper/warm-up.ts";
import { until } from "../../support/until.ts";
import { type Scraper, startScraper } from "./scraper.ts";

let scraper: Scraper;
afterEach(() => scraper?.stop());

interface Warmed {
  warming?: Promise<void>;
  reading?: Promise<void>;
  tools: PageTools;
  browser: BrowserPool;
  extraction: ExtractionPool;
}

const serviceOf = ({ broker }: Scraper) => broker.getLocalService("scraper") as unknown as Warmed;

describe("before anybody asks for a page", () => {
  test.each([600_000, Number.POSITIVE_INFINITY])(
    "a thread has read one of our own, and the browser has shown one (SCRAPER_IDLE: %d ms)",
    async scraperIdleMs => {
      scraper = await startScraper([], { scraperIdleMs });
      const service = serviceOf(scraper);
      await service.warming;
      expect(service.extraction.ready()).toBeGreaterThan(0);
      expect(service.browser.pids()).toHaveLength(1);
    },
  );

  test("where memory is scarce, no browser runs", async () => {
    const limited = jest.spyOn(process, "constrainedMemory").mockReturnValue(1024 ** 3);
    try {
      scraper = await startScraper([], { scraperIdleMs: 600_000 });
      const service = serviceOf(scraper);
      await service.warming;
      expect(service.extraction.ready()).toBeGreaterThan(0);
      expect(service.browser.pids()).toEqual([]);
    } finally {
      limited.mockRestore();
    }
  });

  test("where they would end within a minute, neither starts", async () => {
    scraper = await startScraper([], { scraperIdleMs: 59_000 });
    const { reading, browser, extraction } = serviceOf(scraper);
    expect(reading).toBeUndefined();
    expect([browser.pids(), extraction.ready()]).toEqual([[], 0]);
  });

  test("the browser that nobody has asked for a page ends when its time is over", async () => {
    scraper = await startScraper([], { scraperIdleMs: 2000 });
    const { browser, tools } = serviceOf(scraper);
    await warmBrowser(tools, new AbortController().signal);
    await until("no browser is left", () => browser.pids().length === 0);
  });
});

import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import type { ExtractionPool } from "../../../services/scraper/extract/extraction-pool.ts";
import { untilWarm } from "../../support/until-warm.ts";
import { type Scraper, startScraper } from "./scraper.ts";

let scraper: Scraper;
afterEach(() => scraper?.stop());

interface Warmed {
  warming: Promise<void>;
  reading: Promise<void>;
  browser: BrowserPool;
  extraction: ExtractionPool;
}

const serviceOf = ({ broker }: Scraper) => broker.getLocalService("scraper") as unknown as Warmed;

describe("before anybody asks for a page", () => {
  test("one of our own is shown in the browser where it stays, and a thread can read one", async () => {
    scraper = await startScraper([]);
    const service = serviceOf(scraper);
    await service.warming;
    expect(service.browser.pids()).toHaveLength(1);
    await untilWarm(scraper.broker);
  });

  test("by default one thread can read one, and no browser runs", async () => {
    scraper = await startScraper([], { scraperIdleMs: 600_000 });
    const service = serviceOf(scraper);
    await service.reading;
    await untilWarm(scraper.broker);
    expect([service.extraction.ready(), service.browser.pids()]).toEqual([1, []]);
  });
});

import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import { untilWarm } from "../../support/until-warm.ts";
import { type Scraper, startScraper } from "./scraper.ts";

let scraper: Scraper;
beforeAll(async () => {
  scraper = await startScraper([]);
});
afterAll(() => scraper?.stop());

test("a page of our own is shown in the browser before anybody asks for one", async () => {
  const service = scraper.broker.getLocalService("scraper") as unknown as {
    warming: Promise<void>;
    browser: BrowserPool;
  };
  await service.warming;
  expect(service.browser.pids()).toHaveLength(1);
});

test("a thread has loaded all that it needs to read a page before anybody asks for one", async () => {
  await untilWarm(scraper.broker);
});

import { pageChangesSuite } from "../suites/page-changes.suite.ts";
import { type Crawler, startCrawler } from "./crawler/crawler.ts";

let crawler: Crawler;

beforeAll(async () => {
  crawler = await startCrawler();
});
afterAll(() => crawler?.stop());

pageChangesSuite(() => ({ magpie: crawler, brokers: [crawler.broker] }));

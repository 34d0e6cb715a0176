import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedHistory } from "../../../../mixins/history/embedded.history.ts";
import type { OpenHistory, Version } from "../../../../mixins/history/history.ts";
import type { ScrapeRequest } from "../../../../services/contracts/scraper.contract.ts";
import { comparePages } from "../../../../services/domain/page-changes/compare-pages.ts";
import { formerPages } from "../../../../services/scraper/changes/former-pages.ts";
import { changesOf } from "../../../../services/scraper/changes/page-changes.ts";
import type { PageTools } from "../../../../services/scraper/context.ts";
import type { PageOrder } from "../../../../services/scraper/page-request.ts";
import { removeFolder } from "../../../support/folders.ts";

const folder = mkdtempSync(join(tmpdir(), "magpie-changes-"));
let history: OpenHistory;

beforeAll(() => {
  history = openEmbeddedHistory(join(folder, "magpie.db"));
});
afterAll(async () => {
  await history.close();
  await removeFolder(folder);
});

async function read(url: string, by: string, markdown: string | number, entry?: string): Promise<string> {
  const request = { url, output: { formats: ["changes"] } } as unknown as ScrapeRequest;
  const extraction = {
    run: async (_: string, args: Parameters<typeof comparePages>) => comparePages(...args),
  };
  const tools = { history, extraction } as unknown as PageTools;
  const order = { keyId: "k1", readAs: by, ...(entry && { entry }) } as PageOrder;
  const page =
    typeof markdown === "number"
      ? { status: markdown, title: "", markdown: "Gone." }
      : { status: 200, title: "", markdown };
  const changes = await changesOf(request, page, order, tools);
  return [changes?.status, changes?.diff?.split("\n").slice(1).join(" ")].filter(Boolean).join(": ");
}

test("a reading that is repeated compares with the one before the first, whatever the page says now", async () => {
  const url = "https://a.test/1";
  expect(await read(url, "crw_1", "one")).toBe("new");
  expect(await read(url, "crw_1", "one")).toBe("new");
  expect(await read(url, "crw_1", "one more")).toBe("new");
  expect(await read(url, "crw_2", "two")).toBe("changed: -one more +two");
  expect(await read(url, "crw_2", "two")).toBe("changed: -one more +two");
  expect(await read(url, "crw_2", "three")).toBe("changed: -one more +three");
  expect(await read(url, "crw_2", "one more")).toBe("same");
  expect(await read(url, "crw_3", "one more")).toBe("same");
  expect(await read(url, "crw_3", "one more")).toBe("same");
});

test("a page that is gone is gone in each repetition, and is compared with what it said when it is back", async () => {
  const url = "https://a.test/2";
  expect(await read(url, "s0", 404)).toBe("new");
  expect(await read(url, "s1", "one")).toBe("new");
  expect(await read(url, "s2", 404)).toBe("removed");
  expect(await read(url, "s2", 404)).toBe("removed");
  expect(await read(url, "s3", "two")).toBe("changed: -one +two");
});

test("the past of a tag is read in parts of one query each, as far as each address is in the first", async () => {
  const crawl = { keyId: "k2", entryUrl: "https://c.test/", crawlId: "crw_9" };
  const versions = Array.from({ length: 400 }, (_, n) => {
    const url = `https://c.test/${n % 200}`;
    const reason = JSON.stringify({ by: n < 200 ? "crw_2" : "crw_1", at: n, url, entry: "c.test/" });
    return { id: String(1000 - n), item: url, reason };
  });
  let asked = 0;
  const counted = {
    versions: async () => {
      asked++;
      return versions as unknown as Version[];
    },
  };
  const { urls, before } = await formerPages(counted, crawl);
  expect([urls.length, new Set(urls).size, before, asked]).toEqual([200, 200, null, 1]);
});

test("the pages of former crawls: those that were there, without what the crawl has read itself", async () => {
  const entry = "b.test/";
  const crawl = { keyId: "k1", entryUrl: "https://b.test/", crawlId: "crw_9" };
  const known = async () => (await formerPages(history, crawl)).urls.toSorted();
  expect(await known()).toEqual([]);
  for (const path of ["1", "2", "3", "4"])
    await read(`https://b.test/${path}`, "crw_8", `Page ${path}`, entry);
  await read("https://b.test/5", "crw_7", "Another crawl", "b.test/elsewhere");
  await read("https://b.test/6", "scr_1", "A scrape");
  await read("https://b.test/2", "crw_8b", 410, entry);
  await read("https://b.test/3", "crw_9", "Page 3 anew", entry);
  await read("https://b.test/4", "scr_2", "Page 4 in a scrape");
  expect(await known()).toEqual(["https://b.test/1", "https://b.test/4"]);
});

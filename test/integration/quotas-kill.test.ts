import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceProcess } from "../faults/deliveries/service-process.ts";
import { removeFolder } from "../support/folders.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { withoutBrowser } from "../support/start-args.ts";
import { until } from "../support/until.ts";
import { page } from "./crawler/site.ts";

const concurrency = 4;
const inFlight = 2 * concurrency;

let dataDir: string;
let service: ServiceProcess;
let site: Site;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "magpie-quotas-kill-"));
  site = await startSite(({ url = "" }, response) => {
    setTimeout(() => response.setHeader("content-type", "text/html").end(page(url)), 20);
  });
  const limits = { CRAWL_CONCURRENCY: String(concurrency), CRAWL_HOST_CONCURRENCY: String(concurrency) };
  service = new ServiceProcess(dataDir, { ...withoutBrowser, ...limits });
  await service.start();
});

afterAll(async () => {
  await service?.close();
  await site?.close();
  await removeFolder(dataDir);
});

interface Usage {
  quotas: { used: number }[];
}
interface Batch {
  status: string;
  stop_reason: string | null;
  progress: { completed: number; failed: number; skipped: number; discovered: number };
}

const plain = { js_render: { enabled: false }, request: { block_ads: false } };

async function keyWith(pages: number): Promise<string> {
  const limits = { requestsPerMinute: 1_000_000 };
  const body = { owner: "ann", name: `n${pages}`, limits, quotas: { day: { pages } } };
  const { data } = (await service.admin("POST", "/internal/keys", body)) as { data: { key: string } };
  return data.key;
}

const usedOf = async (key: string) =>
  ((await service.as(key, "GET", "/users/me/usage")) as Usage).quotas.map(({ used }) => used);

test("what is used is there after a kill, and is neither lost nor charged twice", async () => {
  const key = await keyWith(100);
  for (let n = 0; n < 7; n += 1)
    await service.as(key, "POST", "/web/scrape", { url: `${site.url}/${n}`, ...plain });
  await service.kill();
  await service.start();
  expect(await usedOf(key)).toEqual([7]);
}, 120_000);

test("a batch that is killed again and again never passes its quota, and pays for each page once", async () => {
  const key = await keyWith(60);
  const urls = Array.from({ length: 200 }, (_, n) => `${site.url}/batch/${n}`);
  const { batch_id } = (await service.as(key, "POST", "/web/batch", { urls, ...plain })) as {
    batch_id: string;
  };
  const read = async () => (await service.as(key, "GET", `/web/batch/${batch_id}?limit=1`)) as Batch;
  for (const least of [0, 15, 35]) {
    await until(`more than ${least} pages`, async () => {
      const { status, progress } = await read();
      return status !== "scraping" || progress.completed > least;
    });
    await service.kill();
    await service.start();
  }
  await until("it has stopped", async () => (await read()).status !== "scraping");
  const { status, stop_reason, progress } = await read();
  expect([status, stop_reason]).toEqual(["completed", "quota"]);
  expect(progress.completed + progress.failed + progress.skipped).toBe(progress.discovered);
  expect(progress.completed).toBeLessThanOrEqual(60);
  // What was under way when it stopped may have been charged and not read.
  expect(progress.completed).toBeGreaterThanOrEqual(60 - inFlight);
  expect(await usedOf(key)).toEqual([60]);
}, 240_000);

import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceProcess } from "../../faults/deliveries/service-process.ts";
import { removeFolder } from "../../support/folders.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";
import { page } from "./site.ts";

interface Batch {
  status: string;
  progress: Record<string, number>;
  data: { metadata: { source_url: string } }[];
  next_cursor: string | null;
}

const concurrency = 4;
const inFlight = 2 * concurrency;
const timeoutMs = 120_000;

let dataDir: string;
let service: ServiceProcess;
let site: Site;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "magpie-batch-kill-"));
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

test("a batch whose service is killed again and again has each page once", async () => {
  const limits = { requestsPerMinute: 1_000_000 };
  const made = await service.admin("POST", "/internal/keys", { owner: "ann", name: "batches", limits });
  const { key } = (made as { data: { key: string } }).data;
  const urls = Array.from({ length: 200 }, (_, n) => `${site.url}/${n}`);
  const body = { urls, js_render: { enabled: false }, request: { block_ads: false } };
  const { batch_id } = (await service.as(key, "POST", "/web/batch", body)) as { batch_id: string };
  const seen: string[] = [];
  const reader = { cursor: "", last: undefined as Batch | undefined };
  /** Reads on from where the reading was, before a kill and after it. */
  const readOn = async () => {
    const path = `/web/batch/${batch_id}?limit=25${reader.cursor}`;
    reader.last = (await service.as(key, "GET", path)) as Batch;
    seen.push(...reader.last.data.map(({ metadata }) => metadata.source_url));
    reader.cursor = `&cursor=${reader.last.next_cursor}`;
    return reader.last.next_cursor === null;
  };
  // At once, before anything can have been read; then each time when more has been read than may be under way.
  await service.kill();
  await service.start();
  for (let kills = 1; kills < 3; kills += 1) {
    const enough = site.hits.length + inFlight + 5;
    await until("more is read", () => site.hits.length >= enough, timeoutMs);
    await readOn();
    await service.kill();
    await service.start();
  }
  await until("the list ends", readOn, timeoutMs);
  expect(seen.toSorted()).toEqual(urls.toSorted());
  expect(reader.last).toMatchObject({ status: "completed", progress: { discovered: 200, completed: 200 } });
  expect(site.hits.length - urls.length).toBeLessThanOrEqual(3 * inFlight);
});

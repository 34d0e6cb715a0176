import {
  createExtractionPool,
  type ExtractionPool,
} from "../../../services/scraper/extract/extraction-pool.ts";
import { until } from "../../support/until.ts";

const { signal } = new AbortController();
const noAds = async () => undefined;

let pool: ExtractionPool | undefined;
afterEach(() => pool?.close());

function page(paragraphs: number) {
  const html = `<title>T</title><main>${"<p>Some words of text.</p>".repeat(paragraphs)}</main>`;
  const wanted = { formats: ["markdown" as const], onlyMainContent: true, keepHtml: false, keepText: false };
  const url = "https://site.example/";
  return { html, status: 200, url, requestedUrl: url, wanted: { ...wanted, crawl: false } };
}

test("a thread has loaded what it needs before the first page", async () => {
  pool = createExtractionPool(noAds, Infinity, () => undefined);
  const ready = pool;
  await until("a thread is ready", () => ready.ready() === 1);
});

test("a page that takes longer than others is read all the same", async () => {
  pool = createExtractionPool(noAds, Infinity, () => undefined, 1);
  const digest = await pool.run("readRendered", page(20_000), { group: "key", signal });
  expect(digest.metadata.title).toBe("T");
});

test("a page whose request is answered is read on, and not once its own signal fires", async () => {
  pool = createExtractionPool(noAds, Infinity, () => undefined);
  const answered = new AbortController();
  const late = pool.run("readRendered", page(20_000), { group: "key", signal, answered: answered.signal });
  answered.abort();
  expect((await late).metadata.title).toBe("T");
  const ended = AbortSignal.abort(new Error("ended"));
  const over = pool.run("readRendered", page(1), { group: "key", signal: ended, answered: answered.signal });
  await expect(over).rejects.toThrow("ended");
});

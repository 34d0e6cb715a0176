import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { FiltersEngine } from "@ghostery/adblocker";
import { adFilters } from "../../../../services/scraper/render/ad-filters.ts";
import { keptFilters } from "../../../../services/scraper/render/ad-filters.worker.ts";

let folder: string;
let compiled: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-filters-"));
  compiled = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

function kept(path: string): Uint8Array {
  return keptFilters(pathToFileURL(path), () => {
    compiled += 1;
    return FiltersEngine.parse("||ads.example^").serialize();
  });
}

async function expectBlocking(bytes: Uint8Array): Promise<void> {
  const { blocks } = await adFilters(bytes);
  const page = "https://page.example/";
  expect(blocks("https://ads.example/a.js", page, "Script")).toBe(true);
  expect(blocks("https://page.example/a.js", page, "Script")).toBe(false);
}

test("filters are compiled once, and kept", async () => {
  const path = join(folder, "new", "filters");
  for (const _start of [1, 2]) await expectBlocking(kept(path));
  expect(compiled).toBe(1);
  expect(readdirSync(join(folder, "new"))).toEqual(["filters"]);
});

test.each([
  ["is damaged", (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 40 ? byte ^ 255 : byte)))],
  ["is cut", (bytes: Buffer) => bytes.subarray(0, 20)],
  ["is empty", () => Buffer.alloc(0)],
  ["is of another engine", (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at < 4 ? 1 : byte)))],
])("a file that %s is replaced", async (_, change) => {
  const path = join(folder, "filters");
  const whole = Buffer.from(kept(path));
  writeFileSync(path, change(whole));
  await expectBlocking(kept(path));
  expect(compiled).toBe(2);
  expect(readFileSync(path).equals(whole)).toBe(true);
});

test("where no file can be written, filters are compiled each time", async () => {
  writeFileSync(join(folder, "taken"), "");
  for (const _start of [1, 2]) await expectBlocking(kept(join(folder, "taken", "filters")));
  expect(compiled).toBe(2);
  expect(existsSync(join(folder, "taken", "filters"))).toBe(false);
});

test("the lists of the repository are compiled and block what they name", async () => {
  const thread = new Worker(
    new URL("../../../../services/scraper/render/ad-filters.worker.ts", import.meta.url),
  );
  try {
    const [compiled] = (await once(thread, "message")) as [Uint8Array];
    const { blocks } = await adFilters(compiled);
    const page = "https://page.example/";
    // A rule of each list, and a page that none names.
    expect(blocks("https://securepubads.g.doubleclick.net/tag/js/gpt.js", page, "Script")).toBe(true);
    expect(blocks("https://www.google-analytics.com/analytics.js", page, "Script")).toBe(true);
    expect(blocks("https://page.example/app.js", page, "Script")).toBe(false);
  } finally {
    await thread.terminate();
  }
});

test("each list says what it is, and has its licence beside it", () => {
  const lists = join(import.meta.dirname, "../../../../services/scraper/render/filter-lists");
  const about = JSON.parse(readFileSync(join(lists, "lists.json"), "utf8"));
  expect(about.license).toBe("GPL-3.0-only");
  expect(readFileSync(join(lists, "LICENSE"), "utf8")).toContain("GNU GENERAL PUBLIC LICENSE");
  for (const { file, title, version } of about.lists) {
    const text = gunzipSync(readFileSync(join(lists, file))).toString("utf8");
    const head = text.slice(0, 1000).split(/\r?\n/);
    expect(head).toEqual(expect.arrayContaining([`! Title: ${title}`, `! Version: ${version}`]));
  }
});

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { FiltersEngine } from "@ghostery/adblocker";
import { adFilters } from "../../../../services/scraper/render/ad-filters.ts";
import { keptFilters, readList } from "../../../../services/scraper/render/ad-filters.worker.ts";

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

test.each([
  [
    "as the package brings it",
    "ruleset_2.json",
    Buffer.from('[{"metadata":{"rawFilterList":"||ads.example^ü"}},{}]'),
  ],
  ["as it is shortened after an install", "ruleset_2.txt.gz", gzipSync("||ads.example^ü")],
])("a list is read %s", (_, name, bytes) => {
  mkdirSync(join(folder, "ruleset_2"));
  writeFileSync(join(folder, "ruleset_2", name), bytes);
  expect(readList(pathToFileURL(`${folder}/`), 2)).toBe("||ads.example^ü");
});

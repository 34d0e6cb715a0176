import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { removeFolder } from "../../support/folders.ts";
import { startEnv } from "../../support/start-args.ts";
import { type Crawler, startCrawler } from "../crawler/crawler.ts";
import { page, redirect, Sites } from "../crawler/site.ts";

const program = join(import.meta.dirname, "../../../bin/magpie.js");
const out = mkdtempSync(join(tmpdir(), "magpie-crawl-cli-"));
const sites = new Sites();
let crawler: Crawler;

beforeAll(async () => {
  crawler = await startCrawler();
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
  await removeFolder(out);
});

async function run(...args: string[]) {
  const child = spawn(process.execPath, ["--no-warnings", program, "crawl", "--own", ...args], {
    env: { ...startEnv, EGRESS_ALLOW: "127.0.0.1" },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { stdout, stderr, code };
}

const files = (folder: string) => globSync("**/*.md", { cwd: folder }).sort();

test("a crawl in a service of its own writes its pages as files", async () => {
  const site = await sites.start({
    "/docs/": page("Docs", "a", "b/?x=1"),
    "/docs/a": page("A"),
    "/docs/b/": page("B"),
  });
  const folder = join(out, `own-${site.port}`);
  const { stdout, stderr, code } = await run(`${site.url}/docs/`, "--no-js", "--out", folder);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^completed \(finished\) after .* s: 3 found, 3 read, 0 failed, 0 skipped\./);
  expect(stderr.trimEnd().split("\n").at(-1)).toBe("3 found, 3 read, 0 failed, 0 skipped");
  const host = `127.0.0.1_${site.port}`;
  expect(files(folder)).toEqual([
    `${host}/docs/a.md`,
    expect.stringMatching(/\/docs\/b\/index-[0-9a-f]{8}\.md$/),
    `${host}/docs/index.md`,
  ]);
  expect(readFileSync(join(folder, host, "docs/a.md"), "utf8")).toMatch(
    /^---\ntitle: "A"\nurl: ".*\/docs\/a"\nstatus: 200\ncrawled_at: .*Z\n---\n\n# A\n/,
  );
});

test("a crawl uses a running service, and says why it fails", async () => {
  const site = await sites.start({
    "/": page("Home"),
    "/ring": redirect("/ring2"),
    "/ring2": redirect("/ring"),
  });
  const folder = join(out, "other");
  const server = ["--no-js", "--server", crawler.url, "--key", crawler.apiKey, "--out", folder];
  expect((await run(`${site.url}/`, ...server)).code).toBe(0);
  expect(files(folder)).toEqual([`127.0.0.1_${site.port}/index.md`]);
  const ring = await run(`${site.url}/ring`, ...server);
  expect([ring.code, ring.stdout]).toEqual([1, expect.stringContaining("failed (upstream_error: ")]);
});

test.each<[string[], number, RegExp]>([
  [[], 2, /missing required argument 'url'/],
  [["x", "--limit", "many"], 2, /'--limit <n>' argument 'many' is invalid. It takes a number/],
  [["nonsense", "--server", "SERVER", "--key", "KEY"], 1, /^magpie: 400: .*\(url\)$/m],
])("the arguments %j are refused in a sentence", async (args, exitCode, sentence) => {
  const known: Record<string, string> = { SERVER: crawler.url, KEY: crawler.apiKey };
  const { stderr, code } = await run(...args.map(arg => known[arg] ?? arg));
  expect([code, stderr]).toEqual([exitCode, expect.stringMatching(sentence)]);
});

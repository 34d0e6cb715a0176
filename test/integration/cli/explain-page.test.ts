import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { removeFolder } from "../../support/folders.ts";
import { startEnv } from "../../support/start-args.ts";

const program = join(import.meta.dirname, "../../../tools/explain-page.ts");
const folder = mkdtempSync(join(tmpdir(), "magpie-read-cli-"));
const file = join(folder, "page.html");

const paragraphs = [
  "Green tea is made from leaves that are heated soon after they were picked, so that they stay green.",
  "In Japan most of it is steamed, which keeps the taste of grass; in China it is roasted in large pans.",
  "Water that boils makes it bitter. Let it cool for five minutes, then pour it on and wait for two more.",
];
const page = `<!doctype html><html><head><title>Green tea</title></head><body>
<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li><li><a href="/login">Log in</a></li></ul></nav>
<main><article><h1>Green tea</h1>${paragraphs.map(each => `<p>${each}</p>`).join("\n")}
<p>More in <a href="/black">our guide to black tea</a>.</p></article></main>
<footer class="site-footer"><p>© 2026 Tea House. All rights reserved. <a href="/imprint">Imprint</a></p></footer></body></html>`;

writeFileSync(file, page);
afterAll(() => removeFolder(folder));

async function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["--no-warnings", program, ...args], {
    env: { ...startEnv, ...env },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { stdout, stderr, code };
}

test("a file is printed as Markdown, with its links made absolute by its address", async () => {
  const { stdout, code } = await run([file, "--url", "https://tea.example/green"]);
  expect(code).toBe(0);
  for (const paragraph of paragraphs) expect(stdout).toContain(paragraph);
  expect(stdout).toContain("# Green tea\n");
  expect(stdout).toContain("[our guide to black tea](https://tea.example/black)");
  expect(stdout).not.toContain("Log in");
  expect(stdout).not.toContain("All rights reserved");
});

test("--whole-page prints all that the page shows", async () => {
  const { stdout, code } = await run([file, "--whole-page"]);
  expect(code).toBe(0);
  const shown = page.replace(/^.*<body>/s, "").replace(/<[^>]*>/g, " ");
  const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu);
  expect(words(stdout.replace(/\]\([^)]*\)/g, "]"))).toEqual(words(shown));
});

test("an explanation names each block, kept or dropped, with its three heaviest features", async () => {
  const { stdout, code } = await run([file, "--explain"]);
  expect(code).toBe(0);
  const [summary, ...blocks] = stdout.trimEnd().split("\n\n");
  const beginnings = ["Home", "Shop", "Log in", "Green tea", ...paragraphs.map(each => each.slice(0, 79))];
  expect(summary).toMatch(
    /^\d+ of 9 blocks are kept: those that are content with a likelihood of at least 0\.\d\d\.$/,
  );
  expect(blocks).toHaveLength(9);
  beginnings.forEach((beginning, at) => {
    // A title need not be kept: an extraction puts it before the content.
    if (beginning !== "Green tea")
      expect(blocks[at]).toMatch(at > 3 ? /^kept {4}[01]\.\d\d {2}/ : /^dropped [01]\.\d\d {2}/);
    expect(blocks[at]).toContain(beginning);
    expect(blocks[at]!.split("\n")[1]).toMatch(
      /^ {14}[\w.+-]+ -?[\d.]+ \([+-]\d+\.\d\d\)(, [\w.+-]+ -?[\d.]+ \([+-]\d+\.\d\d\)){2}$/,
    );
  });
  expect(blocks.at(-1)).toMatch(/^dropped .*© 2026 Tea House/);
});

test("a page of the web is fetched through the guard", async () => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(page);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/green`;
  try {
    expect(await run([url])).toEqual({
      stdout: "",
      stderr: expect.stringMatching(/^This URL is not allowed: its .*your-own-network\.\n$/),
      code: 1,
    });
    const allowed = await run([url], { EGRESS_ALLOW: "127.0.0.1" });
    expect(allowed).toMatchObject({ code: 0, stderr: "" });
    expect(allowed.stdout).toContain(paragraphs[0]);
    expect(allowed.stdout).toContain(`(${new URL("/black", url).href})`);
  } finally {
    server.close();
  }
});

test.each<[string[], RegExp]>([
  [[], /Give one URL or file/],
  [["a", "b"], /Give one URL or file/],
  [[join(folder, "none.html")], /ENOENT/],
  [["--nonsense"], /Unknown option '--nonsense'/],
])("the arguments %j are refused", async (args, message) => {
  expect(await run(args)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(message) });
});

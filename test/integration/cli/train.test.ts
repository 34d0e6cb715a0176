import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { readBlockModel } from "../../../reader/content/block-model.ts";
import { rowNames } from "../../../reader/content/classify.ts";
import { generator } from "../../../reader/train/train-trees.ts";
import { removeFolder } from "../../support/folders.ts";
import { startEnv } from "../../support/start-args.ts";

const program = join(import.meta.dirname, "../../../reader/train/train.ts");
const folder = mkdtempSync(join(tmpdir(), "magpie-train-cli-"));
afterAll(() => removeFolder(folder));

const random = generator(11);
const syllables = ["ba", "ke", "ti", "lo", "mu", "ran", "sel", "dor", "vin", "tas"];
const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
const word = () => Array.from({ length: 1 + Math.floor(3 * random()) }, () => pick(syllables)).join("");
const words = (count: number) => Array.from({ length: count }, word).join(" ");
const sentence = () => `${words(8 + Math.floor(14 * random()))}.`;

/** Each site has names and an order of its own; what it shares with others is how content and frame are written. */
function writePage(site: number): void {
  const paragraphs = Array.from({ length: 4 + Math.floor(6 * random()) }, sentence);
  const links = (count: number) =>
    Array.from({ length: count }, () => `<li><a href="/${word()}">${words(2)}</a></li>`).join("");
  const menu = `<ul class="menu">${links(6)}</ul>`;
  const teasers = `<div class="teasers"><h3>More stories</h3><ul>${links(5)}</ul></div>`;
  const content = `<div class="s${site}-text">${paragraphs.map(each => `<p>${each}</p>`).join("\n")}</div>`;
  const html = `<title>${words(3)}</title>${menu}${random() < 0.5 ? teasers : ""}${content}${teasers}<p>© ${words(3)}</p>`;
  const truth = { main_content: paragraphs.join("\n"), without: ["More stories", "©"] };
  const type = site % 2 === 0 ? "article" : "product";
  const annotation = { url: `https://www.site${site}.example/${word()}`, _internal: { page_type: type } };
  const name = String(site).padStart(3, "0");
  writeFileSync(join(folder, `html/${name}.html`), html);
  writeFileSync(
    join(folder, `ground-truth/${name}.json`),
    JSON.stringify({ ...annotation, ground_truth: truth }),
  );
}

beforeAll(() => {
  mkdirSync(join(folder, "html"));
  mkdirSync(join(folder, "ground-truth"));
  for (let site = 0; site < 60; site++) writePage(site);
});

async function run(...args: string[]) {
  const child = spawn(process.execPath, ["--no-warnings", program, ...args], { env: startEnv });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { stdout, stderr, code };
}

test("models are measured on sites that they have not seen, and one of all pages is written", async () => {
  const [out, pages] = [join(folder, "model.bin"), join(folder, "pages.jsonl")];
  const small = ["--folds", "3", "--trees", "30", "--min-child", "1"];
  const { stdout, stderr, code } = await run(folder, ...small, "--out", out, "--pages", pages);
  expect({ code, stderr: stderr.split("\n").sort() }).toEqual({
    code: 0,
    stderr: [
      "",
      "60 pages",
      "all pages: trained",
      "fold 1: 20 pages",
      "fold 2: 20 pages",
      "fold 3: 20 pages",
    ],
  });
  const [head, all, ...types] = stdout.trimEnd().split("\n");
  expect(head).toMatch(/^ +pages +F1 +precision +recall +leak +wiped$/);
  const [, count, f1, , , leak, wiped] = all!.split(/ {2,}/);
  expect([count, wiped]).toEqual(["60", "0.0 %"]);
  expect(Number(f1)).toBeGreaterThan(0.95);
  expect(Number(leak)).toBeLessThan(0.1);
  expect(types.map(line => line.trim().split(/ {2,}/).slice(0, 2))).toEqual([
    ["article", "30"],
    ["product", "30"],
  ]);
  const scores = readFileSync(pages, "utf8").trimEnd().split("\n");
  expect(new Set(scores.map(line => (JSON.parse(line) as { name: string }).name)).size).toBe(60);
  const model = readBlockModel(readFileSync(out));
  expect([model.first.roots.length, model.second.roots.length]).toEqual([8, 30]);
  expect(model.second.features).toBe(rowNames.length);
  expect(model.odds.get(".menu")).toBeLessThan(0);

  const again = join(folder, "again.bin");
  const alone = ["--folds", "0", "--trees", "30", "--min-child", "1", "--threads", "1"];
  expect((await run(folder, ...alone, "--out", again)).code).toBe(0);
  expect(readFileSync(again)).toEqual(readFileSync(out));
});

test.each<[string[], RegExp]>([
  [[], /Give one folder/],
  [["a", "b"], /Give one folder/],
  [[join(folder, "html")], /There is no data set in /],
  [[folder, "--folds", "many"], /--folds takes a number/],
])("the arguments %j are refused", async (args, message) => {
  expect(await run(...args)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(message) });
});

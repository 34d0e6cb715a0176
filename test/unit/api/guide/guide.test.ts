import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Guide,
  markdownAddressOf,
  openGuide,
  servedMarkdown,
  summaryOf,
} from "../../../../services/api/guide/guide.ts";
import { llmsFullText, llmsText } from "../../../../services/api/guide/llms.ts";
import { removeFolder } from "../../../support/folders.ts";

const files: Record<string, string> = {
  "README.md":
    "# Docs\n\nStart here.\n\n## Guides\n\n| guide | you learn |\n|---|---|\n| [Hooks](guides/hooks.md) | to receive `events` |\n| [Feeds](guides/feeds.md) | to [read](guides/hooks.md) |\n\n## Background\n\n[Decisions](decisions/README.md) · [Hooks again](guides/hooks.md#retry)\n",
  "guides/hooks.md":
    "# Hooks\n\nThe service calls you.\n\n## Retry\n\nAn endpoint that fails is asked again. See [feeds](feeds.md#poll), [the code](../../services/x.ts) and `[this](../no.md)`.\n\n```md\n[kept](../as/it.md)\n```\n",
  "guides/feeds.md": "# Feeds\n\nFeeds are polled. Retries come later.\n\n## Poll\n\nEvery minute.\n",
  "decisions/README.md": "# Decisions\n\n- [0001 One](0001-one.md)\n- [0002 Calls](0002-calls.md)\n",
  "decisions/0001-one.md": "# 0001 One\n\nStatus: accepted\n\n**Context.** There was one.\n",
  "decisions/0002-calls.md": "# 0002 Calls\n\n**Context.** Zoos are called.\n",
  "lab/2026-11-23-one.md": "# One, measured\n\nA zebra was measured.\n",
};

let folder: string;
let guide: Guide;

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "magpie-guide-"));
  for (const [name, text] of Object.entries(files)) await write(name, text);
  guide = await openGuide(folder);
});
afterAll(() => removeFolder(folder));

const page = (slug: string) => {
  const found = guide.bySlug.get(slug);
  if (!found) throw new Error(`no page ${slug}`);
  return found;
};

test("sections and order are those of the index, each page once", () => {
  expect(guide.sections.map(({ title, pages }) => [title, pages.map(({ slug }) => slug)])).toEqual([
    ["Guides", ["hooks", "feeds"]],
    ["Background", ["decisions"]],
    ["Decisions", ["0001-one", "0002-calls"]],
  ]);
  expect(guide.order.map(({ slug }) => slug)).toEqual([
    "",
    "hooks",
    "feeds",
    "decisions",
    "0001-one",
    "0002-calls",
  ]);
});

test("notes of the lab are no pages of the guide", () => {
  expect([...guide.byPath.keys()].filter(path => path.includes("lab/"))).toEqual([]);
});

test("decisions come after all other pages that a search finds", () => {
  // The decision has the word in its title, the guide in one sentence.
  const urls = guide.search.find("call").map(({ url }) => url);
  expect(urls).toEqual(["/guide/hooks", "/guide/0002-calls", "/guide/decisions"]);
});

test("two pages of one name are refused", async () => {
  await write("platforms/hooks.md", "# Other\n");
  await expect(openGuide(folder)).rejects.toThrow("docs/platforms/hooks.md and docs/guides/hooks.md");
  await removeFolder(join(folder, "platforms"));
});

test.each([
  ["hooks", "to receive events"],
  ["feeds", "to read"],
  ["0001-one", "There was one."],
  ["", "Start here."],
])("the summary of %j", (slug, summary) => expect(summaryOf(guide, page(slug))).toBe(summary));

test("the Markdown has the addresses of the guide, and code as it is", () => {
  const text = servedMarkdown(page("hooks"), guide);
  expect(text).toContain(
    "See [feeds](/guide/feeds.md#poll), the code (services/x.ts) and `[this](../no.md)`.",
  );
  expect(text).toContain("[kept](../as/it.md)");
  expect(markdownAddressOf(guide.index)).toBe("/guide/README.md");
});

test.each([
  ["retry", ["/guide/hooks#retry", "/guide/feeds"]],
  ["Retries", ["/guide/hooks#retry", "/guide/feeds"]],
  ["endpoint asked", ["/guide/hooks#retry"]],
  ["endpiont", ["/guide/hooks#retry"]],
  ["minu", ["/guide/feeds#poll"]],
  ["minute zebra", ["/guide/feeds#poll"]],
  ["zebra", []],
  ["", []],
  ["(((*", []],
  // Only the first eight words count, each once.
  ["retry qa qb qc qd qe qf qg minute", ["/guide/hooks#retry", "/guide/feeds"]],
  [`${"minute ".repeat(9)}retry`, ["/guide/hooks#retry", "/guide/feeds#poll", "/guide/feeds"]],
])("a search for %j finds %j", (words, urls) => {
  expect(guide.search.find(words).map(({ url }) => url)).toEqual(urls);
});

test("an excerpt marks what was found, and hits carry text, not markup", () => {
  expect(guide.search.find("polled")[0]).toEqual({
    title: "Feeds",
    heading: "",
    url: "/guide/feeds",
    excerpt: [
      { text: "Feeds are ", match: false },
      { text: "polled", match: true },
      { text: ". Retries come later.", match: false },
    ],
  });
});

test("llms.txt: a title, a summary, lists of absolute links; decisions are optional", () => {
  const text = llmsText(guide, "https://m.test");
  expect(text).toMatch(/^# Magpie\n\n> .+\n/);
  expect(text).toContain("\n## Guides\n\n- [Hooks](https://m.test/guide/hooks.md): to receive events\n");
  expect(text).toMatch(/\n## Optional\n\n- \[0001 One\]\(https:\/\/m\.test\/guide\/0001-one\.md\)/);
});

test("llms-full.txt: all guides, without the decisions", () => {
  const text = llmsFullText(guide, "https://m.test");
  expect(text).toContain("# Hooks\n\nThe service calls you.");
  expect(text).toContain("[feeds](https://m.test/guide/feeds.md#poll)");
  expect(text).not.toContain("There was one.");
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { page, pages, repositoryFiles, root } from "./pages.ts";

const decisions = [...pages].filter(([path]) => /^docs\/decisions\/\d{4}-/.test(path));
const notes = repositoryFiles.filter(path => /^docs\/lab\/(?!README\.md$)/.test(path));

test("the index of decisions lists each page with its title", () => {
  const titles = decisions.map(
    ([path, text]) => `- [${/^# (.*)$/m.exec(text)?.[1]}](${path.split("/").pop()})`,
  );
  expect(titles.length).toBeGreaterThan(50);
  expect(page("docs/decisions/README.md").match(/^- .*$/gm)).toEqual(titles.sort());
  const numbers = decisions.map(([path, text]) => [path.slice(15, 19), /^# (\d{4}) /.exec(text)?.[1]]);
  expect(numbers.filter(([file, title]) => file !== title)).toEqual([]);
  expect(new Set(numbers.map(([file]) => file)).size).toBe(numbers.length);
});

test("there are at most 160 decisions", () => expect(decisions.length).toBeLessThanOrEqual(160));

test.each(decisions)("%s has its status, its parts, and at most one line of measurement", (_path, text) => {
  expect(text).toMatch(
    /^# \d{4} .+\n\nStatus: (accepted|superseded by \[\d{4}\]\(\S+\))\n\n\*\*Context\.\*\* /,
  );
  expect(text).toMatch(/^\*\*Decision\.\*\*/m);
  const measured = text.match(/^\*\*Measured\.\*\* .*$/gm) ?? [];
  expect(measured.length).toBeLessThanOrEqual(1);
  expect((measured[0] ?? "").split(" ").length).toBeLessThanOrEqual(40);
});

/** A record says what holds now. */
test.each(decisions)("%s is not amended in place", (_path, text) => {
  expect(text.match(/^\*\*(?:Later|Since then|Not yet|Rejected since|Upgrade)\b|\bLater:/gm)).toBe(null);
});

test("the median of the decisions has at most 260 words", () => {
  const lengths = decisions.map(([, text]) => wordsOf(text)).sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(260);
});

test("every decision that a source file names is there", () => {
  const numbers = new Set(decisions.map(([path]) => path.slice(15, 19)));
  const missing = repositoryFiles
    .filter(path => /\.(?:ts|js|mjs|py|sh|ya?ml)$/.test(path) && !path.startsWith("test/unit/"))
    .flatMap(path =>
      [...readFileSync(join(root, path), "utf8").matchAll(/docs\/decisions\/(\d{4})/g)].map(
        ([, number = ""]) => [path, number] as const,
      ),
    )
    .filter(([, number]) => !numbers.has(number));
  expect(missing).toEqual([]);
});

test("the index of the lab lists each note, by date", () => {
  const listed = readFileSync(join(root, "docs/lab/README.md"), "utf8").matchAll(
    /^- (\d{4}-\d\d-\d\d) \[.+\]\((\S+)\)$/gm,
  );
  const files = [...listed].map(([, date = "", file = ""]) => [date, `docs/lab/${file}`]);
  expect(files).toEqual(notes.sort().map(path => [path.slice(9, 19), path]));
});

function wordsOf(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

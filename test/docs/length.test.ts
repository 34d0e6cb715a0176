import { page, pages } from "./pages.ts";

test("the page of benchmarks has at most 800 words", () => {
  expect(page("docs/benchmarks.md").split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(800);
});

test("the guide's index links to what Magpie refuses", () => {
  for (const path of ["docs/README.md", "CONTRIBUTING.md"])
    expect(page(path)).toMatch(/\((?:docs\/)?scope\.md\)/);
});

/** Many readers have English as a second language. */
const mostWords = 38;

test.each([...pages.keys()].filter(path => /^(?:docs\/|README|CONTRIBUTING|SECURITY)/.test(path)))(
  "%s has no sentence that is too long",
  path => {
    expect(sentencesOf(page(path)).filter(sentence => wordsOf(sentence) > mostWords)).toEqual([]);
  },
);

/** The sentences of paragraphs and lists, without code, tables and the addresses of links. */
function sentencesOf(text: string): string[] {
  const blocks = text
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/^\|.*$/gm, "")
    .replace(/\]\([^)\s]*\)/g, "]")
    .split(/\n{2,}|\n(?=\s*(?:[-*]|\d+\.) )/);
  return blocks.flatMap(block => block.replace(/\s+/g, " ").split(/(?<=[.!?](?:\*\*|["”)])?) | · /));
}

function wordsOf(sentence: string): number {
  return sentence.split(" ").filter(word => /[\p{L}\p{N}]/u.test(word)).length;
}

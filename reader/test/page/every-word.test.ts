import { seeded } from "../../../test/faults/random.ts";
import { extractPage, extractText } from "../../page/extract-page.ts";
import { type Part, randomPage, shownWords, smaller, wordsOf, written } from "./random-page.ts";

const url = "https://site.example/";

function markdown(html: string): string {
  return extractPage({ html, url }, { formats: ["markdown"], onlyMainContent: false }).markdown ?? "";
}

function cleanHtml(html: string): string {
  return extractPage({ html, url }, { formats: ["html"], onlyMainContent: false }).html ?? "";
}

/** The smallest page like `page` that fails. */
function shrunk(page: Part[], fails: (page: Part[]) => boolean): Part[] {
  for (const candidate of smaller(page)) if (fails(candidate)) return shrunk(candidate, fails);
  return page;
}

function expectAll(read: (html: string) => string[], seed: number, without: string[] = []): void {
  const random = seeded(seed);
  const fails = (page: Part[]): boolean =>
    read(written(page)).join(" ") !== shownWords(written(page)).join(" ");
  for (let round = 0; round < 150; round++) {
    const page = randomPage(random, { size: 40, without });
    if (!fails(page)) continue;
    const html = written(shrunk(page, fails));
    expect({ html, words: read(html) }).toEqual({ html, words: shownWords(html) });
  }
}

describe("every word that a page shows comes out once, in order, and apart from others where it is", () => {
  test.each([1, 2, 3, 4])("in markdown (seed %i)", seed => {
    expectAll(html => wordsOf(markdown(html)), seed);
  });

  test.each([5, 6])("in HTML (seed %i)", seed => {
    expectAll(html => shownWords(cleanHtml(html)), seed);
  });

  test.each([7, 8])("in plain text (seed %i)", seed => {
    expectAll(html => wordsOf(extractText({ html, url }, false)), seed);
  });

  const frame = ["a", "aside", "footer", "header", "main", "menu", "nav", "search"];
  test.each([9, 10])("in the main content, where all is in one article (seed %i)", seed => {
    expectAll(html => wordsOf(extractText({ html: `<article>${html}</article>`, url }, true)), seed, frame);
  });
});

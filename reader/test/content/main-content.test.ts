import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { extractPage, extractText } from "../../page/extract-page.ts";
import { fixturePages } from "../fixtures/extract/pages.ts";

describe("main content", () => {
  test.each(fixturePages)(
    "$name: has its content and nothing of its frame",
    ({ html, url, must, mustNot }) => {
      const text = flat(extractText({ html, url }, true));
      for (const sentence of must) expect(text).toContain(flat(sentence));
      for (const sentence of mustNot) expect(text).not.toContain(flat(sentence));
    },
  );

  test("is nearer to what was written than Readability alone", () => {
    const scores = fixturePages.map(({ name, html, url, gold }) => ({
      name,
      own: tokenF1(extractText({ html, url }, true), gold),
      readability: tokenF1(readabilityText(html), gold),
    }));
    for (const { name, own, readability } of scores) {
      process.stdout.write(
        `${name.padEnd(24)} own ${own.toFixed(3)}  Readability ${readability.toFixed(3)}\n`,
      );
    }
    const own = mean(scores.map(score => score.own));
    const readability = mean(scores.map(score => score.readability));
    process.stdout.write(
      `${"mean F1".padEnd(24)} own ${own.toFixed(3)}  Readability ${readability.toFixed(3)}\n`,
    );
    expect(own).toBeGreaterThan(0.95);
    expect(own).toBeGreaterThan(readability);
    expect(Math.min(...scores.map(score => score.own))).toBeGreaterThan(0.85);
  });

  test.each([
    [
      "a body of nothing but navigation",
      "<body><nav><p>Only a menu here</p></nav></body>",
      "Only a menu here",
    ],
    ["bare text", "Just a line of text", "Just a line of text"],
    [
      "one hidden page",
      '<body style="display:none"><p>Shown later by a script</p></body>',
      "Shown later by a script",
    ],
    [
      "a page called sidebar",
      '<div class="sidebar"><p>All the text there is</p></div>',
      "All the text there is",
    ],
    [
      "a page of nothing but sidebars",
      `<div><div>${"<div class=sidebar><p>One of five parts</p></div>".repeat(5)}</div></div>`,
      "One of five parts\nOne of five parts\nOne of five parts\nOne of five parts\nOne of five parts",
    ],
  ])("is never nothing: %s", (_, html, wanted) => {
    expect(extractText({ html, url: "https://a.example/" }, true)).toContain(wanted);
  });

  test.each([
    ["not where the page has no heading of its own", "", ""],
    ["where it is the heading in the content", "<h1>The lock</h1>", "# The lock\n\n"],
    ["once where a part of it is the heading", "<h2>The lock</h2>", "## The lock\n\n"],
  ])("has the title %s", (_, heading, wanted) => {
    const html = `<title>The lock - Harbour News</title><meta property="og:title" content="Harbour News"><main>${heading}<p>A text of some words.</p></main>`;
    const { markdown } = extractPage(
      { html, url: "https://a.example/" },
      { formats: ["markdown"], onlyMainContent: true },
    );
    expect(markdown).toBe(`${wanted}A text of some words.`);
  });

  test("has the heading that the title does not say, above a line that is no content", () => {
    const text = "The old lock at the harbour was closed in March, when a survey found cracks. "
      .repeat(12)
      .trim();
    const html = `<title>Harbour News</title><header><nav><a href="/">Home</a></nav></header><main><article><h1>The lock</h1><p class="byline">By Ann Lind, 3 May 2026</p><p>${text}</p></article></main><footer>Imprint</footer>`;
    const { markdown } = extractPage(
      { html, url: "https://a.example/" },
      { formats: ["markdown"], onlyMainContent: true },
    );
    expect(markdown).toMatch(/^# The lock\n\n/);
  });

  test("is the whole body when it is not asked for", () => {
    const html =
      "<body><nav>Menu</nav><main>Text</main><footer>Foot</footer><script>x</script><style>y</style>" +
      "<noscript>z</noscript><div hidden>w</div><p style='display: none'>v</p></body>";
    expect(extractText({ html, url: "https://a.example/" }, false)).toBe("Menu\nText\nFoot");
  });
});

function readabilityText(html: string): string {
  const { document } = parseHTML(html);
  return new Readability(document as unknown as Document).parse()?.textContent ?? "";
}

function tokenF1(got: string, wanted: string): number {
  const left = tokens(got);
  const right = tokens(wanted);
  let common = 0;
  for (const [token, count] of left) common += Math.min(count, right.get(token) ?? 0);
  const size = (counts: Map<string, number>): number =>
    [...counts.values()].reduce((sum, count) => sum + count, 0);
  return (2 * common) / Math.max(1, size(left) + size(right));
}

function tokens(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [token] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu))
    counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

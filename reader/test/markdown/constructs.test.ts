import { extractPage } from "../../page/extract-page.ts";
import { type Construct, rendered } from "../fixtures/extract/constructs/construct.ts";
import { constructs } from "../fixtures/extract/constructs/constructs.ts";

const url = "https://site.example/dir/page";

// What comes before a construct decides how it begins: alone on a page it would hide defects.
const before =
  "The workshop in the north has worked with wood for ninety years, and it shows what it does to visitors.";
const after =
  "Everything that was said above holds for the workshop in the south as well, which opened a year ago.";

function read({ head = "", html }: Construct, onlyMainContent: boolean): string {
  const content = `<h1>Wood</h1><p>${before}</p>${html}<p>${after}</p>`;
  const page = onlyMainContent
    ? `<header><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav></header><main><article>${content}</article></main><footer><p>Imprint and terms</p></footer>`
    : content;
  const source = {
    html: `<!doctype html><html><head><title>Wood</title>${head}</head><body>${page}</body></html>`,
    url,
  };
  return extractPage(source, { formats: ["markdown"], onlyMainContent }).markdown ?? "";
}

describe.each([
  ["of the whole page", false],
  ["of the main content", true],
] as const)("markdown %s", (_, onlyMainContent) => {
  test.each(constructs.map(construct => [construct.name, construct] as const))("%s", (_name, construct) => {
    const written = read(construct, onlyMainContent);
    const [start, end] = [`# Wood\n\n${before}\n\n`, `\n\n${after}`];
    expect(written.slice(0, start.length)).toBe(start);
    expect(written.slice(-end.length)).toBe(end);
    const own = written.slice(start.length, -end.length);
    if (construct.markdown !== undefined) expect(own).toBe(construct.markdown);
    if (construct.renders !== undefined) expect(rendered(own, url)).toBe(rendered(construct.renders, url));
    for (const text of construct.contains ?? []) expect(own).toContain(text);
    for (const text of construct.without ?? []) expect(own).not.toContain(text);
  });
});

test("each construct says what it wants, under a name of its own", () => {
  expect(constructs.length).toBeGreaterThanOrEqual(200);
  expect(new Set(constructs.map(({ name }) => name)).size).toBe(constructs.length);
  for (const { markdown, renders, contains = [] } of constructs)
    expect(markdown !== undefined || renders !== undefined || contains.length > 0).toBe(true);
});

import { parseHtml } from "../../../reader/html/parse-html.ts";
import { type ElementNode, isElement } from "../../../reader/html/tree.ts";
import {
  createExtractionPool,
  type ExtractionPool,
} from "../../../services/scraper/extract/extraction-pool.ts";
import { shapes } from "../../support/page-shapes.ts";

/** What a reader does in its length takes a second; what it does in the square of that takes many minutes. */
const size = 1_000_000;
/** Those that the expressions of a reader once took the square of; `npm run bench -- shapes` measures all. */
const onceSquare = [
  "tags that never end",
  "a long title",
  "spaces in a link",
  "spaces in a heading",
  "spaces in a cell",
];
/** Levels that browsers keep. */
const maxLevels = 512;

let pool: ExtractionPool;
beforeAll(() => {
  pool = createExtractionPool(
    async () => undefined,
    Infinity,
    () => undefined,
  );
});
afterAll(() => pool.close());

test.each(onceSquare)("a page of %s is read", async name => {
  const formats = ["markdown" as const];
  const wanted = { formats, onlyMainContent: false, keepHtml: false, keepText: false, crawl: false };
  const page = {
    ...{ status: 200, finalUrl: "https://site.example/", redirects: [], setCookies: [] },
    ...{ headers: {}, contentType: "text/html", body: Buffer.from(shapes[name]?.(size) ?? "") },
  };
  const reader = { group: "key", signal: AbortSignal.timeout(60_000) };
  const read = await pool.run("readFetched", { page, wanted, render: "never" }, reader);
  expect(read.kind).toBe("digest");
});

test.each(Object.entries(shapes))("of %s the tree is no deeper than a browser's", (_, shape) => {
  expect(levels(parseHtml(shape(50_000)))).toBeLessThanOrEqual(maxLevels);
});

function levels(root: ElementNode): number {
  let [deepest, level] = [0, [root]];
  for (; level.length > 0; deepest += 1)
    level = level.flatMap(({ childNodes }) => childNodes.filter(isElement));
  return deepest;
}

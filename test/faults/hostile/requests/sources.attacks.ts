import type { Reply } from "../../../support/http-site.ts";
import { xlsx } from "../../../support/office.ts";
import { type Attack, type Attacks, asking, inWords } from "./attack.ts";

const many = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join("");
const page = (body: string) => `<!doctype html><title>Large</title><main><h1>Large</h1>${body}</main>`;
const opml = (outlines: string) => `<opml version="2.0"><body>${outlines}</body></opml>`;
const feeds = many(5000, n => `<outline type="rss" xmlUrl="https://host${n}.example/"/>`);

function importing(outlines: () => string): Attack {
  return {
    run: async ({ ask }) =>
      inWords(
        await ask("POST", "/track/opml?dry_run=true", opml(outlines()), { "content-type": "text/x-opml" }),
      ),
  };
}

function sitting(reply: () => Reply, path: string, body: (url: string) => object): Attack {
  return { site: () => ({ "/": reply() }), run: asking("POST", path, site => body(`${site}/`)) };
}

const tracking = (reply: () => Reply, kind = "web") => sitting(reply, `/track/${kind}`, sid => ({ sid }));
const scraping = (reply: () => Reply) =>
  sitting(reply, "/web/scrape", url => ({
    url,
    timeout: 60_000,
    output: { formats: ["markdown", "html", "raw_html", "links"] },
  }));

/** A page that has changed whenever it is looked at. It is tracked, and looked at once more as a poll does. */
function changing(lines: string): Attack {
  let looks = 0;
  return {
    site: () => ({
      "/": (_, response) => {
        looks += 1;
        response.writeHead(200, { "content-type": "text/html" }).end(page(`<p>look ${looks}</p>${lines}`));
      },
    }),
    run: async ({ ask, site }) => {
      const tracked = await ask("POST", "/track/web", { sid: `${site}/` });
      const looked = await ask("POST", "/track/web/preview", { sid: `${site}/` });
      return `${inWords(tracked)}, ${inWords(looked)}`;
    },
  };
}

/** A text of a megabyte in 2,000 cells. */
function sheet(): Reply {
  const rows = many(2000, n => `<row><c r="A${n + 1}" t="s"><v>0</v></c></row>`);
  const strings = `<sst><si><t>${"long ".repeat(200_000)}</t></si></sst>`;
  return {
    headers: { "content-type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
    body: xlsx({ sheets: { Large: `<sheetData>${rows}</sheetData>` }, strings }),
  };
}

function feed(type: string, body: string): Reply {
  return { headers: { "content-type": type }, body };
}

/** Lists, pages and feeds as large as they may be. */
export const sourceAttacks: Attacks = {
  "opml-outlines": importing(() => `<outline text="nothing"/>`.repeat(160_000)),
  "opml-attributes": importing(() => `<outline ${many(250_000, n => `a${n}="1" `)}/>`),
  "opml-ampersands": importing(() => `<outline text="${"&aaaaaaaa".repeat(440_000)}"/>`),
  "opml-folder": importing(() => `<outline text="${"n".repeat(3_500_000)}">${feeds}</outline>`),
  "page-of-lines": changing(many(200_000, n => `<p>line ${n}</p>`)),
  "page-of-links": tracking(() => page(many(300_000, n => `<a href="/${n}">link ${n}</a> `))),
  "page-of-marks": tracking(() => page(`<p>e${"\u0301\u0327".repeat(500_000)}</p>`)),
  "feed-of-items": tracking(
    () =>
      feed(
        "application/rss+xml",
        `<rss version="2.0"><channel><title>Many</title>${many(100_000, n => `<item><guid>${n}</guid></item>`)}</channel></rss>`,
      ),
    "rss",
  ),
  "large-page": scraping(() =>
    page(many(15_000, n => `<p>${n} ${"a long text with words ".repeat(44)}</p>`)),
  ),
  "large-sheet": scraping(sheet),
};

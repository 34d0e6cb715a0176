import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";
import { NodeHtmlMarkdown } from "node-html-markdown";
import type { Outcome } from "../../test/bench/compare.ts";
import { extractPage } from "../page/extract-page.ts";
import { type Construct, rendered } from "../test/fixtures/extract/constructs/construct.ts";
import { constructs as all } from "../test/fixtures/extract/constructs/constructs.ts";
import { silently } from "./silently.ts";

const url = "https://site.example/dir/page";
const before =
  "The workshop in the north has worked with wood for ninety years, and it shows what it does to visitors.";
const after =
  "Everything that was said above holds for the workshop in the south as well, which opened a year ago.";

const converter = new NodeHtmlMarkdown();

type Write = (page: string, article: string) => Promise<string> | string;

/** Each writes the markdown of a page's main content; the one that does not search for it is given that alone. */
const writers: Record<string, Write> = {
  magpie: html => extractPage({ html, url }, { formats: ["markdown"], onlyMainContent: true }).markdown ?? "",
  "readability + node-html-markdown": html => {
    const { document } = parseHTML(html);
    return converter.translate(new Readability(document as unknown as Document).parse()?.content ?? "");
  },
  defuddle: async html => {
    const { document } = parseHTML(html);
    const options = { markdown: true, useAsync: false };
    return (await silently(() => Defuddle(document, url, options))).content;
  },
  "node-html-markdown": (_, article) => converter.translate(article),
};

/**
 * The constructs of the golden tests, each within an article: how many each writer gets right. Right is what renders
 * (CommonMark with GFM) as the expected markdown does, whatever its spelling; relative addresses are resolved before.
 */
export async function constructs(): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [name, write] of Object.entries(writers)) {
    const wrong: string[] = [];
    for (const construct of all) if (!(await isRight(construct, write))) wrong.push(construct.name);
    const right = all.length - wrong.length;
    const line = `constructs: ${name} ${right} of ${all.length} right`;
    outcomes.push(name === "magpie" ? { line, met: wrong.length === 0 } : { line });
    outcomes.push({ line: `  wrong: ${wrong.join(", ") || "none"}` });
  }
  return outcomes;
}

async function isRight(construct: Construct, write: Write): Promise<boolean> {
  const article = `<article><h1>Wood</h1><p>${before}</p>${construct.html}<p>${after}</p></article>`;
  const around = `<header><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav></header><main>${article}</main><footer><p>Imprint and terms</p></footer>`;
  const own = ownPart(await write(page(construct, around), page(construct, article)));
  if (own === undefined) return false;
  const { markdown, renders = markdown, contains = [], without = [] } = construct;
  if (renders !== undefined && rendered(own, url) !== rendered(renders, url)) return false;
  return contains.every(text => own.includes(text)) && without.every(text => !own.includes(text));
}

function page({ head = "" }: Construct, body: string): string {
  return `<!doctype html><html><head><title>Wood</title>${head}</head><body>${body}</body></html>`;
}

/** What a writer made of the construct: what is beside the paragraphs around it, and notes at the end. */
function ownPart(markdown: string): string | undefined {
  const [start, end] = [markdown.indexOf(before), markdown.lastIndexOf(after)];
  if (start < 0 || end < start) return undefined;
  return (markdown.slice(start + before.length, end) + markdown.slice(end + after.length)).trim();
}

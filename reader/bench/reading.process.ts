import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { parseHtml } from "../html/parse-html.ts";
import { plainText } from "../html/plain-text.ts";
import { readHtml } from "../reader.ts";
import { pageSet } from "./page-set.ts";
import type { ReaderName, Reading } from "./reading.bench.ts";
import { silently } from "./silently.ts";

interface Page {
  html: string;
  url: string;
}

/** What reads a page: `run` is measured, `textOf` makes of its result what is compared. */
interface Reader {
  run(page: Page): Promise<string> | string;
  textOf(result: string): string;
}

const markdown = new NodeHtmlMarkdown();

/** The peers have linkedom for a DOM, which is faster than jsdom. */
const readers: Record<ReaderName, Reader> = {
  magpie: {
    // The text is there anyway: its words are counted.
    run: ({ html, url }) => readHtml(html, { url, text: true }).text ?? "",
    textOf: text => text,
  },
  "readability + node-html-markdown": {
    run: ({ html }) => {
      const content = readable(html);
      markdown.translate(content);
      return content;
    },
    textOf: textOfHtml,
  },
  defuddle: {
    run: async ({ html, url }) => {
      const { document } = parseHTML(html);
      return (await silently(() => Defuddle(document, url, { useAsync: false }))).content;
    },
    textOf: textOfHtml,
  },
  "node-html-markdown": {
    run: ({ html }) => markdown.translate(html),
    textOf: textOfMarkdown,
  },
};

function readable(html: string): string {
  const { document } = parseHTML(html);
  return new Readability(document as unknown as Document).parse()?.content ?? "";
}

function textOfHtml(html: string): string {
  return plainText(parseHtml(html));
}

/** Without addresses, which are no words of the page. */
function textOfMarkdown(text: string): string {
  return text.replace(/\]\([^()\s]*(?: "[^"]*")?\)/g, "]");
}

const [name = "", folder = ""] = process.argv.slice(2);
const reader = readers[name as ReaderName];
const pages = pageSet(folder);

/** A service reads pages for days. Every seventh page is read before, so that V8 has compiled what reads them. */
const warmUps = 7;
/** How often Magpie reads a page again: its time has a bar of its own. */
const rereadings = 4;

/** Reads the next page of the folder. */
async function readNext(): Promise<Reading> {
  const { value: page } = pages.next();
  if (page === undefined) throw new Error("There are no more pages.");
  const { result, ms } = await timed(page);
  const again: number[] = [];
  while (name === "magpie" && again.length < rereadings) again.push((await timed(page)).ms);
  return { text: result === undefined ? null : reader.textOf(result), ms, leastMs: Math.min(ms, ...again) };
}

async function timed(page: Page): Promise<{ result: string | undefined; ms: number }> {
  const before = process.cpuUsage();
  const result = await read(page);
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}

/** Undefined where the reader fails. */
async function read(page: Page): Promise<string | undefined> {
  try {
    return await reader.run(page);
  } catch {
    return undefined;
  }
}

let place = 0;
for (const page of pageSet(folder)) if (place++ % warmUps === 0) await read(page);
process.on("message", async () => process.send?.(await readNext()));
process.send?.("ready");

import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { pageReaderNames, startPageReader } from "../../test/bench/peers/page-readers.ts";
import { parseHtml } from "../html/parse-html.ts";
import { plainText } from "../html/plain-text.ts";
import { readHtml } from "../reader.ts";
import { pageSet } from "./page-set.ts";
import type { OwnReaderName, Reading } from "./reading.bench.ts";
import { silently } from "./silently.ts";

interface Page {
  html: string;
  url: string;
}

/** What reads a page: the time of `run` is measured, `textOf` makes of its result what is compared. */
interface Reader {
  run(page: Page): Promise<string> | string;
  textOf(result: string): string;
}

/** What is made of a page, undefined where the reader fails, and the CPU time that it took. */
interface Timed {
  result: string | undefined;
  ms: number;
}

const markdown = new NodeHtmlMarkdown();

/** The peers have linkedom for a DOM, which is faster than jsdom. */
const readers: Record<OwnReaderName, Reader> = {
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

/** What programs in other languages give: dom_smoothie HTML, the others Markdown. */
const textOfPeer = {
  trafilatura: textOfMarkdown,
  "rs-trafilatura": textOfMarkdown,
  dom_smoothie: textOfHtml,
};

const [name = "", folder = ""] = process.argv.slice(2);
const pages = pageSet(folder);

/** A service reads pages for days. Every seventh page is read before, so that V8 has compiled what reads them. */
const warmUps = 7;
/** How often Magpie reads a page again: its time has a bar of its own. */
const rereadings = 4;

const { time, textOf } = await openReader();
let place = 0;
for (const page of pageSet(folder)) if (place++ % warmUps === 0) await time(page);
process.on("message", async () => process.send?.(await readNext()));
process.send?.("ready");

async function openReader() {
  const peer = pageReaderNames.find(each => each === name);
  if (peer === undefined) {
    const reader = readers[name as OwnReaderName];
    return { time: (page: Page) => timed(reader, page), textOf: reader.textOf };
  }
  const helper = await startPageReader(peer);
  process.once("disconnect", () => void helper.stop());
  const ask = async ({ html, url }: Page): Promise<Timed> => {
    const { result, ms } = await helper.ask({ html, url });
    return { result: result ?? undefined, ms };
  };
  return { time: ask, textOf: textOfPeer[peer] };
}

/** Reads the next page of the folder. */
async function readNext(): Promise<Reading> {
  const { value: page } = pages.next();
  if (page === undefined) throw new Error("There are no more pages.");
  const { result, ms } = await time(page);
  const again: number[] = [];
  while (name === "magpie" && again.length < rereadings) again.push((await time(page)).ms);
  return { text: result === undefined ? null : textOf(result), ms, leastMs: Math.min(ms, ...again) };
}

async function timed(reader: Reader, page: Page): Promise<Timed> {
  const before = process.cpuUsage();
  const result = await read(reader, page);
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}

/** Undefined where the reader fails. */
async function read(reader: Reader, page: Page): Promise<string | undefined> {
  try {
    return await reader.run(page);
  } catch {
    return undefined;
  }
}

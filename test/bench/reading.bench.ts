import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { type PageScore, scorePage, scoreTable } from "../../cli/train/measure.ts";
import { extractText } from "../../services/domain/extract/extract-page.ts";
import { parseHtml } from "../../services/domain/extract/parse-html.ts";
import { plainText } from "../../services/domain/extract/plain-text.ts";
import { digestHtml } from "../../services/scraper/extract/digest-html.ts";
import { median, type Outcome, verdict } from "./compare.ts";
import { type KnownPage, overPages, pageSet } from "./page-set.ts";
import { silently } from "./silently.ts";

const warmUps = 20;
const maxMs = 9;
const minRatio = 4;

/** What reads a page: `run` is measured, `textOf` makes of its result what is compared. */
interface Reader {
  run(page: KnownPage): Promise<string> | string;
  textOf(result: string, page: KnownPage): string;
}

const markdown = new NodeHtmlMarkdown();

const readers = {
  magpie: {
    run: ({ html, url }) =>
      digestHtml(
        { html, url, wall: null },
        { formats: ["markdown"], onlyMainContent: true, keepHtml: false, keepText: false, crawl: false },
      ).markdown ?? "",
    textOf: (_, page) => extractText(page, true),
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
} satisfies Record<string, Reader>;

type Name = keyof typeof readers;
const names = Object.keys(readers) as Name[];

/**
 * Main content of each page beside what people marked, and the CPU time from HTML to Markdown (of Defuddle to HTML): all
 * readers read one page after another, in turn. The peers have linkedom for a DOM, which is faster than jsdom.
 */
export const reading = overPages("reading", async folder => {
  const scores: PageScore[] = [];
  const times = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>;
  const failed = new Map<Name, number>();
  let count = 0;
  for (const page of pageSet(folder)) {
    count += 1;
    for (const name of inTurn(count)) {
      const { text, ms } = await read(readers[name], page);
      if (text === undefined) failed.set(name, (failed.get(name) ?? 0) + 1);
      scores.push(scorePage(text ?? "", { ...page, name: page.id, set: name }));
      if (count > warmUps) times[name].push(ms);
    }
  }
  const failures = [...failed].map(([name, pages]) => `${name} failed on ${pages} pages`);
  return [
    { line: scoreTable(scores) },
    ...failures.map(line => ({ line: `reading: ${line}` })),
    ...speeds(times),
  ];
});

/** The same readers, another one first for each page. */
function inTurn(page: number): Name[] {
  const start = page % names.length;
  return [...names.slice(start), ...names.slice(0, start)];
}

/** `text` is undefined where the reader failed, which counts as an empty page. */
async function read(reader: Reader, page: KnownPage): Promise<{ text: string | undefined; ms: number }> {
  const before = process.cpuUsage();
  const result = await Promise.resolve()
    .then(() => reader.run(page))
    .catch(() => undefined);
  const { user, system } = process.cpuUsage(before);
  return {
    text: result === undefined ? undefined : reader.textOf(result, page),
    ms: (user + system) / 1000,
  };
}

function speeds(times: Record<Name, number[]>): Outcome[] {
  const ours = median(times.magpie);
  return names.map(name => {
    const ratio = median(
      times[name]
        .map((ms, page) => ms / (times.magpie[page] || Number.NaN))
        .filter(each => !Number.isNaN(each)),
    );
    const text = `reading: ${name} ${median(times[name]).toFixed(1)} ms of CPU a page at the median, ${ratio.toFixed(1)} times magpie`;
    if (name === "magpie")
      return verdict(`reading: magpie ${ours.toFixed(1)} ms of CPU a page at the median`, ours, "<=", maxMs);
    return name.startsWith("readability") ? verdict(text, ratio, ">=", minRatio) : { line: text };
  });
}

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

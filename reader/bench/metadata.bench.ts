import { median, type Outcome } from "../../test/bench/compare.ts";
import { parseHtml } from "../html/parse-html.ts";
import { readMetadata } from "../metadata/read-metadata.ts";
import { urlResolver } from "../page/page-links.ts";
import { overPages, pageSet } from "./page-set.ts";

interface Count {
  known: number;
  given: number;
  right: number;
  /** Given where the page set knows none. */
  besides: number;
}

/** Titles, authors and dates of publication beside those that people found, and the CPU time of reading all metadata. */
export const metadata = overPages("metadata", async folder => {
  const title = newCount();
  const author = newCount();
  const published = newCount();
  const times: number[] = [];
  for (const page of pageSet(folder)) {
    const root = parseHtml(page.html);
    const before = process.cpuUsage();
    const facts = readMetadata(root, urlResolver(root, page.url), page.url);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    tally(title, facts.title || null, page.title, (given, known) => wordsOf(given) === wordsOf(known));
    tally(author, facts.author, page.author, isSameName);
    tally(published, facts.published_time, page.publishDate, (given, known) => given.startsWith(known));
  }
  return [
    report("title", title),
    report("author", author),
    report("published_time", published),
    { line: `metadata: ${median(times).toFixed(2)} ms of CPU a page at the median, beside the parsing` },
  ];
});

function newCount(): Count {
  return { known: 0, given: 0, right: 0, besides: 0 };
}

function tally(
  count: Count,
  given: string | null,
  known: string | null,
  isRight: (given: string, known: string) => boolean,
): void {
  if (known === null) {
    if (given !== null) count.besides += 1;
    return;
  }
  count.known += 1;
  if (given === null) return;
  count.given += 1;
  if (isRight(given, known)) count.right += 1;
}

/** Tells whether one name holds the other in whole words: people note a part of a byline or all of it. */
function isSameName(given: string, known: string): boolean {
  const [left, right] = [wordsOf(given), wordsOf(known)];
  return left.includes(right) || right.includes(left);
}

function wordsOf(name: string): string {
  const plain = name.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  return ` ${plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}

function report(field: string, { known, given, right, besides }: Count): Outcome {
  const share = (part: number, whole: number) => (part / Math.max(1, whole)).toFixed(3);
  const line = `metadata: ${field} given on ${given} of ${known} pages with a known one (${share(given, known)}), right on ${right} (${share(right, given)}); on ${besides} others`;
  return { line };
}

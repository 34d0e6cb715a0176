import { type Bench, verdict } from "../../test/bench/compare.ts";
import { extractPage, extractText } from "../page/extract-page.ts";
import { overPages, pageSet } from "./page-set.ts";

const minDescription = 8;
/** Sentences shorter than this are captions, names and the like. */
const minSentence = 5;

/**
 * ROUGE-1 F of the summaries of articles against the descriptions that they have for previews (`og:description`), beside
 * that of their first sentences.
 */
export const summary: Bench = overPages("summary", async folder => {
  const scores = { summary: [] as number[], "lead-2": [] as number[], "lead-3": [] as number[] };
  const lengths: number[] = [];
  for (const page of pageSet(folder)) {
    if (page.type !== "article") continue;
    const source = { html: page.html, url: page.url };
    const content = extractPage(source, { formats: ["summary"], onlyMainContent: true });
    const description = content.og.description ?? "";
    if (wordsOf(description).length < minDescription) continue;
    const lead = sentencesOf(extractText(source, true));
    scores.summary.push(rouge(content.summary ?? "", description));
    scores["lead-2"].push(rouge(lead.slice(0, 2).join(" "), description));
    scores["lead-3"].push(rouge(lead.slice(0, 3).join(" "), description));
    lengths.push(wordsOf(content.summary ?? "").length);
  }
  const ours = mean(scores.summary);
  const leads = (["lead-2", "lead-3"] as const).map(name => `${name} ${mean(scores[name]).toFixed(3)}`);
  const text = `summary: ROUGE-1 F ${ours.toFixed(3)} with ${mean(lengths).toFixed(0)} words, ${leads.join(", ")}; ${lengths.length} articles`;
  return [
    verdict(text, ours, ">=", 0.37),
    verdict(
      "summary: over the better lead",
      ours / Math.max(mean(scores["lead-2"]), mean(scores["lead-3"])),
      ">=",
      1,
    ),
  ];
});

/** Overlap of words: Lin, "ROUGE: a package for automatic evaluation of summaries", 2004. */
function rouge(given: string, wanted: string): number {
  const [ours, theirs] = [wordsOf(given), wordsOf(wanted)];
  const left = new Map<string, number>();
  for (const word of theirs) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of ours) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    common += 1;
    left.set(word, count - 1);
  }
  return common === 0 ? 0 : (2 * common) / (ours.length + theirs.length);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function sentencesOf(text: string): string[] {
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  return text
    .split("\n")
    .flatMap(line => Array.from(segmenter.segment(line), ({ segment }) => segment.trim()))
    .filter(
      sentence => /[.!?…。！？]["'”’»)\]]*$/u.test(sentence) && wordsOf(sentence).length >= minSentence,
    );
}

function mean(values: number[]): number {
  return values.reduce((total, value) => total + value, 0) / Math.max(1, values.length);
}

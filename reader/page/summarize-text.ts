import { plainText } from "../html/plain-text.ts";
import { type ElementNode, isBlock, isText } from "../html/tree.ts";

/** A block of text, and the part of it that is inside links. */
export interface Passage {
  text: string;
  linked: number;
}

const maxSentences = 3;
const maxCandidates = 60;
/** How many candidates may be chosen: what a text is about is said near its start. */
const maxPlaces = 7;
const maxLength = 400;
/** Limit of passages, and of characters of one. */
const [maxPassages, maxPassage] = [10_000, 20_000];
const minWords = 5;

interface Sentence {
  text: string;
  words: string[];
  linked: number;
}

/**
 * At most three sentences of a text, verbatim, in its order. For each sentence of the text's start it estimates the share
 * of its words that a description of the text would have: from its place, and the words that it has in common with the
 * title and with other sentences. Then it takes the sentences that together have the highest F-measure of such words, so
 * that a sentence has to be worth its length. Works for any language that Intl.Segmenter knows; linear in the text.
 *
 * `language` is a BCP 47 tag or null.
 */
export function summarizeText(
  passages: readonly Passage[],
  { title, language }: { title: string; language: string | null },
): string {
  const sentences = candidates(passages, title, language ?? undefined);
  const topic = stemsOf(wordsOf(title, segmenter("word", language ?? undefined)));
  const spread = sentencesWithStem(sentences);
  const worth = sentences.slice(0, maxPlaces).map((sentence, place) => ({
    sentence,
    place,
    matches: Math.max(minShare, expectedShare(sentence, place, topic, spread)) * sentence.words.length,
  }));
  return choose(worth)
    .sort((a, b) => a.place - b.place)
    .map(({ sentence }) => sentence.text)
    .join(" ");
}

/** Every line of a text that has no other structure. */
export function passagesOfText(text: string): Passage[] {
  return text.split("\n", maxPassages).map(line => ({ text: line.replace(/ {2,}/g, " ").trim(), linked: 0 }));
}

/** Elements whose text is beside the prose: the title, captions, tables, code, controls, bylines. */
const beside = new Set(
  "h1 figure figcaption caption table pre form dt summary aside nav footer address legend button time dialog".split(
    " ",
  ),
);

/** The prose of a page, a passage for each block; all its text where it has no prose. */
export function passagesOfPage(root: ElementNode): Passage[] {
  const passages: Passage[] = [];
  let text = "";
  let linked = 0;
  const end = (): void => {
    const plain = text.replace(/ {2,}/g, " ").trim();
    if (plain !== "") passages.push({ text: plain, linked: Math.min(1, linked / plain.length) });
    text = "";
    linked = 0;
  };
  const visit = (element: ElementNode, isLink: boolean): void => {
    for (const child of element.childNodes) {
      if (passages.length >= maxPassages) return;
      if (isText(child)) {
        text += child.text;
        if (isLink) linked += child.text.length;
      } else if (child.name === "br" || child.name === "hr" || beside.has(child.name)) end();
      else if (isBlock(child.name)) {
        end();
        visit(child, isLink);
        end();
      } else visit(child, isLink || child.name === "a");
    }
  };
  visit(root, false);
  end();
  return passages.length > 0 ? passages : passagesOfText(plainText(root));
}

/** Sentences of prose. Where there are none, any sentence; where there is none either, any text. */
function candidates(passages: readonly Passage[], title: string, language: string | undefined): Sentence[] {
  const all = sentencesOf(passages, language);
  const name = title.trim().toLowerCase();
  const long = all.filter(({ words, text }) => words.length >= minWords && text.toLowerCase() !== name);
  const finished = long.filter(({ text }) => isFinished(text));
  const prose = finished.filter(({ text, linked }) => linked < 0.5 && !notOfText.test(text));
  return [prose, finished, long, all].find(list => list.length > 0) ?? [];
}

function sentencesOf(passages: readonly Passage[], language: string | undefined): Sentence[] {
  const [bySentence, byWord] = [segmenter("sentence", language), segmenter("word", language)];
  const found = new Map<string, Sentence>();
  for (const { text, linked } of passages) {
    if (found.size >= 2 * maxCandidates) break;
    for (const { segment } of bySentence.segment(text.slice(0, maxPassage))) {
      const sentence = segment.trim();
      if (sentence === "" || sentence.length > maxLength || found.has(sentence)) continue;
      found.set(sentence, { text: sentence, words: wordsOf(sentence, byWord), linked });
    }
  }
  return [...found.values()];
}

function isFinished(sentence: string): boolean {
  return /[.!?…。！？।؟۔।]["'”’»)\]]*$/u.test(sentence);
}

/** What sites write around texts: rights, advertising, subscriptions, cookies, pictures, comments, teasers. */
const notOfText =
  /\b(?:affiliate|commissions?|newsletter|subscribe|sign up|log in|cookies?|privacy policy|terms of (?:use|service)|all rights reserved|copyright|photo(?:graph)? (?:by|credit)|image (?:by|credit|source)|getty images|shutterstock|editor.s note|min(?:ute)?s? read|last updated|originally published|medically reviewed|fact.checked|follow us|click here|read more|learn more about our|disclosures?|sponsored|leave a (?:comment|reply)|your email address|required fields|comments? (?:are|will be|policy)|weiterlesen|mehr lesen|datenschutz|lire la suite|abonnez|leer más|suscríbete|leggi anche|lees ook)\b|©/i;

const minShare = 0.02;

/** The share of a sentence's words that a description would have; fitted to articles with descriptions. */
function expectedShare(
  { words, linked, text }: Sentence,
  place: number,
  topic: Set<string>,
  spread: Map<string, number>,
): number {
  let common = 0;
  let shared = 0;
  const stems = stemsOf(words);
  for (const stem of stems) {
    shared += Math.log(spread.get(stem) ?? 1);
    if (topic.has(stem)) common += 1;
  }
  const likeTitle = topic.size === 0 ? 0 : Math.min(1, common / Math.min(8, topic.size));
  const likeText = stems.size === 0 ? 0 : shared / stems.size;
  const isQuote = /^["“'‘«„]/.test(text) ? 1 : 0;
  return (
    0.157 +
    0.234 / (1 + place) +
    0.223 * likeTitle +
    0.04 * likeText -
    (0.111 * Math.min(40, words.length)) / 40 -
    0.27 * linked -
    0.012 * isQuote
  );
}

/** Beginnings of words, without the short ones that any text has. Scripts other than Latin have short words of weight. */
function stemsOf(words: string[]): Set<string> {
  const stems = new Set<string>();
  for (const word of words) {
    if (word.length > 3 || /[^\p{sc=Latin}]/u.test(word)) stems.add(word.slice(0, 6));
  }
  return stems;
}

function sentencesWithStem(sentences: Sentence[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { words } of sentences) {
    for (const stem of stemsOf(words)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

interface Worth {
  sentence: Sentence;
  place: number;
  /** Words that a description is expected to have in common. */
  matches: number;
}

/** Words that a description is expected to have beside those of the sentences. */
const otherWords = 6;

/** Adds the best sentence as long as the F-measure grows. */
function choose(open: Worth[]): Worth[] {
  const chosen: Worth[] = [];
  let [matches, size, best] = [0, 0, 0];
  while (chosen.length < maxSentences) {
    const measure = (worth: Worth) =>
      (matches + worth.matches) / (size + worth.sentence.words.length + otherWords);
    const rest = open.filter(worth => !chosen.includes(worth));
    const [next] = rest.sort((a, b) => measure(b) - measure(a));
    if (next === undefined || measure(next) <= best) break;
    best = measure(next);
    matches += next.matches;
    size += next.sentence.words.length;
    chosen.push(next);
  }
  return chosen;
}

function wordsOf(text: string, byWord: Intl.Segmenter): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of byWord.segment(text.slice(0, 1000))) {
    if (isWordLike === true) words.push(segment.toLowerCase());
  }
  return words;
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenter(granularity: "sentence" | "word", language = "und"): Intl.Segmenter {
  const [locale = "und"] = Intl.Segmenter.supportedLocalesOf(wellFormed(language));
  const key = `${granularity} ${locale}`;
  const made = segmenters.get(key) ?? new Intl.Segmenter(locale, { granularity });
  if (segmenters.size < 100) segmenters.set(key, made);
  return made;
}

// A page may declare any tag; a malformed one would throw.
function wellFormed(language: string): string[] {
  return /^[a-zA-Z]{2,3}(?:-[a-zA-Z]{4})?(?:-[a-zA-Z]{2}|-\d{3})?$/.test(language) ? [language] : [];
}

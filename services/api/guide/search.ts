import MiniSearch from "minisearch";
import { addressOf, type Passage } from "./markdown.ts";
import { isDecision, type Page } from "./pages.ts";

/** A place in the guide that holds the words that were asked for. */
export interface Hit {
  title: string;
  /** The heading below which it is; empty at the beginning of a page. */
  heading: string;
  url: string;
  /** Some of its words; `match` marks those that were asked for. */
  excerpt: { text: string; match: boolean }[];
}

export interface SearchablePage {
  page: Page;
  passages: Passage[];
}

interface Entry {
  id: number;
  title: string;
  heading: string;
  text: string;
  page: Page;
  anchor: string;
}

const maxHits = 20;
/** Words that are looked for, the first ones: each costs some milliseconds, and anybody may ask. */
const maxWords = 8;
const excerptLength = 180;

export interface GuideSearch {
  /**
   * The best places first: those with all of the words or, where there are none, with some of them. Decisions come after all
   * other pages, since they say why and most readers ask how.
   */
  find(text: string): Hit[];
}

/** Finds words in titles, headings and paragraphs. The index is in memory: some thousand passages. */
export async function openSearch(pages: readonly SearchablePage[]): Promise<GuideSearch> {
  const index = new MiniSearch<Entry>({
    fields: ["title", "heading", "text"],
    processTerm: stemOf,
    searchOptions: {
      boost: { heading: 4, title: 3 },
      prefix: term => term.length > 2,
      fuzzy: term => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.5, fuzzy: 0.2 },
    },
  });
  const entries = pages
    .flatMap(({ page, passages }) => passages.map(passage => ({ page, passage })))
    .map(({ page, passage }, id) => entryOf(id, page, passage));
  await index.addAllAsync(entries, { chunkSize: 20 });
  return {
    find(text) {
      const words = wordsIn(text);
      const all = index.search(words, { combineWith: "AND" });
      const found = (all.length > 0 ? all : index.search(words)).flatMap(({ id, terms }) => {
        const entry = entries[id];
        return entry ? [{ entry, terms }] : [];
      });
      return found
        .sort((a, b) => Number(isDecision(a.entry.page)) - Number(isDecision(b.entry.page)))
        .slice(0, maxHits)
        .map(({ entry, terms }) => hitOf(entry, terms));
    },
  };
}

/** What is below a page's title has no heading of its own. */
function entryOf(id: number, page: Page, { heading, text }: Passage): Entry {
  const isTop = heading.depth === 1;
  return {
    id,
    title: page.title,
    heading: isTop ? "" : heading.text,
    text,
    page,
    anchor: isTop ? "" : heading.id,
  };
}

function wordsIn(text: string): string {
  const words = text.toLowerCase().split(/[\s\p{Z}\p{P}]+/u);
  return [...new Set(words)].filter(Boolean).slice(0, maxWords).join(" ");
}

/** Reduces singular and plural to one form: `retries` is found as `retry`. */
function stemOf(word: string): string {
  const lower = word.toLowerCase();
  return lower.length < 4 ? lower : lower.replace(/ie[sd]$/, "y").replace(/(?<![ius])s$/, "");
}

function hitOf({ title, heading, page, anchor, text }: Entry, terms: string[]): Hit {
  return { title, heading, url: addressOf(page, anchor), excerpt: excerptOf(text, terms) };
}

/** The part of a text around the first of the terms, cut at words. */
function excerptOf(text: string, terms: readonly string[]): Hit["excerpt"] {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.map(literal).join("|")})`, "giu");
  const first = Math.max(0, text.search(pattern));
  const start = first < excerptLength / 2 ? 0 : text.lastIndexOf(" ", first - excerptLength / 3) + 1;
  const limit = start + excerptLength;
  const end = limit >= text.length ? text.length : text.lastIndexOf(" ", limit);
  const part =
    (start > 0 ? "… " : "") + text.slice(start, Math.max(end, start)) + (end < text.length ? " …" : "");
  const pieces: Hit["excerpt"] = [];
  let at = 0;
  for (const { 0: match, index } of part.matchAll(pattern)) {
    if (index > at) pieces.push({ text: part.slice(at, index), match: false });
    pieces.push({ text: match, match: true });
    at = index + match.length;
  }
  return at < part.length ? [...pieces, { text: part.slice(at), match: false }] : pieces;
}

/** A pattern of the forms in which a stem is written. */
function literal(stem: string): string {
  return stem.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/y$/, "(?:y|ie)");
}

import MiniSearch from "minisearch";
import { siteOf } from "../url/canonical-url.ts";

/** What is known of a page that was not read. */
interface Page {
  url: string;
  title: string | null;
  description: string | null;
}

/** Words that are looked for, the first ones: each costs some milliseconds. */
const maxWords = 16;
/** A letter that is wrong, too much or missing. More take seconds among the many words of a large site. */
const mostEdits = 1;
/** Words of a page that are indexed, and different ones of all pages: each costs a kilobyte of memory. */
const [mostWords, mostDifferent] = [100, 100_000];
const maxText = 1000;

/**
 * Puts the pages first that have the words of `search` in their URL, their title or their description, the best before all
 * others (BM25+, with prefixes, and with a letter that is wrong); then those that have none of them, in the order given.
 * `slices.next` is called for each page; once it resolves with false, the other pages count as having none.
 */
export async function rankPages<P extends Page>(
  pages: readonly P[],
  search: string,
  slices: { next(): Promise<boolean> },
): Promise<P[]> {
  const index = new MiniSearch({
    fields: ["title", "address", "description"],
    searchOptions: {
      boost: { title: 3, address: 2 },
      prefix: term => term.length > 2,
      fuzzy: term => (term.length > 5 ? mostEdits : false),
      weights: { prefix: 0.5, fuzzy: 0.2 },
    },
  });
  const known = new Set<string>();
  for (const [id, page] of pages.entries()) {
    if (!(await slices.next())) break;
    index.add(entryOf(page, id, known));
  }
  const hits = index.search(wordsIn(search).slice(0, maxWords).join(" ")).map(({ id }) => Number(id));
  const isHit = new Set(hits);
  const found = hits.flatMap(at => pages[at] ?? []);
  return [...found, ...pages.filter((_, at) => !isHit.has(at))];
}

function entryOf({ url, title, description }: Page, id: number, known: Set<string>) {
  const within = (text: string) => affordable(wordsIn(text.slice(0, maxText)), known);
  return {
    id,
    title: within(title ?? ""),
    address: within(addressOf(url)),
    description: within(description ?? ""),
  };
}

/** Without new words where there are too many, and without more than a page may have. */
function affordable(words: string[], known: Set<string>): string {
  const kept = words.slice(0, mostWords).filter(word => known.size < mostDifferent || known.has(word));
  for (const word of kept) known.add(word);
  return kept.join(" ");
}

/** The path, and the hosts below the site's own name: `docs` of `docs.example.com`. */
function addressOf(text: string): string {
  const url = URL.parse(text);
  if (!url) return "";
  const below = siteOf(url).split(".").slice(0, -2).join(" ");
  return `${below} ${decoded(url.pathname + url.search)}`;
}

/** The words of a text, and the parts of `camelCase`. */
function wordsIn(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return apart.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

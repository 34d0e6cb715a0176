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
/** Pages that are indexed between two turns of the event loop. */
const chunkSize = 200;

/**
 * Puts the pages first that have the words of `search` in their URL, their title or their description, the best before all
 * others (BM25+, with prefixes, and with a letter that is wrong); then those that have none of them, in the order given.
 */
export async function rankPages<P extends Page>(pages: readonly P[], search: string): Promise<P[]> {
  const index = new MiniSearch({
    fields: ["title", "address", "description"],
    searchOptions: {
      boost: { title: 3, address: 2 },
      prefix: term => term.length > 2,
      fuzzy: term => (term.length > 5 ? mostEdits : false),
      weights: { prefix: 0.5, fuzzy: 0.2 },
    },
  });
  await index.addAllAsync(pages.map(entryOf), { chunkSize });
  const hits = index.search(wordsIn(search).slice(0, maxWords).join(" ")).map(({ id }) => Number(id));
  const isHit = new Set(hits);
  const found = hits.flatMap(at => pages[at] ?? []);
  return [...found, ...pages.filter((_, at) => !isHit.has(at))];
}

function entryOf({ url, title, description }: Page, id: number) {
  return { id, title: title ?? "", address: addressWords(url), description: description ?? "" };
}

/** The words of the path, and of the hosts below the site's own name: `docs` of `docs.example.com`. */
function addressWords(text: string): string {
  const url = URL.parse(text);
  if (!url) return "";
  const below = siteOf(url).split(".").slice(0, -2).join(" ");
  return wordsIn(`${below} ${decoded(url.pathname + url.search)}`).join(" ");
}

/** Also the parts of `camelCase`. */
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

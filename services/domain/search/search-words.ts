import { domainOf } from "../watch/check-kinds.ts";

/*
 * A search of the web as a source. Its address has no space, because a stored source has its view after one:
 * `search:climate+change`.
 */

const scheme = "search:";
/** What search engines take, with room for the names of domains. */
export const longestWords = 400;
/** Domains that one question names, and the characters that they take. */
const [domainsPerQuestion, domainCharacters] = [10, 1000];

/** The address of a search. Words that have the form of an address are one. */
export function searchAddress(sid: string): string {
  const words = wordsOf(sid).replace(/[%+]/g, encodeURIComponent).replaceAll(" ", "+");
  return scheme + words;
}

/** The words of a search, which is named by its words or its address. White space counts as one space. */
export function wordsOf(sid: string): string {
  const text = sid.trim();
  const words = text.startsWith(scheme) ? decoded(text.slice(scheme.length)) : text;
  return words.replace(/\s+/g, " ").trim();
}

function decoded(words: string): string {
  return words.replaceAll("+", " ").replace(/%2b/gi, "+").replace(/%25/g, "%");
}

/** What search engines are asked: the words, and groups of the domains, which are asked for one after the other. */
export function questionsOf(words: string, domains: readonly string[] = []): string[] {
  if (domains.length === 0) return [words];
  const groups: string[][] = [];
  for (const domain of domains.map(each => domainOf(each) ?? each)) {
    const last = groups.at(-1);
    const isFull =
      !last || last.length >= domainsPerQuestion || [...last, domain].join().length > domainCharacters;
    if (isFull) groups.push([domain]);
    else last.push(domain);
  }
  return groups.map(group => `${words} ${sites(group)}`);
}

function sites(domains: string[]): string {
  const terms = domains.map(domain => `site:${domain}`);
  return terms.length > 1 ? `(${terms.join(" OR ")})` : terms.join();
}

/** Whether a URL is of one of the domains, or of what is below them: not all search engines heed `site:`. */
export function isOfDomains(url: string, domains: readonly string[] = []): boolean {
  if (domains.length === 0) return true;
  const host = (URL.parse(url)?.hostname ?? "").replace(/\.$/, "");
  return domains.some(each => {
    const domain = domainOf(each) ?? each;
    return host === domain || host.endsWith(`.${domain}`);
  });
}

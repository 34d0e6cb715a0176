/** Why pages are skipped. */
export const skipSentences = {
  robots: "The site's robots.txt does not allow this page, or could not be read.",
  redirect: "The server, or the page itself, leads to another address, which is a page of its own.",
  duplicate: "The same page under another address is a part of the crawl.",
  unsupported_media_type: "This is nothing that can be read as a page.",
  limit: "The crawl's limit was reached before this page's turn.",
  cancelled: "The crawl was cancelled before this page's turn.",
  given_up: "The crawl was given up before this page's turn.",
};

/** The sentence for a code; undefined for one that is no reason to skip a page. */
export function sentenceFor(code: string): string | undefined {
  return Object.hasOwn(skipSentences, code) ? skipSentences[code as keyof typeof skipSentences] : undefined;
}

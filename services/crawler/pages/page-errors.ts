import type { PageError } from "../crawls.store.ts";

/** The error of a page at which processes crashed. */
export const givenUp = {
  code: "internal_error",
  message: "The page was given up: the service died again and again while it read it.",
} as const;

export const tooLarge: PageError = {
  code: "payload_too_large",
  message: "The page has more data than an answer may hold: ask for fewer formats.",
};

export const tooManyRedirects: PageError = {
  code: "upstream_error",
  message: "The site redirects in a loop or too many times.",
};

/** Why a page was skipped, by its code. */
export const skipMessages = {
  robots: "The site's robots.txt does not allow this page, or could not be read.",
  redirect: "The server, or the page itself, leads to another address, which is a page of its own.",
  duplicate: "The same page under another address is a part of the crawl.",
  content_refused: "The site refuses one of the uses that `content_uses` of the crawl or of its key names.",
  unsupported_media_type: "This is nothing that can be read as a page.",
  quota: "A quota of the key was used up before this page was read.",
  limit: "The crawl's limit was reached before this page was read.",
  cancelled: "The crawl was cancelled before this page was read.",
  given_up: "The crawl was given up before this page was read.",
};

/** The message for a code; undefined for a code that is no reason to skip a page. */
export function skipMessage(code: string, noun: "crawl" | "batch"): string | undefined {
  if (!Object.hasOwn(skipMessages, code)) return undefined;
  return skipMessages[code as keyof typeof skipMessages].replace("The crawl", `The ${noun}`);
}

import { absoluteUrl } from "./absolute.ts";
import type { Feed } from "./feed.ts";

/** Where a feed says that it has moved to. The fragment is no part of where a document is found. */
export function newUrlOf(
  { newFeedUrl }: { newFeedUrl?: string | undefined } = {},
  base: string,
): Pick<Feed, "newUrl"> {
  const newUrl = absoluteUrl(newFeedUrl, base)?.replace(/#.*$/, "");
  return newUrl === undefined ? {} : { newUrl };
}

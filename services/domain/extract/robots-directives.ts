/** Directives that have a value behind a colon; any other name there is that of a crawler. */
const valued = new Set(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]);

/**
 * Whether robots directives ask every crawler not to follow a page's links: `nofollow` or `none`, in a
 * `<meta name=robots>` or an `X-Robots-Tag` (developers.google.com/search/docs, "Robots meta tag"). What follows the
 * name of one crawler is for that one alone.
 */
export function forbidsFollowing(directives: string): boolean {
  let isForAll = true;
  for (const part of directives.toLowerCase().split(",")) {
    const [, name, rest = ""] = /^\s*(?:([\w*-]+)\s*:)?(.*)$/s.exec(part) ?? [];
    if (valued.has(name ?? "")) continue;
    if (name !== undefined) isForAll = name === "*";
    if (isForAll && /(?:^|\s)(?:nofollow|none)(?:\s|$)/.test(rest)) return true;
  }
  return false;
}

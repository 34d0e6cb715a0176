import type { Claim } from "./python-expression.ts";

/** What Magpie keeps nothing of, by a claim's path; the first that matches names it. */
const kinds: [RegExp, string][] = [
  [/^version$|^encoding$/, "the name of a format or an encoding"],
  [/\.base$/, "the base of a text"],
  [/(?:_detail|content\[\d+\])\.type$/, "the type of a text"],
  [/(?:_detail|content\[\d+\])\.language$/, "the language of one text among several, or of the feed"],
  [/email$/, "an e-mail address"],
  [/contributors|publisher/, "contributors and publishers"],
  [/\.scheme$/, "the scheme of a tag"],
  [/\.source\./, "of an item's source more than its name and address"],
  [/links/, "links with their relations"],
  [/itunes|media_|psc_/, "other fields of iTunes, Media RSS and chapters"],
  [/\.where\./, "places"],
  [/rights|copyright|license/, "rights"],
  [/^feed\./, "of the feed itself more than its name, address, pace and move"],
];

/** Why a claim is not counted. */
export function exclusionOf({ path }: Claim): string {
  return kinds.find(([pattern]) => pattern.test(path))?.[1] ?? "other fields";
}

/** Why an expression without claims is not counted. */
export function emptyExclusionOf(expression: string): string {
  if (/\bencoding ==/.test(expression)) return "the name of a format or an encoding";
  return /^(?:1|(?:not )?bozo)$/.test(expression)
    ? "nothing but whether it is read"
    : "other forms of expressions";
}

import type { Outline, OutlinedBlock } from "./outline.ts";
import { addressTokens, isAscii, spread, type TokenOdds } from "./tokens.ts";

/** What is known of a page besides its body. */
export interface PageContext {
  url: string;
  title: string;
  description: string | null;
  /** `og:type`. */
  kind: string;
}

/** The names of what is counted of a whole page. */
export const pageNames = [
  ..."words blocks link_share prose_share longest items has_main articles kind_article kind_product kind_site".split(
    " ",
  ),
  ..."path_depth path_digits address_mean address_min address_max headings_share tables_share twins_share".split(
    " ",
  ),
];

/** What is counted of a whole page, in the order of `pageNames`; the same in each row. */
export function pageFeatures(outline: Outline, page: PageContext, odds: TokenOdds): number[] {
  const { blocks, words } = outline;
  const total = Math.max(1, words);
  const count = Math.max(1, blocks.length);
  const share = (test: (block: OutlinedBlock) => boolean) => blocks.filter(test).length / count;
  const path = page.url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");
  const address = spread(addressTokens(page.url), odds);
  let [items, mains, articles] = [0, 0, 0];
  for (const { element } of outline.frames) {
    if (element.name === "li") items++;
    else if (element.name === "main") mains++;
    else if (element.name === "article") articles++;
  }
  return [
    ...[Math.log2(total), Math.log2(count), outline.linkWords / total, outline.proseWords / total],
    ...[Math.log2(1 + outline.longest), Math.log2(1 + items), mains, Math.min(30, articles)],
    ...["article", "product", "website"].map(kind => (page.kind.toLowerCase().includes(kind) ? 1 : 0)),
    path.split("/").filter(part => part !== "").length,
    /\d{4,}/.test(path) ? 1 : 0,
    ...[address.mean, address.min, address.max],
    share(({ headingLevel }) => headingLevel > 0),
    share(({ parent }) => parent.name === "tr" || parent.name === "td"),
    share(({ frame }) => frame.isRepeated),
  ];
}

/** Places and words of a page that its blocks are compared with. */
export interface Landmarks {
  /** Index of the first `h1`, or -1. */
  h1: number;
  longestAt: number;
  title: Set<string>;
  description: Set<string>;
  /** How often each text occurs. */
  repeats: Map<string, number>;
  /** Index of the last heading at or before each block, or -1. */
  headingAt: Int32Array;
}

export function landmarks({ blocks, longest }: Outline, page: PageContext): Landmarks {
  const repeats = new Map<string, number>();
  const headingAt = new Int32Array(blocks.length);
  let [last, h1, longestAt] = [-1, -1, 0];
  blocks.forEach(({ text, headingLevel, shape }, at) => {
    repeats.set(text, (repeats.get(text) ?? 0) + 1);
    headingAt[at] = last;
    if (headingLevel > 0) last = at;
    if (headingLevel === 1 && h1 < 0) h1 = at;
    if (shape.words >= longest && longestAt === 0) longestAt = at;
  });
  const [title, description] = [page.title, page.description ?? ""].map(text => new Set(wordsOf(text)));
  return {
    h1,
    longestAt,
    repeats,
    headingAt,
    title: title ?? new Set(),
    description: description ?? new Set(),
  };
}

/** The words at the beginning of a text. */
export function wordsOf(text: string): string[] {
  const beginning = text.slice(0, 1000).toLowerCase();
  return beginning.match(isAscii(beginning) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

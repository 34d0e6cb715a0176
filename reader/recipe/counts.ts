import type { PageElement } from "./page-element.ts";
import { isInFrame } from "./parse-page.ts";
import { linesOf, shortTextOf, singular, wordsOf } from "./text-of.ts";
import type { Want } from "./want.ts";

const maxText = 80;
/** What a page counts, by the concept that asks for it. */
const usual = {
  ...{
    comments: ["comments", "replies"],
    reviewCount: ["reviews", "ratings", "recensioni", "bewertungen", "avis", "reseñas"],
    views: ["views"],
  },
  servings:
    "servings portions people portionen personen personnes personas raciones porzioni persone porties".split(
      " ",
    ),
  calories: ["kcal", "calories", "kalorien"],
};
const numberFirst =
  /(?<![\d.,])(\d[\d.,]*)\s?([km](?!\p{L}))?[+%]?\s*(?:(?:user|customer|verified|global|total|new|more|available|weekly|monthly|active|guest)\s+)?(\p{L}+)/giu;
const wordFirst = /(\p{L}+)\s?[:(]\s*(\d[\d.,]*)\s?([km](?!\p{L}))?/giu;

/** What a number counts, by the name that asks for it: `reviews` for `review_count` and `numberOfReviews`. */
export function countedBy(want: Want): string[] {
  const { name, concept, kind } = want;
  if (kind !== "number" && kind !== "integer") return [];
  const words = wordsOf(name).filter(
    word => !/^(num|number|no|of|total|the|count|counts|counter)$/.test(word),
  );
  const isNamed = /(^|_)(num|number|count|total)|count$|numberof|numof/i.test(name);
  const own = words.at(-1);
  const known = Object.entries(usual).find(([key]) => key === concept)?.[1] ?? [];
  const isOfStars = kind === "integer" && own === "stars";
  const isOwn = own !== undefined && (isOfStars || isNamed || known.length > 0 || isCountable(want));
  return [...new Set([...(isOwn ? [own] : []), ...known, ...(concept === undefined ? nounsLike(own) : [])])];
}

/** Plain plural nouns, `beds` and `followers`: values that have a form of their own are no counts. */
function isCountable({ name, concept, unit }: Want): boolean {
  if (unit !== undefined) return false;
  return (
    (concept === undefined || concept === "quantity") &&
    !/^(?:number|no|id|index|rank|position|value|code|min|max|low|high)$/i.test(name)
  );
}

/** The words of other languages for what is counted. */
const nouns: readonly string[][] = [
  "rooms zimmer pièces pieces habitaciones camere locali kamers",
  "beds bedrooms schlafzimmer chambres dormitorios slaapkamers",
  "baths bathrooms badezimmer bäder baños bagni badkamers",
  "stops stopovers changes transfers umstiege correspondances transbordos cambi overstappen",
  "pages seiten páginas pagine",
  "seats sitze places plazas posti",
  "seasons staffeln saisons temporadas stagioni",
  "followers abonnenten abonnés seguidores seguaci volgers",
  "students learners teilnehmer participants",
  "users seats members nutzer utilisateurs usuarios utenti gebruikers",
  "repositories repos",
  "likes hearts",
  "downloads installs",
].map(line => line.split(" "));

function nounsLike(own: string | undefined): string[] {
  return own === undefined ? [] : nouns.filter(group => group.includes(own)).flat();
}

const kept = new WeakMap<PageElement, Map<string, number>>();

/** The number that a page or entry states of something: `12 comments`, `Views: 1.2k`. */
export function countIn(root: PageElement, word: string): number | undefined {
  const known = kept.get(root);
  const counts = known ?? countsIn(root);
  if (!known) kept.set(root, counts);
  return counts.get(singular(word.toLowerCase()));
}

/** Their cells are apart: a number that ends one counts nothing that another one begins with. */
const tableParts = /^(?:table|thead|tbody|tfoot|tr)$/;

/** All that is counted, by the word for one of it. The first statement counts. */
function countsIn(root: PageElement): Map<string, number> {
  const counts = new Map<string, number>();
  const isPage = root.parentElement === null;
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (element.children.length > 6 || (isPage && isInFrame(element))) continue;
    const label = element.getAttribute("aria-label") ?? element.getAttribute("title") ?? "";
    for (const text of [...statementsOf(element), label.length <= maxText ? label : ""])
      if (/\d/.test(text)) collect(text, counts);
  }
  return counts;
}

/** Each line of a short element; a number alone and its word may be two. */
function statementsOf(element: PageElement): readonly string[] {
  if (tableParts.test(element.localName)) return [];
  const text = shortTextOf(element, maxText);
  if (text === undefined || !/\d/.test(text)) return [];
  const lines = linesOf(element);
  const isPair =
    lines.length === 2 && /^[\d.,]+\s?[km]?[+%]?$/i.test(lines[0] ?? "") && !/\d/.test(lines[1] ?? "");
  return isPair ? [text] : lines;
}

function collect(text: string, counts: Map<string, number>): void {
  const put = (word: string, digits: string, unit: string | undefined) => {
    const key = singular(word.toLowerCase());
    const value = counts.has(key) ? undefined : toCount(digits, unit);
    if (value !== undefined) counts.set(key, value);
  };
  for (const [, digits = "", unit, word = ""] of text.matchAll(numberFirst)) put(word, digits, unit);
  for (const [, word = "", digits = "", unit] of text.matchAll(wordFirst)) put(word, digits, unit);
}

/** Separators before three digits group them, unless a unit follows. */
function toCount(digits: string, unit = ""): number | undefined {
  const factor = unit.toLowerCase() === "k" ? 1000 : unit === "" ? 1 : 1_000_000;
  const plain = factor === 1 ? digits.replace(/[.,](?=\d{3}(?!\d))/g, "") : digits.replace(",", ".");
  const value = Number(plain.replace(/[.,]+$/, "").replace(",", "."));
  return Number.isFinite(value) ? Number((value * factor).toPrecision(12)) : undefined;
}

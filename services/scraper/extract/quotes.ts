import { isIn, plain } from "./page-words.ts";

/** A place of an answer. `around`: the object that it is a property of; absent in a list and at the root. */
export interface Place {
  path: string;
  around?: string | undefined;
}

export function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

const mostQuotes = 20_000;
const maxQuote = 2000;

/** Quotes by dotted paths: models write them as `items.0.price`, `/items/0/price`, or nested as the values are. */
export function quotesIn(quotes: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const waiting: [string, unknown][] = [["", quotes]];
  while (waiting.length > 0 && found.size < mostQuotes) {
    const [path, value] = waiting.pop() ?? ["", undefined];
    if (typeof value === "string") found.set(path, value.slice(0, maxQuote));
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) waiting.push([join(path, dotted(name)), inner]);
  }
  return found;
}

function dotted(name: string): string {
  return name.replace(/^[#$]?[/.]|\]/g, "").replace(/[/[]/g, ".");
}

/**
 * The quote that a value rests on: its own, or that of the object that it is a property of. One of a whole list founds
 * nothing, since any word of the page would found all of it. `text`: the page, as `plain` makes it.
 */
export function quoteFor(
  quotes: ReadonlyMap<string, string>,
  value: string | number,
  { path, around }: Place,
  text: string,
): string | undefined {
  const own = quotes.get(path);
  const quote = own ?? (around ? quotes.get(around) : undefined);
  if (quote === undefined) return undefined;
  const words = plain(quote);
  return words !== "" && isIn(text, words) && bears(words, value, own !== undefined) ? quote : undefined;
}

/** Whether a quote says enough for a value: a number needs one in it, a text some words. */
function bears(quote: string, value: string | number, isOwn: boolean): boolean {
  const said = typeof value === "string" ? plain(value) : "";
  if (said !== "" && isIn(quote, said)) return true;
  if (typeof value === "number" || isNumeral.test(said))
    return says(quote, Number(value)) || (isOwn && Number(value) === itemsOf(quote));
  const words = wordsOf(quote).filter(word => !ofAnyPage.has(word));
  if (words.length >= leastWords) return true;
  const weight = weightOf(quote);
  return isOwn && words.length === 1 && weight >= leastWeight && weightOf(said) <= weight * mostTimes;
}

const leastWords = 2;
/** A single word founds a text that is not much longer, such as its translation. */
const leastWeight = 3;
const mostTimes = 3;

/** Signs of East Asia say as much as some letters. */
function weightOf(text: string): number {
  return text.replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu, "xxx")
    .length;
}

/** Words that say nothing by themselves. */
const ofAnyPage = wordSet(
  "the a an and or of to in this that these it its is are was be he she they",
  "der die das dem den des ein eine und oder ist sind le la les un une et ou est de du",
  "el los las una y o es il lo gli e um uma os as het een en van",
);

const segmenter = new Intl.Segmenter("en", { granularity: "word" });
const mostRead = 400;

function wordsOf(quote: string): string[] {
  return [...segmenter.segment(quote.slice(0, mostRead))]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}

/** A text that is a number, perhaps with its currency. Dates have more in them. */
const isNumeral = /^[-+\p{Sc}\s]*\d[\d.,'\s]*[\p{Sc}%\s]*$/u;

const numerals = wordSet(
  "two three four five six seven eight nine ten eleven twelve dozen fifteen twenty thirty forty fifty hundred thousand million billion half quarter twice double triple couple pair second third",
  "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dutzend zwanzig hundert tausend halb halbe halbes zweimal",
  "deux trois quatre cinq sept huit neuf dix onze douze quinze vingt cent mille demi",
  "dos tres cuatro cinco seis siete ocho nueve diez once doce veinte cien medio",
  "due tre quattro cinque sei sette otto nove dieci dodici venti cento mezzo",
  "dois duas três quatro cinco sete oito nove dez doze vinte cem meio",
  "twee drie vier vijf zes zeven acht negen tien twaalf honderd duizend",
  "два две три четыре пять шесть семь восемь девять десять двенадцать сто тысяча",
  "dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć sto",
  "두 세 네 다섯 여섯 일곱 여덟 아홉 열",
);
/** Words that may mean one, and those that mean none. */
const ones = wordSet(
  "a an one once single first ein eine einen einem einer eins einmal un une una uno um uma een один одна jeden jedna 한",
);
const nones = wordSet(
  "zero no none free nothing null kein keine keinen kostenlos zéro aucun aucune gratuit gratuite cero ningún ninguna gratis nessun nessuna nenhum grátis geen нет бесплатно brak",
);
const ofEastAsia = /[零〇一二三四五六七八九十百千万萬億亿两兩半無无免]/u;

function wordSet(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap(line => line.split(" ")));
}

function says(quote: string, number: number): boolean {
  if (/\p{N}/u.test(quote) || ofEastAsia.test(quote)) return true;
  const words = wordsOf(quote);
  const known = number === 1 ? [numerals, ones] : number === 0 ? [numerals, nones] : [numerals];
  return words.some(word => known.some(set => set.has(word)));
}

const between = /\s*(?:[,;/·•、،]|\s(?:and|or|und|oder|et|ou|y|e|o|en|&)\s)+\s*/u;

/** How many things a quote lists: `red, green and blue` is three; 0 where it is no list. */
function itemsOf(quote: string): number {
  const items = quote.split(between).filter(item => item !== "");
  return items.length > 1 ? items.length : 0;
}

import type { ElementNode } from "../html/tree.ts";
import { amountsIn, amountValue, bareNumber, currentAmount } from "./money.ts";
import { parseNumber, plainDigits } from "./numbers.ts";
import { isStruck, priceLinesOf } from "./text-of.ts";

/** Lines that are read, and how much of each at once. */
const maxLines = 5000;
const maxElements = 500;

/**
 * The number that somebody who watches a text means: the amount that is asked for now, in the first line that has one;
 * else the first line's other number. `~~struck~~` prices do not count beside others, and "free" is 0.
 */
export function numberInTexts(texts: readonly string[], language: string): number | undefined {
  const lines = texts.slice(0, maxLines).flatMap(piecesOf).map(withoutStruck);
  for (const [index, line] of lines.entries()) {
    const before = labelOf(lines[index - 1]);
    const found = currentPrice(`${before}${line}`, language);
    if (found !== undefined) return found;
  }
  for (const line of lines) {
    const found = otherNumber(line, language);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The number that elements state; a struck one only where all are. */
export function numberInElements(elements: readonly ElementNode[], language: string): number | undefined {
  const some = elements.slice(0, maxElements);
  const current = some.filter(element => !isWithinStruck(element));
  const texts = (current.length > 0 ? current : some).flatMap(
    element => statedBy(element) ?? priceLinesOf(element),
  );
  const found = numberInTexts(texts, language);
  if (found !== undefined) return found;
  const whole = elements.map(({ textContent }) => textContent.replace(/\s+/g, " "));
  return numberInTexts(whole, language);
}

function isWithinStruck(element: ElementNode): boolean {
  for (let at: ElementNode | null = element; at; at = at.parentNode) if (isStruck(at)) return true;
  return false;
}

const attributes: Record<string, string[]> = {
  meta: ["content"],
  data: ["value"],
  meter: ["value"],
  progress: ["value"],
  input: ["value"],
  img: ["alt"],
};

/** What an element states otherwise than by its text; a number for machines has a decimal point. */
function statedBy({ name, attributes: given }: ElementNode): string[] | undefined {
  const value = (attributes[name] ?? []).map(attribute => given.get(attribute)).find(Boolean);
  if (value === undefined) return undefined;
  const isMachine = name !== "img" && /^\s*-?\d+\.\d{3}\s*$/.test(value);
  return [isMachine ? `${value.trim()}0` : value];
}

/** Parts of at most 400 characters, which a search takes little time for. */
function piecesOf(text: string): string[] {
  return text.length <= 400 ? [text] : (text.match(/.{1,400}(?=\s|$)|.{400}/gs) ?? []);
}

/** Without what is crossed out in Markdown, unless nothing is left that states a number. */
export function withoutStruck(line: string): string {
  const rest = line.replace(/~~[^~]*~~|<del>.*?<\/del>/g, " ");
  return rest === line || (!/\p{Nd}/u.test(rest) && !isFree.test(rest)) ? line.replaceAll("~~", "") : rest;
}

/** A line without a number may say what the price below it is: `Was`. */
function labelOf(line = ""): string {
  return line.length <= 30 && line.trim() !== "" && !/\p{Nd}/u.test(line) ? `${line} ` : "";
}

function currentPrice(text: string, language: string): number | undefined {
  const plain = plainDigits(text);
  const price = currentAmount(plain) ?? (amountsIn(plain).length === 0 ? bareNumber(plain) : undefined);
  return price && amountValue(price, plain, language);
}

const freeWords =
  "free(?: of charge)?|gratis|kostenlos|kostenfrei|umsonst|gratuit(?:e|s|es|o|a|i)?|grátis|darmow[yae]|za darmo|bezpłatn[yae]|zdarma|zadarmo|ingyenes|ücretsiz|bedava|ilmainen|бесплатно|безкоштовно|безплатно|δωρεάν|無料|免费|免費|무료|مجانا|مجاني|मुफ़्त|मुफ्त|miễn phí|ฟรี";
/** The word alone, or as a price: not `free shipping`, and not `sugar-free`. */
const isFree = new RegExp(
  `(?:^|[:：·|(–—]|(?<!\\p{L})(?:now|jetzt|today|heute|only|for|für))\\s*(?:${freeWords})\\s*(?=$|[!.,*()|·–—~/]|was\\b|statt\\b)`,
  "iu",
);
const ofReduction =
  /\d{1,3}(?:[.,]\d+)?\s?%\s*(?:off|rabatt|discount|sale|reduziert|remise|de réduction|descuento|sconto)/iu;

function otherNumber(line: string, language: string): number | undefined {
  if (isFree.test(line)) return 0;
  const plain = plainDigits(line);
  const amount = amountsIn(plain)[0];
  if (amount !== undefined) return amountValue(amount, plain, language);
  const behind = ofReduction.test(plain) ? parseNumber(plain.replace(ofReduction, " "), language) : undefined;
  return behind ?? parseNumber(plain, language);
}

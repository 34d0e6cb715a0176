import { behind, codes, signs } from "./currencies.ts";
import { factorSource } from "./factors.ts";
import { digitsSource, parseNumber, plainDigits } from "./numbers.ts";

const number = `${digitsSource}(?:${factorSource}(?:\\d[\\d,]*| \\d[\\d,]*(?=만))?(?:${factorSource})?)?`;
const cents = "\\d{1,2}\\s?(?:¢|[Cc]ents?(?!\\p{L}))";
/** The lower end of a span whose currency follows the upper one. */
const from = `(?:(?<![\\p{L}\\p{N}.,])${digitsSource}(?:[-–—]|\\s(?:bis|to|à|y|tot|do|до)\\s)|(?<=^|[:：]\\s?|(?:ab|von|from|dès)\\s)${digitsSource}\\s[-–—]\\s)(?=\\d)`;
/** `EUR/USD 1.085` is a rate. */
const signed = `(?:(?:${signs})|(?<![A-Z]{3}\\s?/\\s?)\\b(?:${codes}))\\s?[-\\u2212]?${number}`;
/** In `iPhone 15 $999` and `Size 42, €89` the sign belongs to what follows it. */
const ofNext = `\\s(?:${signs})\\d|(?<![.,]\\d\\d)\\s(?:${signs}|(?:${codes})\\b)\\s\\d{1,3}[.,]\\d{3}`;
const named = `(?<!\\d[.,'’]?)(?:${from})?${number}(?<![.,](?=\\s))(?!${ofNext})(?:${behind}(?:(?<=[€£$])\\d\\d(?!\\d))?)`;
const money = new RegExp(`${cents}|${signed}|${named}`, "gu");

/** Before an amount that is not what the thing costs now. */
const notNow = new RegExp(
  `(?:${[
    "was|were|rrp|msrp|srp|list price|save|saving|instead of|regular(?: price)?|reg\\.?|old(?: price)?|before|compare(?: at)?|compared to|original(?:ly)?(?: price)?|previously|usually",
    "shipping|delivery|orders? over|over|under|above|off|you save|lowest(?: price)?|deposit|(?:starting|opening) (?:bid|price)|/mo|installments? of|payments? of|or \\d+ x|(?:down|reduced|cut) from",
    "statt|anstatt|uvp|uvp\\.|startpreis|startgebot|vorher|bisher|früher|(?:ursprünglicher|alter|regulärer) preis|ursprünglich|listenpreis|normalpreis|zzgl\\.?|versand|ersparnis|sie sparen|anzahlung|reduziert von",
    "au lieu de|prix conseillé|ancien prix|avant|livraison|antes|precio anterior|en lugar de|envío|prima|invece di|prezzo (?:consigliato|precedente)|spedizione",
    "van|adviesprijs|i\\.p\\.v\\.|ord\\.?(?: pris)?|förpris|tidigare(?: pris)?|før|førpris|zamiast|było|cena regularna|původně|běžná cena|de:?(?= ?r\\$)",
    "прежняя цена|старая цена|вместо|было|原価|原价|市场价|定価|通常価格|参考価格|メーカー希望小売価格|정가",
  ].join("|")})\\s*[:：]?\\s*(?:price|preis)?\\s*[:：]?\\s*$`,
  "iu",
);
/** `20 % off: 79.99 $`: the price after the reduction. */
const reducedTo = /\d\s?%\s*(?:off|rabatt|discount|de réduction|de descuento|di sconto)\s*[:：→=]\s*$/iu;
const now =
  /(?:\bnow(?: only)?|\bjetzt(?: nur)?|\bnur noch|\bmaintenant|\bahora|\bagora|\bpor|\bora|\bvoor|\bnu|\bteraz|сейчас|теперь|現在|现价|セール価格|할인가|\bsale(?: price)?|\b(?:neuer|aktueller) preis|\b(?:current|highest|winning) bid|\b(?:aktuelles|höchstes) gebot|\bhöchstgebot|\bcurrent price|\bprix actuel|\bprecio actual|\bprezzo attuale|→|=)\s*[:：]?\s*$/iu;
const afterAmount =
  /^\s*(?:off\b|\/\s?mo|per month|discount|shipping|reward|cashback|versand|rabatt|gespart|sparen|de réduction)/iu;
const portion = /\d\s?[x×*]\s?$/;

/** An amount of money in a text. */
export interface Amount {
  text: string;
  index: number;
}

/** `$0` alone is a price, in a list of plans. */
const isNothing = new RegExp(
  `^\\s*(?:(?:${signs})\\s?0(?:[.,]00?)?|0(?:[.,]00?)?\\s?(?:${signs}|${codes}))\\s*$`,
  "u",
);

/** The amount that is asked for now; a short number alone is one, too. */
export function priceIn(given: string): Amount | undefined {
  const text = plainDigits(given);
  return (
    currentAmount(text) ??
    bareNumber(text) ??
    (isNothing.test(text) ? { text: text.trim(), index: 0 } : undefined)
  );
}

/** The amount that is asked for now, in a text of plain digits, where a currency is beside it. */
export function currentAmount(text: string): Amount | undefined {
  const found = amountsIn(text).filter(amount => /[1-9]/.test(amount.text) && isCurrent(amount, text));
  return (
    found.find(({ index }) => now.test(startOf(text, index))) ??
    // An instalment is no price where the sum of all is stated.
    found.find(({ index }) => !portion.test(startOf(text, index))) ??
    found[0]
  );
}

/** All amounts of a text, with their factors and signs. */
export function amountsIn(text: string): Amount[] {
  return [...text.matchAll(money)].map(({ index, 0: amount }) => ({ text: amount, index }));
}

/** The number of an amount, in the middle of its text. */
export function amountValue({ text, index }: Amount, whole: string, language: string): number | undefined {
  const sign = /(?<![\p{L}\p{N}]\s?)[-\u2212]$/u.exec(whole.slice(0, index))?.[0] ?? "";
  return parseNumber(sign + text + whole.slice(index + text.length, index + text.length + 40), language);
}

function startOf(text: string, index: number): string {
  return text.slice(Math.max(0, index - 40), index);
}

function isCurrent({ text, index }: Amount, whole: string): boolean {
  const before = startOf(whole, index);
  if (notNow.test(before.slice(-30)) && !reducedTo.test(before)) return false;
  if (/(?:^|\s)[-\u2212]\s?$/.test(before) && /[1-9]/.test(whole.slice(index + text.length))) return false;
  return !afterAmount.test(whole.slice(index + text.length, index + text.length + 20));
}

/** A number alone, which is short. */
export function bareNumber(text: string): Amount | undefined {
  const isBare = text.length <= 16 && /^\p{L}{0,3}\W*\d[\d.,'’\s]*\W*$/u.test(text) && !text.includes("%");
  return isBare && /[1-9]/.test(text) ? { text, index: 0 } : undefined;
}

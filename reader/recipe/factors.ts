/** Words behind a number that multiply it, by their powers of ten. */
const words: Record<number, string> = {
  3: "thousand|tausend|tsd\\.?|mille|mila|tys\\.?|tis\\.?|тыс\\.?|тис\\.?|ribu|rb|nghìn|ألف|हज़ार",
  5: "lakhs?|lacs|लाख",
  6: "millions?|millionen|mio\\.?|mln\\.?|miljoen|miljoner|milioni|milione|milionů|mili[oó]n(?:es|ów|y)?|mill[oó]n(?:es)?|milh(?:ão|ões)|milyon|juta|jt|triệu|млн\\.?|миллион\\p{L}*|мільйон\\p{L}*|مليون",
  7: "crores?|करोड़",
  9: "billions?|bn|milliarden?|milliards?|mrd\\.?|mld\\.?|miljard(?:er)?|miliard(?:i|y|ů|ów)?|milyar|miliar|tỷ|tỉ|млрд\\.?|миллиард\\p{L}*|мільярд\\p{L}*|مليار",
  12: "trillions?|billionen|billones|biliony?",
};
/** Words of some languages, which are others elsewhere. */
const wordsOf: [languages: RegExp, word: RegExp, power: number][] = [
  [/^(?:es|pt|ca|gl)/i, /^\s?mil(?!\p{L})/iu, 3],
  [/^tr/i, /^\s?bin(?!\p{L})/iu, 3],
  // The long scale: a billion of a million millions.
  [/^(?:de|fr)/i, /^\s?billions?(?!\p{L})/iu, 12],
];
const named = Object.entries(words).map(
  ([power, all]) => [Number(power), new RegExp(`^\\s?(?:${all})(?!\\p{L})`, "iu")] as const,
);

const noMore = "(?![\\p{L}\\p{N}/²³'’-])";
/** Letters do so where they touch the number, or a currency follows. */
const letter = new RegExp(`^(?:[kKM]${noMore}|\\s?(?:[kM]|Mds?)(?=\\s?(?:\\p{Sc}|EUR|USD)))`, "u");
const letterOfMoney = new RegExp(`^[kKmMbBT]${noMore}`, "u");
const letterOfRupees = new RegExp(`^\\s?(?:L|Cr\\.?)${noMore}`, "u");
const powersOfLetters: Record<string, number> = { k: 3, m: 6, b: 9, t: 12, md: 9, mds: 9, l: 5, cr: 7 };

const eastern = "[十百千]?[万萬億亿만억兆조]|[千천](?![克米瓦卡字])";
const easternAt = new RegExp(`^\\s?(?:${eastern})`, "u");
const powersOfSigns: Record<string, number> = {
  ...{ 十: 1, 百: 2, 千: 3, 천: 3, 万: 4, 萬: 4, 만: 4 },
  ...{ 億: 8, 亿: 8, 억: 8, 兆: 12, 조: 12 },
};

const all = Object.values(words).join("|");
const capital = all.replace(/(^|\|)(\p{Ll})/gu, (_, bar, first) => `${bar}${first.toUpperCase()}`);
/** What may stand between a number and its currency, as the source of an expression that is case-sensitive. */
export const factorSource = `\\s?(?:(?:${all}|${capital})(?!\\p{L})|(?:[kKmMbBT]|Mds?|Cr|L)${noMore}|${eastern})`;

export interface Factor {
  power: number;
  /** Characters that it takes. */
  length: number;
  /** A smaller part may follow, as in 1万2800. */
  isOpen?: true;
}

/** The factor at the start of what follows a number; `before` is what stands before it. */
export function factorAt(
  text: string,
  { before, isMoney, language }: { before: string; isMoney: boolean; language: string },
): Factor | undefined {
  const signs = easternAt.exec(text)?.[0];
  if (signs !== undefined) {
    const power = [...signs].reduce((sum, sign) => sum + (powersOfSigns[sign] ?? 0), 0);
    return { power, length: signs.length, isOpen: true };
  }
  for (const [languages, word, power] of wordsOf) {
    const found = languages.test(language) ? word.exec(text)?.[0] : undefined;
    if (found !== undefined) return { power, length: found.length };
  }
  for (const [power, names] of named) {
    const found = names.exec(text)?.[0];
    if (found !== undefined) return { power, length: found.length };
  }
  const found =
    letter.exec(text)?.[0] ??
    (isMoney ? letterOfMoney.exec(text)?.[0] : undefined) ??
    (/(?:₹|Rs\.?)\s?$/.test(before) ? letterOfRupees.exec(text)?.[0] : undefined);
  const power = powersOfLetters[found?.trim().toLowerCase().replace(".", "") ?? ""];
  return found !== undefined && power !== undefined ? { power, length: found.length } : undefined;
}

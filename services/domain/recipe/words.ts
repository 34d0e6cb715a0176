/** Letters and digits alone, in lower case: `Artikel-Nr.:` and `artikelNr` are the same word. */
export function squeeze(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The words of a name in camelCase, snake_case, kebab-case or plain text, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== "");
}

export function singular(word: string): string {
  if (/(series|species|news)$/.test(word)) return word;
  if (/ies$/.test(word)) return word.replace(/ies$/, "y");
  if (/(ss|us|is)$/.test(word)) return word;
  return word.replace(/(ch|sh|x|ss)es$/, "$1").replace(/s$/, "");
}

/** The known word that another one most likely means; undefined for one that is like none, or is no text. */
export function likelyWord(given: unknown, known: readonly string[]): string | undefined {
  if (typeof given !== "string" || given.length < 3 || given.length > 40) return undefined;
  const word = plain(given);
  return known.find(each => plain(each) === word || isBegun(word, plain(each)) || isNear(word, plain(each)));
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Whether one begins with the other and differs by its ending only: `webhook` and `webhooks`, `crawler` and `crawl`. */
function isBegun(word: string, other: string): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  return short.length >= 4 && long.startsWith(short) && long.length - short.length <= 3;
}

/** Whether one letter is added, left out, changed, or swapped with the next one. */
function isNear(word: string, other: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === other[start]) start += 1;
  const [rest, wanted] = [word.slice(start), other.slice(start)];
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  const [left, added] = [rest.slice(1), wanted.slice(1)];
  return left === wanted || rest === added || left === added || isSwapped;
}

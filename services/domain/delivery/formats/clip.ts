/** The beginning of a text, at most so long; an ellipsis shows that something is missing. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${whole(text.slice(0, most - 1))}…`;
}

/** The same, by its size in UTF-8. */
export function clipBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  // A character that is cut in the middle decodes to one mark of replacement.
  const kept = bytes
    .subarray(0, most - 3)
    .toString()
    .replace(/\ufffd$/, "");
  return `${kept}…`;
}

/** Clips after escaping: an escape is never cut in the middle. */
export function clipEscaped(text: string, most: number, escaping: (text: string) => string): string {
  const escaped = escaping(text);
  if (escaped.length <= most) return escaped;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (escaping(whole(text.slice(0, middle))).length < most) fits = middle;
    else tooLong = middle;
  }
  return `${escaping(whole(text.slice(0, fits)))}…`;
}

/** Removes half of a surrogate pair at the end. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}

/**
 * As many texts as fit, joined by line breaks; the last line says how many are missing. `cut` shortens the first one
 * where not even that fits.
 */
export function joinWithin(texts: readonly string[], most: number, cut = clip): string {
  const all = texts.join("\n");
  if (all.length <= most) return all;
  if (texts.length === 1) return cut(all, most);
  const note = (missing: number) => `… and ${missing} more`;
  let left = most - note(texts.length).length - 1;
  const kept: string[] = [];
  for (const text of texts) {
    if (text.length > left) break;
    left -= text.length + 1;
    kept.push(text);
  }
  if (kept.length === 0) kept.push(cut(texts[0] ?? "", left));
  return [...kept, note(texts.length - kept.length)].join("\n");
}

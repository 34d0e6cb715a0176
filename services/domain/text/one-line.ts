/** The text as one line: white space and control characters become single blanks, and what is no character goes. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\ufffe\uffff]+/gu, " ")
    .trim();
}

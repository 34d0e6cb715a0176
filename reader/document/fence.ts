/** A text as a block of code in Markdown. A fence is longer than any run of backticks inside (CommonMark 0.31, 4.5). */
export function fence(language: string, text: string): string {
  let fence = "```";
  for (const [run] of text.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``;
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

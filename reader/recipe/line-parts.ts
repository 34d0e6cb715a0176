const marks = [/\s*[·•|‧∙]\s*/, /\s+[–—-]\s+/, /,\s+/];
const maxParts = 12;

/** The parts of a line such as `Holm Rail · Norrvik · Full-time`, by the strongest mark that it has; one where it has none. */
export function partsOf(line: string): string[] {
  const text = line.replace(/\s+/g, " ").trim();
  for (const mark of marks) {
    const parts = text.split(mark, maxParts).filter(part => part !== "");
    if (parts.length > 1) return parts;
  }
  return text === "" ? [] : [text];
}

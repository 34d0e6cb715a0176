/**
 * Reads JSON as pages write it: with comments, commas that end a list, marks of comments or CDATA around it, line ends and
 * bare quotes within texts, or several values one after the other, which it returns as a list. Undefined for any other
 * text. Time is linear in the text.
 */
export function parseLooseJson(text: string): unknown {
  const strict = parse(text);
  if (strict !== undefined) return strict;
  const values = new Mender(text.includes('"') ? text : text.replaceAll("&quot;", '"')).mend();
  const read = values.map(parse).filter(value => value !== undefined);
  return read.length > 1 ? read : read[0];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What may follow a text in JSON, a comment or a mark of its end included. */
const afterText = /[,:}\]/;<-]/;
const marks = /(?:\/\/[ \t]{0,8})?(?:<!\[CDATA\[|\]\]>)|<!--|-->/y;
const plain = /[^"/<\-\]{}[,;]+/y;
const opened = /[{[:,]\s*$/;

class Mender {
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private written: string[] = [];
  /** A comma counts where a value follows it. */
  private hasComma = false;
  private readonly values: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** The objects and lists in the text, as JSON. Ends at a text or comment that does not end. */
  mend(): string[] {
    while (this.at < this.text.length) {
      const skipped = this.skip();
      if (skipped === undefined) break;
      if (!skipped && !this.take()) break;
    }
    return this.values;
  }

  /** Steps over a comment or a mark; undefined where a comment does not end. */
  private skip(): boolean | undefined {
    const { text, at } = this;
    const character = text[at];
    if (character !== "/" && character !== "<" && character !== "-" && character !== "]") return false;
    marks.lastIndex = at;
    const [mark] = marks.exec(text) ?? [];
    if (mark !== undefined && !(mark === "]]>" && this.depth > 1)) {
      this.at += mark.length;
      return true;
    }
    const ending = text.startsWith("/*", at) ? "*/" : text.startsWith("//", at) ? "\n" : undefined;
    if (ending === undefined) return false;
    const end = text.indexOf(ending, at + 2);
    if (end < 0) return undefined;
    this.at = end + ending.length;
    return true;
  }

  private take(): boolean {
    const character = this.text[this.at] ?? "";
    if (character === '"') return this.takeText();
    if (character === "," || character === ";") this.hasComma ||= character === ",";
    else if (character === "{" || character === "[") this.open(character);
    else if (character === "}" || character === "]") this.close(character);
    else return this.takePlain();
    this.at += 1;
    return true;
  }

  private open(bracket: string): void {
    if (this.depth === 0) this.written = [];
    this.write(bracket);
    this.depth += 1;
  }

  private close(bracket: string): void {
    this.hasComma = false;
    if (this.depth === 0) return;
    this.written.push(bracket);
    this.depth -= 1;
    if (this.depth === 0) this.values.push(this.written.join(""));
  }

  /** Numbers, names and white space. */
  private takePlain(): boolean {
    plain.lastIndex = this.at;
    const [piece = this.text[this.at] ?? ""] = plain.exec(this.text) ?? [];
    this.at += piece.length;
    if (this.depth > 0 && piece.trim() !== "") this.write(piece);
    return true;
  }

  private takeText(): boolean {
    const end = this.endOfText();
    if (end < 0) return false;
    if (this.depth > 0) this.write(mendText(this.text.slice(this.at + 1, end)));
    this.at = end + 1;
    return true;
  }

  /** A quote that nothing of JSON follows is a part of the text. */
  private endOfText(): number {
    const { text } = this;
    for (let at = this.at + 1; at < text.length; at++) {
      if (text[at] === "\\") at += 1;
      else if (text[at] === '"') {
        let next = at + 1;
        while (next < text.length && text.charCodeAt(next) <= 32) next += 1;
        if (next === text.length || afterText.test(text[next] ?? "")) return at;
      }
    }
    return -1;
  }

  private write(piece: string): void {
    if (this.hasComma && !opened.test(this.written.at(-1)?.slice(-1) ?? "{")) this.written.push(",");
    this.hasComma = false;
    this.written.push(piece);
  }
}

/** The text with its quotes; what JSON does not allow in texts is a space, or itself. */
function mendText(text: string): string {
  const mended = text.replace(/[\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|\\|"/g, found =>
    found === "\\" ? "" : found === '"' ? '\\"' : found < " " ? " " : found,
  );
  return `"${mended}"`;
}

import { decodeHTMLAttribute } from "entities";

const [tab, lineFeed, formFeed, carriageReturn, space] = [9, 10, 12, 13, 32];
const [quote, apostrophe] = [34, 39];
const [exclamation, ampersand, solidus, equals, greater] = [33, 38, 47, 61, 62];

/** How a character counts within a tag: white space, `/`, `>`, `=` or any other. */
const [other, white, slash, end, equal] = [0, 1, 2, 3, 4];
const kinds = new Uint8Array(128);
for (const code of [tab, lineFeed, formFeed, carriageReturn, space]) kinds[code] = white;
kinds[solidus] = slash;
kinds[greater] = end;
kinds[equals] = equal;

/** Behind the end there is nothing, which is `other`: loops that end with other kinds look for the end themselves. */
function kindAt(html: string, at: number): number {
  const code = html.charCodeAt(at);
  return code < 128 ? kinds[code]! : other;
}

/** Attributes of a tag that has none; nothing is ever added to them. */
export const noAttributes: Map<string, string> = new (class extends Map<string, string> {
  override set(): never {
    throw new TypeError("An element without attributes has none to change.");
  }
})();

/** Must be a power of two. */
const knownNames = 512;

/** Values are mostly shorter; of a longer one the end is searched for. */
const shortValue = 100;

/** Reads the names and attributes of tags, as the HTML standard's tokenizer does (sections 13.2.5.8 and 13.2.5.32 to 39). */
export class TagScanner {
  /** Behind what was read last. */
  at = 0;
  private readonly html: string;
  /** Names that occurred, as they are written and as they are meant: pages repeat theirs. */
  private readonly written: string[] = new Array<string>(knownNames).fill("");
  private readonly meant: string[] = new Array<string>(knownNames).fill("");

  constructor(html: string) {
    this.html = html;
  }

  /** The tag's name that begins at `start`. */
  tagName(start: number): string {
    const { html } = this;
    let at = start;
    let hash = 0;
    for (; at < html.length; at++) {
      const code = html.charCodeAt(at);
      const kind = code < 128 ? kinds[code]! : other;
      if (kind !== other && kind !== equal) break;
      hash = (hash * 31 + code) | 0;
    }
    this.at = at;
    return this.name(start, at, hash);
  }

  /** Reads over attributes. */
  skipAttributes(): void {
    if (this.html.charCodeAt(this.at) === greater) return;
    while (this.next() >= 0);
  }

  /** Where the tag ends whose attributes were read: at its `>`, or at the end of the document. */
  tagEnd(): number {
    const { html } = this;
    let at = this.at;
    for (let kind = kindAt(html, at); kind === white || kind === slash; kind = kindAt(html, at)) at++;
    return at;
  }

  /** The first of several attributes with the same name counts. */
  attributes(): Map<string, string> {
    if (this.html.charCodeAt(this.at) === greater) return noAttributes;
    let attributes: Map<string, string> | undefined;
    for (let start = this.next(); start >= 0; start = this.next()) {
      const name = this.name(start, this.nameEnd, this.hash);
      if (attributes === undefined) attributes = new Map();
      else if (attributes.has(name)) continue;
      attributes.set(name, this.value());
    }
    return attributes ?? noAttributes;
  }

  /** End of the attribute's name that was read last. */
  private nameEnd = 0;
  private hash = 0;
  private valueStart = 0;
  private valueEnd = 0;
  /** Whether its value has no references, no U+0000 and no carriage returns. */
  private isPlain = true;

  /** Reads an attribute and returns where it starts; -1 where there is none. */
  private next(): number {
    const { html } = this;
    let at = this.tagEnd();
    if (at >= html.length || html.charCodeAt(at) === greater) return -1;
    const start = at;
    let hash = html.charCodeAt(at++);
    for (; at < html.length; at++) {
      const code = html.charCodeAt(at);
      if (code < 128 && kinds[code] !== other) break;
      hash = (hash * 31 + code) | 0;
    }
    this.nameEnd = at;
    this.hash = hash;
    at = this.pastSpace(at);
    this.valueStart = at;
    this.valueEnd = at;
    this.at = html.charCodeAt(at) === equals ? this.readValue(this.pastSpace(at + 1)) : at;
    return start;
  }

  /** Returns where the value ends that begins at `start`. */
  private readValue(start: number): number {
    const { html } = this;
    const first = html.charCodeAt(start);
    if (first === quote || first === apostrophe) {
      const close = this.closeOf(first, start + 1);
      this.valueStart = start + 1;
      this.valueEnd = close;
      return Math.min(close + 1, html.length);
    }
    let last = start;
    for (; last < html.length; last++) {
      const kind = kindAt(html, last);
      if (kind === white || kind === end) break;
    }
    this.valueStart = start;
    this.valueEnd = last;
    this.isPlain = false;
    return last;
  }

  /** Where the quoted value ends that begins at `start`. */
  private closeOf(mark: number, start: number): number {
    const { html } = this;
    this.isPlain = true;
    const most = Math.min(html.length, start + shortValue);
    for (let at = start; at < most; at++) {
      const code = html.charCodeAt(at);
      if (code > apostrophe) continue;
      if (code === mark) return at;
      if (code === ampersand || code === 0 || code === carriageReturn) this.isPlain = false;
    }
    this.isPlain = false;
    const close = html.indexOf(mark === quote ? '"' : "'", most);
    return close < 0 ? html.length : close;
  }

  private pastSpace(from: number): number {
    let at = from;
    while (kindAt(this.html, at) === white) at++;
    return at;
  }

  private value(): string {
    if (this.valueStart === this.valueEnd) return "";
    const text = this.html.slice(this.valueStart, this.valueEnd);
    if (this.isPlain) return text;
    const value = withLineFeeds(withoutNull(text));
    return value.includes("&") ? decodeHTMLAttribute(value) : value;
  }

  private name(start: number, behind: number, hash: number): string {
    const place = hash & (knownNames - 1);
    if (isAt(this.html, this.written[place]!, start, behind)) return this.meant[place]!;
    const written = this.html.slice(start, behind);
    const meant = withoutNull(lowerCase(written));
    this.written[place] = written;
    this.meant[place] = meant;
    return meant;
  }
}

/** Whether the name is what is written from `start` up to `behind`. */
function isAt(html: string, name: string, start: number, behind: number): boolean {
  if (name.length !== behind - start) return false;
  for (let at = start; at < behind; at++)
    if (html.charCodeAt(at) !== name.charCodeAt(at - start)) return false;
  return true;
}

export function withoutNull(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}

/** Line ends as the standard reads them (section 13.2.3.5). */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** Lowers ASCII letters only, as the standard does. */
function lowerCase(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : name;
}

/** Where the next end tag of an element of raw text is, or the end of the document. */
export function endOfRawText(html: string, name: string, from: number): number {
  for (let at = html.indexOf("</", from); at >= 0; at = html.indexOf("</", at + 2))
    if (isEndTag(html, name, at)) return at;
  return html.length;
}

const rawTextEnds = new Map(
  "script style xmp iframe noembed noframes title textarea noscript"
    .split(" ")
    .map(name => [name, new RegExp(`^</${name}[\\t\\n\\f\\r />]`, "i")]),
);

function isEndTag(html: string, name: string, at: number): boolean {
  return rawTextEnds.get(name)?.test(html.slice(at, at + name.length + 3)) === true;
}

const scriptMark = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi;

/** Where a script ends. One that opens a comment and in it a script ends only after both have ended ("double escaped"). */
export function endOfScript(html: string, from: number): number {
  const plainEnd = endOfPlainScript(html, from);
  if (plainEnd !== undefined) return plainEnd;
  let state: "plain" | "escaped" | "double escaped" = "plain";
  scriptMark.lastIndex = from;
  for (let mark = scriptMark.exec(html); mark !== null; mark = scriptMark.exec(html)) {
    const [text, solidus] = mark;
    if (text === "-->") state = "plain";
    else if (text === "<!--") {
      if (state === "plain") state = "escaped";
      // The dashes that open a comment may also end it.
      scriptMark.lastIndex = mark.index + 2;
    } else if (state === "double escaped") {
      if (solidus === "/") state = "escaped";
    } else if (solidus === "/") return mark.index;
    else if (state === "escaped") state = "double escaped";
  }
  return html.length;
}

/** Undefined of a script that may open a comment. */
function endOfPlainScript(html: string, from: number): number | undefined {
  for (let at = html.indexOf("<", from); at >= 0; at = html.indexOf("<", at + 1)) {
    const next = html.charCodeAt(at + 1);
    if (next === exclamation && html.startsWith("--", at + 2)) return undefined;
    if (next === solidus && isEndTag(html, "script", at)) return at;
  }
  return html.length;
}

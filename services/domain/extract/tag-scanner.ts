import { decodeHTMLAttribute } from "entities";

const [tab, lineFeed, formFeed, space, quote, apostrophe] = [9, 10, 12, 32, 34, 39];
const [solidus, equals, greater] = [47, 61, 62];

/** How a character counts within a tag: white space, `/`, `>`, `=` or any other. */
const [other, white, slash, end, equal] = [0, 1, 2, 3, 4];
const kinds = new Uint8Array(128);
for (const code of [tab, lineFeed, formFeed, space]) kinds[code] = white;
kinds[solidus] = slash;
kinds[greater] = end;
kinds[equals] = equal;

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

/** Reads the names and attributes of tags, as the HTML standard's tokenizer does (sections 13.2.5.8 and 13.2.5.32 to 39). */
export class TagScanner {
  /** Behind what was read last. */
  at = 0;
  private readonly html: string;
  private readonly hasNull: boolean;
  /** Names that occurred, as they are written and as they are meant: pages repeat theirs. */
  private readonly written: string[] = new Array<string>(knownNames);
  private readonly meant: string[] = new Array<string>(knownNames);

  constructor(html: string, hasNull: boolean) {
    this.html = html;
    this.hasNull = hasNull;
  }

  /** The tag's name that begins at `start`. */
  tagName(start: number): string {
    const { html } = this;
    let at = start;
    let hash = 0;
    for (let kind = kindAt(html, at); at < html.length; kind = kindAt(html, ++at)) {
      if (kind !== other && kind !== equal) break;
      hash = (hash * 31 + html.charCodeAt(at)) | 0;
    }
    this.at = at;
    return this.name(start, at, hash);
  }

  /** Reads over attributes. */
  skipAttributes(): void {
    while (this.next() >= 0);
  }

  /** The first of several attributes with the same name counts. */
  attributes(): Map<string, string> {
    if (this.html.charCodeAt(this.at) === greater) return noAttributes;
    let attributes: Map<string, string> | undefined;
    for (let start = this.next(); start >= 0; start = this.next()) {
      const name = this.name(start, this.nameEnd, this.hash);
      attributes ??= new Map();
      if (!attributes.has(name)) attributes.set(name, this.value());
    }
    return attributes ?? noAttributes;
  }

  /** Of the attribute that was read last. */
  private nameEnd = 0;
  private hash = 0;
  private valueStart = 0;
  private valueEnd = 0;

  /** Reads an attribute and returns where it starts; -1 where there is none. */
  private next(): number {
    const { html } = this;
    let at = this.at;
    for (let kind = kindAt(html, at); kind === white || kind === slash; kind = kindAt(html, at)) at++;
    if (at >= html.length || kindAt(html, at) === end) return -1;
    const start = at;
    let hash = html.charCodeAt(at++);
    for (; at < html.length && kindAt(html, at) === other; at++) hash = (hash * 31 + html.charCodeAt(at)) | 0;
    this.nameEnd = at;
    this.hash = hash;
    at = this.pastSpace(at);
    this.valueStart = at;
    this.valueEnd = at;
    this.at = kindAt(html, at) === equal && at < html.length ? this.readValue(at + 1) : at;
    return start;
  }

  /** Where the value ends that begins behind the equals sign. */
  private readValue(behind: number): number {
    const { html } = this;
    const at = this.pastSpace(behind);
    const code = html.charCodeAt(at);
    this.valueStart = at;
    this.valueEnd = at;
    if (code === quote || code === apostrophe) {
      const close = html.indexOf(code === quote ? '"' : "'", at + 1);
      this.valueStart = at + 1;
      this.valueEnd = close < 0 ? html.length : close;
      return close < 0 ? html.length : close + 1;
    }
    let last = at;
    for (; last < html.length; last++) {
      const kind = kindAt(html, last);
      if (kind === white || kind === end) break;
    }
    this.valueEnd = last;
    return last;
  }

  private pastSpace(from: number): number {
    let at = from;
    while (kindAt(this.html, at) === white) at++;
    return at;
  }

  private value(): string {
    if (this.valueStart === this.valueEnd) return "";
    const text = this.html.slice(this.valueStart, this.valueEnd);
    const value = this.hasNull ? text.replaceAll("\0", "\uFFFD") : text;
    return value.includes("&") ? decodeHTMLAttribute(value) : value;
  }

  private name(start: number, behind: number, hash: number): string {
    const place = hash & (knownNames - 1);
    const known = this.written[place];
    if (known !== undefined && known.length === behind - start && this.html.startsWith(known, start))
      return this.meant[place] as string;
    const written = this.html.slice(start, behind);
    const lower = lowerCase(written);
    const meant = this.hasNull ? lower.replaceAll("\0", "\uFFFD") : lower;
    this.written[place] = written;
    this.meant[place] = meant;
    return meant;
  }
}

/** Of ASCII letters only, as the standard does. */
function lowerCase(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : name;
}

import { decodeHTML } from "entities";
import { endOfRawText, endOfScript, TagScanner, withLineFeeds, withoutNull } from "./tag-scanner.ts";

/**
 * What is known of a text: it is only white space, which may have carriage returns; its white space is single spaces; or
 * nothing.
 */
export type TextForm = "blank" | "even" | "any";

/** Receives the tokens of a document in order. */
export interface TokenSink {
  /** Characters, their references decoded; one run may come in several pieces. */
  text(text: string, form: TextForm): void;
  /** True where the text of an element that holds nothing else is of no use. */
  isSkipping?(): boolean;
  /** Returns false for an element of SVG or MathML, whose name does not decide how its text is read. */
  startTag(name: string, attributes: Map<string, string>, isSelfClosing: boolean): boolean;
  endTag(name: string): void;
  /** Whether the current node is an element of SVG or MathML: only there are sections of CDATA. */
  isForeign(): boolean;
  /** True ends the reading before the next token. */
  isDone?(): boolean;
}

export interface TokenOptions {
  /** XHTML: CDATA is text everywhere, and an element that closes itself has no content. */
  isXml?: boolean;
  /** A browser that runs scripts takes the content of `noscript` as text. */
  scripting?: boolean;
}

const commentEnd = /--!?>/g;
const rawText = new Set("script style xmp iframe noembed noframes title textarea".split(" "));
const withReferences = new Set(["title", "textarea"]);

/**
 * Reads a document into tokens as the tokenizer of the HTML standard does (section 13.2.5). The states that the
 * standard's tree construction sets (raw text, script data, CDATA sections) follow from the element's name and from the
 * sink. Comments, doctypes and processing instructions are left out. Never throws. Time is linear.
 */
export function readTokens(html: string, sink: TokenSink, options: TokenOptions = {}): void {
  new TokenReader(html, sink, options).read();
}

class TokenReader {
  private at = 0;
  private readonly html: string;
  private readonly sink: TokenSink;
  private readonly options: TokenOptions;
  private readonly tags: TagScanner;
  private readonly nextEnds = new Map<string, number>();

  constructor(html: string, sink: TokenSink, options: TokenOptions) {
    this.html = html;
    this.sink = sink;
    this.options = options;
    this.tags = new TagScanner(html);
  }

  read(): void {
    const { html, sink } = this;
    while (this.at < html.length && sink.isDone?.() !== true) {
      if (html.charCodeAt(this.at) === less) this.markup();
      else this.characters();
    }
  }

  /** A `<` that opens no markup is text. */
  private markup(): void {
    const next = this.html.charCodeAt(this.at + 1);
    if (isLetter(next)) this.startTag();
    else if (next === solidus) this.afterSolidus();
    else if (next === exclamation) this.declaration();
    else if (next === question) this.skipPast(">", this.at);
    else this.looseCharacters(this.at + 1);
  }

  private afterSolidus(): void {
    const at = this.at + 2;
    if (isLetter(this.html.charCodeAt(at))) this.endTag();
    else if (at >= this.html.length) this.looseCharacters(this.html.length);
    else this.skipPast(">", this.at + 2);
  }

  /** Doctypes and bogus comments end with the next `>`. */
  private declaration(): void {
    const { html, at } = this;
    if (html.startsWith("--", at + 2)) this.comment(at + 4);
    else if (html.startsWith("[CDATA[", at + 2) && this.hasSections()) this.section(at + 9);
    else this.skipPast(">", at);
  }

  private hasSections(): boolean {
    return this.options.isXml === true || this.sink.isForeign();
  }

  private comment(start: number): void {
    const { html } = this;
    const isAbrupt = html.startsWith(">", start) || html.startsWith("->", start);
    commentEnd.lastIndex = start;
    if (isAbrupt) this.skipPast(">", start);
    else this.at = commentEnd.test(html) ? commentEnd.lastIndex : html.length;
  }

  private section(start: number): void {
    const end = this.html.indexOf("]]>", start);
    const text = this.html.slice(start, end < 0 ? undefined : end);
    this.at = end < 0 ? this.html.length : end + 3;
    if (text !== "") this.sink.text(withLineFeeds(withoutNull(text)), "any");
  }

  private skipPast(character: string, from: number): void {
    const end = this.html.indexOf(character, from);
    this.at = end < 0 ? this.html.length : end + 1;
  }

  private startTag(): void {
    const name = this.tags.tagName(this.at + 1);
    const attributes = this.tags.attributes();
    const isSelfClosing = this.endOfTag();
    if (isSelfClosing === undefined) return;
    const isHtml = this.sink.startTag(name, attributes, isSelfClosing);
    if (isHtml && this.holdsText(name, isSelfClosing)) this.rawText(name);
  }

  private endTag(): void {
    const name = this.tags.tagName(this.at + 2);
    this.tags.skipAttributes();
    if (this.endOfTag() !== undefined) this.sink.endTag(name);
  }

  /** Whether the tag closes itself; undefined when the document ends within the tag, which then does not count. */
  private endOfTag(): boolean | undefined {
    const end = this.tags.tagEnd();
    this.at = end + 1;
    if (end >= this.html.length) return undefined;
    return end > this.tags.at && this.html.charCodeAt(end - 1) === solidus;
  }

  private holdsText(name: string, isSelfClosing: boolean): boolean {
    const isText =
      rawText.has(name) || name === "plaintext" || (name === "noscript" && this.options.scripting === true);
    return isText && !(isSelfClosing && this.options.isXml === true);
  }

  /** The text of such an element, up to its own end tag. */
  private rawText(name: string): void {
    const end = name === "script" ? endOfScript(this.html, this.at) : this.rawTextEnd(name);
    const start = this.at;
    this.at = end;
    if (start === end || this.sink.isSkipping?.() === true) return;
    const text = withLineFeeds(withoutNull(this.html.slice(start, end)));
    this.sink.text(withReferences.has(name) ? decodeHTML(text) : text, "any");
  }

  /** A frame that is not closed ends with the `noscript` around it, which is text to a browser that runs scripts. */
  private rawTextEnd(name: string): number {
    return name === "iframe" ? Math.min(this.nextEnd(name), this.nextEnd("noscript")) : this.nextEnd(name);
  }

  /** Where the next end tag of that name is, which is searched for once. */
  private nextEnd(name: string): number {
    const known = this.nextEnds.get(name) ?? -1;
    if (known >= this.at) return known;
    const end = endOfRawText(this.html, name, this.at);
    this.nextEnds.set(name, end);
    return end;
  }

  /** The text up to the next `<`. What it is made of is seen on the way. */
  private characters(): void {
    const { html } = this;
    const start = this.at;
    let at = start;
    let seen = 0;
    let spaces = 0;
    let lastSpace = -2;
    for (; at < html.length; at++) {
      const code = html.charCodeAt(at);
      if (code > ampersand) {
        if (code === less) break;
        continue;
      }
      const kind = kinds[code]!;
      if (kind === plain) continue;
      seen |= kind;
      if ((kind & (space | gap)) === 0) continue;
      if (lastSpace === at - 1) seen |= gap;
      lastSpace = at;
      spaces++;
    }
    this.at = at;
    const text = html.slice(start, at);
    if (spaces === at - start) this.sink.text(text, "blank");
    else if ((seen & (reference | none | carriageReturn)) !== 0) this.mendedText(text);
    else this.sink.text(text, (seen & gap) === 0 ? "even" : "any");
  }

  private looseCharacters(end: number): void {
    const text = this.html.slice(this.at, end);
    this.at = end;
    this.mendedText(text);
  }

  private mendedText(text: string): void {
    const known = withLineFeeds(text);
    const shown = known.includes("\0")
      ? known.replaceAll("\0", this.sink.isForeign() ? "\uFFFD" : "")
      : known;
    if (shown !== "") this.sink.text(shown.includes("&") ? decodeHTML(shown) : shown, "any");
  }
}

const [exclamation, ampersand, solidus, less, question] = [33, 38, 47, 60, 63];

/** What a character of text is: a space, other white space, the start of a reference, U+0000, or nothing of these. */
const [plain, space, gap, reference, none, carriageReturn] = [0, 1, 2, 4, 8, 16];
const kinds = new Uint8Array(ampersand + 1);
kinds[32] = space;
for (const code of [9, 10, 12]) kinds[code] = gap;
kinds[13] = gap | carriageReturn;
kinds[ampersand] = reference;
kinds[0] = none;

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

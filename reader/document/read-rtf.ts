import { DocumentError } from "./broken-document.ts";
import { type DocumentFacts, documentHtml } from "./document-html.ts";
import { withoutParagraph } from "./list-html.ts";
import { type ParagraphStyle, RtfBlocks, type TextStyle } from "./rtf-blocks.ts";
import { encodingOfCharset, encodingOfCodePage, type RtfEvents, readRtfTokens } from "./rtf-tokens.ts";

/** Characters of text. */
const maxText = 16 * 1024 * 1024;

/** Reads a document of RTF as HTML: headings, lists, tables, links and notes. Throws when it is broken. */
export function readRtf(bytes: Uint8Array): string {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (!/^\s*(?:\u00ef\u00bb\u00bf)?\{\\rtf/.test(rtf.slice(0, 100)))
    throw new DocumentError("broken", "The document does not begin as RTF does.");
  const reader = new RtfReader();
  readRtfTokens(rtf, reader);
  return reader.html();
}

/** Where the text of a group goes. */
type Destination = "body" | "skipped" | "fonts" | "styles" | "note" | "marker" | "link" | keyof DocumentFacts;

interface State {
  destination: Destination;
  text: TextStyle;
  isHidden: boolean;
  paragraph: ParagraphStyle;
  font: number;
  /** Characters that follow a Unicode one for readers that do not know it. */
  fallback: number;
}

const skipped = new Set(
  "colortbl pict objdata nonshppict listtable listoverridetable revtbl rsidtbl generator header headerl headerr headerf footer footerl footerr footerf xe tc tcn themedata colorschememapping latentstyles datastore xmlnstbl fldtype mmathPr mmathPict filetbl sp template annotation atnid atnauthor atnref atndate pgdsctbl pn pnseclvl bkmkstart bkmkend buptim printim revtim".split(
    " ",
  ),
);
/** Groups that say that they may be skipped, and hold text nevertheless. */
const optionalText = new Set([
  "shpinst",
  "shptxt",
  "shppict",
  "mmath",
  "moMath",
  "moMathPara",
  "mr",
  "me",
  "ud",
]);
const factWords: Record<string, keyof DocumentFacts> = {
  title: "title",
  author: "author",
  subject: "description",
  keywords: "keywords",
};
const characters: Record<string, string> = {
  tab: "\t",
  line: "\n",
  lbr: "\n",
  emdash: "\u2014",
  endash: "\u2013",
  emspace: "\u2003",
  enspace: "\u2002",
  bullet: "\u2022",
  lquote: "\u2018",
  rquote: "\u2019",
  ldblquote: "\u201c",
  rdblquote: "\u201d",
};

class RtfReader implements RtfEvents {
  readonly #body = new RtfBlocks();
  readonly #notes: string[] = [];
  readonly #facts: DocumentFacts = {};
  readonly #fonts = new Map<number, string>();
  readonly #styles = new Map<number, ParagraphStyle>();
  readonly #stack: State[] = [];
  #state: State = { destination: "body", text: {}, isHidden: false, paragraph: {}, font: -1, fallback: 1 };
  #blocks = this.#body;
  #codePage = "windows-1252";
  /** Bytes that wait for the rest of their character. */
  #pending = "";
  #left = maxText;
  /** Characters to drop after a Unicode one. */
  #toDrop = 0;
  #isFirstInGroup = false;
  #style = 0;
  #name = "";
  #marker = "";
  /** Whether the paragraph has the mark of a list, and whether that is a number. */
  #isNumbered: boolean | undefined;
  #link = "";
  #created: number[] | undefined;

  html(): string {
    this.#flush();
    this.#endParagraph();
    const html = this.#body.html(this.#notes);
    const heading = /<h1>([^<>]{1,1000})<\/h1>/.exec(html)?.[1];
    return documentHtml({ ...this.#facts, title: this.#facts.title ?? heading }, html);
  }

  open(): void {
    this.#flush();
    this.#stack.push(this.#state);
    this.#state = { ...this.#state, text: { ...this.#state.text }, paragraph: { ...this.#state.paragraph } };
    this.#isFirstInGroup = true;
    this.#toDrop = 0;
    if (this.#state.destination === "styles") [this.#style, this.#name] = [0, ""];
  }

  close(): void {
    this.#flush();
    const ended = this.#state;
    const outer = this.#stack.pop();
    if (outer === undefined) return;
    // The look of a paragraph outlasts a group in which it was begun.
    this.#state = {
      ...outer,
      paragraph: ended.destination === outer.destination ? ended.paragraph : outer.paragraph,
    };
    if (ended.destination === "styles" && outer.destination === "styles") this.#endStyle();
    if (ended.destination === outer.destination) return;
    if (ended.destination === "note") this.#endNote();
    if (ended.destination === "marker") this.#endMarker();
    if (ended.destination === "link") this.#endLink();
  }

  word(name: string, value: number | undefined, isOptional: boolean): void {
    const isFirst = this.#isFirstInGroup;
    this.#isFirstInGroup = false;
    if (name === "u") {
      this.#unicode(value ?? 0, isOptional);
      return;
    }
    this.#flush();
    this.#toDrop = 0;
    if ((isFirst || isOptional) && this.#destination(name, isOptional)) return;
    if (this.#state.destination === "fonts" || this.#state.destination === "styles")
      this.#inTable(name, value);
    else if (this.#time(name, value)) return;
    else if (characters[name] !== undefined) this.#add(characters[name]);
    else this.#control(name, value);
  }

  bytes(text: string): void {
    this.#isFirstInGroup = false;
    const dropped = Math.min(this.#toDrop, text.length);
    this.#toDrop -= dropped;
    this.#pending += text.slice(dropped);
  }

  #unicode(value: number, isSymbol: boolean): void {
    this.#flush();
    this.#add(String.fromCharCode(value < 0 ? value + 65_536 : value % 65_536));
    this.#toDrop = isSymbol ? 0 : this.#state.fallback;
  }

  /** Whether the word begins a group whose text goes elsewhere. */
  #destination(name: string, isOptional: boolean): boolean {
    const to = this.#destinationOf(name, isOptional);
    if (to === undefined || this.#state.destination === "skipped") return to !== undefined;
    this.#state.destination = to;
    if (to === "note") this.#blocks = new RtfBlocks();
    if (to === "marker") this.#marker = "";
    if (to === "link") this.#link = "";
    return true;
  }

  #destinationOf(name: string, isOptional: boolean): Destination | undefined {
    if (name === "fonttbl") return "fonts";
    if (name === "stylesheet") return "styles";
    if (name === "footnote") return "note";
    if (name === "listtext" || name === "pntext") return "marker";
    if (name === "fldinst") return "link";
    const fact = this.#stack.length === 3 ? factWords[name] : undefined;
    if (fact !== undefined) return fact;
    if (skipped.has(name)) return "skipped";
    return isOptional && !optionalText.has(name) && this.#state.destination !== "styles"
      ? "skipped"
      : undefined;
  }

  #inTable(name: string, value = 0): void {
    if (name === "f" && this.#state.destination === "fonts") this.#state.font = value;
    if (name === "fcharset") {
      const encoding = encodingOfCharset(value);
      if (encoding) this.#fonts.set(this.#state.font, encoding);
    }
    if (name === "s") this.#style = value;
    if (name === "outlinelevel" && value < 9) this.#styles.set(this.#style, { heading: value + 1 });
  }

  /** The time of making, in words of its own. */
  #time(name: string, value = 0): boolean {
    if (name === "creatim") this.#created = [];
    else if (this.#created === undefined || !/^(?:yr|mo|dy|hr|min)$/.test(name)) return false;
    else if (this.#created.push(value) >= 3 && this.#facts.created === undefined && name !== "hr") {
      const [year = 0, month = 0, day = 0] = this.#created;
      const date = new Date(Date.UTC(year, month - 1, day));
      if (year > 1900 && !Number.isNaN(date.getTime())) this.#facts.created = date.toISOString().slice(0, 10);
    }
    return true;
  }

  #control(name: string, value: number | undefined): void {
    if (name === "f") this.#state.font = value ?? -1;
    else if (name === "uc") this.#state.fallback = Math.min(Math.max(value ?? 1, 0), 100);
    else if (name === "ansicpg") this.#codePage = encodingOfCodePage(value ?? 1252);
    else if (name === "mac") this.#codePage = "macintosh";
    else if (this.#isText) {
      this.#onBlock(name);
      this.#onParagraph(name, value);
      this.#onRun(name, value !== 0);
    }
  }

  get #isText(): boolean {
    return this.#state.destination === "body" || this.#state.destination === "note";
  }

  #onBlock(name: string): void {
    if (name === "par" || name === "sect" || name === "page") this.#endParagraph();
    else if (name === "cell" || name === "nestcell") this.#blocks.endCell();
    else if (name === "row" || name === "nestrow") this.#blocks.endRow();
  }

  /** The mark of a list comes before or behind the words that make its paragraph a part of it. */
  #endParagraph(): void {
    const { paragraph } = this.#state;
    const isOrdered = this.#isNumbered;
    this.#isNumbered = undefined;
    const list = isOrdered === undefined ? paragraph.list : { level: 0, ...paragraph.list, isOrdered };
    this.#blocks.endParagraph({ ...paragraph, list });
  }

  #onParagraph(name: string, value = 0): void {
    const { paragraph } = this.#state;
    if (name === "pard") this.#state.paragraph = {};
    else if (name === "intbl") paragraph.isInTable = true;
    else if (name === "s") Object.assign(paragraph, this.#styles.get(value));
    else if (name === "outlinelevel" && value < 9) paragraph.heading = value + 1;
    else if (name === "li") paragraph.indent = value;
    else if (name === "fi") paragraph.firstIndent = value;
    else if (name === "ls") paragraph.list ??= { level: 0, isOrdered: false };
    else if (name === "ilvl") paragraph.list = { isOrdered: false, ...paragraph.list, level: value };
  }

  #onRun(name: string, isOn: boolean): void {
    const { text } = this.#state;
    if (name === "plain") this.#state.text = text.url === undefined ? {} : { url: text.url };
    else if (name === "b") text.bold = isOn;
    else if (name === "i") text.italic = isOn;
    else if (name === "strike" || name === "striked") text.struck = isOn;
    else if (name === "super") text.script = isOn ? "sup" : undefined;
    else if (name === "sub") text.script = isOn ? "sub" : undefined;
    else if (name === "nosupersub") text.script = undefined;
    else if (name === "v") this.#state.isHidden = isOn;
  }

  #flush(): void {
    if (this.#pending === "") return;
    const bytes = this.#pending;
    this.#pending = "";
    const encoding = this.#fonts.get(this.#state.font) ?? this.#codePage;
    this.#add(
      /^[\0-\x7f]*$/.test(bytes) ? bytes : new TextDecoder(encoding).decode(Buffer.from(bytes, "latin1")),
    );
  }

  #add(text: string): void {
    const { destination, isHidden } = this.#state;
    this.#left -= text.length;
    if (this.#left < 0) return;
    if (destination === "body" || destination === "note") {
      if (!isHidden) this.#blocks.add(text, this.#state.text);
    } else if (destination === "styles") this.#name += text;
    else if (destination === "marker") this.#marker += text;
    else if (destination === "link") this.#link += text;
    else if (destination !== "skipped" && destination !== "fonts")
      this.#facts[destination] = `${this.#facts[destination] ?? ""}${text}`.slice(0, 2000);
  }

  #endNote(): void {
    const html = withoutParagraph(this.#blocks.html([]));
    this.#blocks = this.#body;
    const number = this.#notes.push(html);
    this.#blocks.add(`${number}`, { script: "sup", url: `#note-${number}` });
  }

  /** The mark of a list, as it is shown: a number or a sign. */
  #endMarker(): void {
    this.#isNumbered = /[\dA-Za-z]/.test(this.#marker) && /[.)\]:]|\d/.test(this.#marker);
  }

  #endLink(): void {
    const url = /HYPERLINK\s+(?:\\[a-z]\s+)*"([^"]*)"/i.exec(this.#link)?.[1] ?? "";
    if (/^(?:https?|mailto):/i.test(url)) this.#state.text.url = url;
  }

  /** Styles end at their semicolon. Only their names tell a heading from a text that is set large. */
  #endStyle(): void {
    const name = this.#name.replace(/;\s*$/, "").trim();
    const level = /^heading (\d)$/i.exec(name)?.[1];
    if (level !== undefined) this.#styles.set(this.#style, { heading: Number(level) });
    else if (/^title$/i.test(name)) this.#styles.set(this.#style, { heading: 1 });
    else if (/^(?:intense )?quot(?:e|ations?)$/i.test(name))
      this.#styles.set(this.#style, { isQuotation: true });
  }
}

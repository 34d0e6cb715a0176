import { SaxesParser } from "saxes";
import { escapeHtml } from "../text/escape-html.ts";
import type { Parts } from "./archive.ts";
import { texOf } from "./omml-tex.ts";
import { isElement, readTree, type XmlElement } from "./read-xml.ts";

const withText = /^word\/(?:document|footnotes|endnotes)\.xml$/;
/** Private characters around the number of a formula, which no text of a document has. */
const [before, behind] = ["\ue0f0", "\ue0f1"];
const marks = /\ue0f0(\d{1,6})\ue0f1/g;
/** Elements of all formulas, and formulas. */
const [maxElements, maxFormulas] = [200_000, 20_000];

/**
 * The formulas of a Word document. Mammoth drops them (its elements are those of text only), so each is taken out of the
 * XML before, leaving a mark, and put into the HTML in place of its mark.
 */
export class Formulas {
  readonly #html: string[] = [];
  readonly #budget = { elements: maxElements, isCut: false };

  /** The parts with a mark, as a run of text, in place of each formula. */
  takeOut(parts: Parts): Parts {
    const replaced = Object.entries(parts).flatMap(([name, xml]) => {
      const marked = withText.test(name) ? this.#mark(xml) : undefined;
      return marked ? [[name, marked]] : [];
    });
    return { ...parts, ...Object.fromEntries(replaced) };
  }

  /** The HTML with the formulas in place of their marks. */
  putBack(html: string): string {
    return html.replace(marks, (_, number) => this.#html[Number(number)] ?? "");
  }

  #mark(bytes: Uint8Array): Uint8Array | undefined {
    const xml = new TextDecoder().decode(bytes);
    const spans = formulaSpans(xml);
    if (spans.length === 0) return undefined;
    let marked = "";
    let end = 0;
    for (const span of spans) {
      marked += xml.slice(end, span.start) + this.#markOf(xml.slice(span.start, span.end));
      end = span.end;
    }
    return new TextEncoder().encode(marked + xml.slice(end));
  }

  #markOf(xml: string): string {
    const root = readTree(new TextEncoder().encode(xml), this.#budget);
    const [math] = root.children.filter(isElement);
    const html = math === undefined ? "" : formulaHtml(math);
    if (html === "") return "";
    return `<w:r><w:t>${before}${this.#html.push(html) - 1}${behind}</w:t></w:r>`;
  }
}

/** A formula as HTML that the reader of pages knows: TeX between TeX's own delimiters. */
export function formulaHtml(math: XmlElement): string {
  const isDisplay = math.name === "m:oMathPara";
  const lines = isDisplay ? math.children.filter(isElement).filter(({ name }) => name === "m:oMath") : [math];
  return lines
    .map(texOf)
    .filter(tex => tex !== "")
    .map(tex =>
      isDisplay
        ? `<span class="math display">\\[${escapeHtml(tex)}\\]</span>`
        : `<span class="math inline">\\(${escapeHtml(tex)}\\)</span>`,
    )
    .join(" ");
}

interface Span {
  start: number;
  end: number;
}

/** Where the formulas of a part begin and end. */
function formulaSpans(xml: string): Span[] {
  if (!xml.includes("<m:oMath")) return [];
  const parser = new SaxesParser();
  const spans: Span[] = [];
  let [depth, start] = [0, 0];
  parser.on("error", () => undefined);
  parser.on("opentag", ({ name }) => {
    if (name !== "m:oMath" && name !== "m:oMathPara") return;
    // No attribute holds a "<".
    if (depth === 0) start = xml.lastIndexOf("<", parser.position - 1);
    depth++;
  });
  parser.on("closetag", ({ name }) => {
    if (depth === 0 || (name !== "m:oMath" && name !== "m:oMathPara")) return;
    depth--;
    if (depth === 0 && spans.length < maxFormulas) spans.push({ start, end: parser.position });
  });
  parser.write(xml).close();
  return spans;
}

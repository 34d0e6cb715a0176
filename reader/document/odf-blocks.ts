import { escapeHtml } from "../text/escape-html.ts";
import { maxColumns, maxRows } from "./document-html.ts";
import { blocksHtml, type ListedBlock, styledHtml, withoutParagraph } from "./list-html.ts";
import type { OdfStyles } from "./odf-styles.ts";
import { pictureText } from "./office-package.ts";
import {
  childOf,
  elementsIn,
  findAll,
  isElement,
  readTree,
  textIn,
  type XmlBudget,
  type XmlElement,
} from "./read-xml.ts";

/** What is no text of the document, but of its making, its indexes and its forms. */
const leftOut =
  /^(?:text:(?:tracked-changes|sequence-decls|variable-decls|user-field-decls|table-of-content|alphabetical-index|illustration-index|table-index|index-title|bookmark\S*|soft-page-break)|office:(?:forms|annotation\S*|event-listeners|settings)|presentation:notes|svg:\S+|table:shapes)$/;
const heading = "text:h";
const maxSpaces = 100;
/** Characters of all formulas. Many frames may show one. */
const maxFormulaChars = 4_000_000;

/** The text of a document or a slide as HTML. */
export class OdfBlocks {
  readonly #styles: OdfStyles;
  readonly #objectOf: (name: string) => Uint8Array | undefined;
  readonly #budget: XmlBudget;
  readonly #formulas = new Map<string, string | undefined>();
  #formulaChars = 0;
  #notes: string[] = [];

  /** `objectOf`: the content of an object in the document, such as a formula. */
  constructor(styles: OdfStyles, objectOf: (name: string) => Uint8Array | undefined, budget: XmlBudget) {
    this.#styles = styles;
    this.#objectOf = objectOf;
    this.#budget = budget;
  }

  /** A text, with its notes at the end. */
  html(text: XmlElement): string {
    const html = blocksHtml(this.#blocks(text));
    const notes = this.#notes.map((note, at) => `<li id="note-${at + 1}">${note}</li>`);
    return notes.length === 0 ? html : `${html}\n<ol>${notes.join("")}</ol>`;
  }

  /** A slide: its title, its other shapes in their order, its notes. */
  slide(page: XmlElement): string {
    const shapes = shapesIn(page);
    const title = shapes.find(shape => shape.attributes["presentation:class"] === "title");
    const heading = title && this.#text(title);
    const others = shapes.filter(shape => shape !== title).map(shape => this.#shape(shape));
    const notes = childOf(page, "presentation:notes");
    const said = notes
      ? shapesIn(notes).filter(shape => shape.attributes["presentation:class"] === "notes")
      : [];
    const note = said.map(shape => this.#shape(shape)).join("");
    return [
      heading ? `<h2>${heading}</h2>` : "",
      ...others,
      note === "" ? "" : `<blockquote>${note}</blockquote>`,
    ]
      .filter(html => html !== "")
      .join("\n");
  }

  /** The paragraphs of a shape in one line. */
  #text(shape: XmlElement): string {
    return findAll(shape, "text:p")
      .map(paragraph => this.#inline(paragraph))
      .join(" ")
      .trim();
  }

  #shape(shape: XmlElement): string {
    if (/^(?:page-number|date-time|footer|header)$/.test(shape.attributes["presentation:class"] ?? ""))
      return "";
    if (shape.attributes["presentation:placeholder"] === "true") return "";
    return blocksHtml(this.#blocks({ name: "", attributes: {}, children: [shape] }));
  }

  #blocks(container: XmlElement): ListedBlock[] {
    return elementsIn(container).flatMap(element => this.#block(element));
  }

  #block(element: XmlElement): ListedBlock[] {
    const { name, attributes } = element;
    if (leftOut.test(name)) return [];
    if (name === heading) return this.#heading(element);
    if (name === "text:p") return this.#paragraph(element);
    if (name === "text:list") return this.#list(element, 0, attributes["text:style-name"]);
    if (name === "table:table") return [{ html: this.#table(element) }];
    if (name === "draw:frame") return this.#frame(element).map(html => ({ html }));
    return this.#blocks(element);
  }

  #heading(element: XmlElement): ListedBlock[] {
    const level = Math.min(Math.max(Number(element.attributes["text:outline-level"]) || 1, 1), 6);
    const html = this.#inline(element).trim();
    return html === "" ? [] : [{ html: `<h${level}>${html}</h${level}>` }];
  }

  #paragraph(element: XmlElement): ListedBlock[] {
    const names = this.#styles.names("paragraph", element.attributes["text:style-name"]);
    const isNamed = (start: string) => names.some(name => name.startsWith(start));
    const html = this.#inline(element);
    const frames = elementsIn(element, "draw:frame").filter(frame => !isInLine(frame));
    const others = frames.flatMap(frame => this.#frame(frame)).map(html => ({ html }));
    if (names.includes("Preformatted Text")) return [{ html: `<pre>${html.replaceAll("<br>", "\n")}</pre>` }];
    const text = html.trim();
    if (text === "") return others;
    if (names.includes("Title")) return [{ html: `<h1>${text}</h1>` }, ...others];
    if (isNamed("Definition Term")) return [{ html: `<dl><dt>${text}</dt></dl>` }, ...others];
    if (isNamed("Definition Definition")) return [{ html: `<dl><dd>${text}</dd></dl>` }, ...others];
    if (names.includes("Quotations")) return [{ html: `<blockquote><p>${text}</p></blockquote>` }, ...others];
    return [{ html: `<p>${text}</p>` }, ...others];
  }

  #list(list: XmlElement, level: number, style: string | undefined): ListedBlock[] {
    const isOrdered = this.#styles.isNumbered(style, level);
    const blocks: ListedBlock[] = [];
    for (const item of elementsIn(list)) {
      if (item.name !== "text:list-item" && item.name !== "text:list-header") continue;
      const own: string[] = [];
      const below: ListedBlock[] = [];
      for (const child of elementsIn(item)) {
        if (child.name === "text:list")
          below.push(...this.#list(child, level + 1, child.attributes["text:style-name"] ?? style));
        else own.push(...this.#block(child).map(({ html }) => html));
      }
      const [only = ""] = own;
      const html = own.length === 1 ? withoutParagraph(only) : own.join("");
      if (html !== "") blocks.push({ html, list: { level, isOrdered } });
      blocks.push(...below);
    }
    return blocks;
  }

  #table(table: XmlElement): string {
    const head: string[] = [];
    const body: string[] = [];
    const read = (within: XmlElement, into: string[], cell: "td" | "th"): void => {
      for (const child of elementsIn(within)) {
        if (child.name === "table:table-header-rows") read(child, head, "th");
        else if (/^table:table-(?:rows|row-group)$/.test(child.name)) read(child, into, cell);
        else if (child.name === "table:table-row" && into.length < maxRows) into.push(this.#row(child, cell));
      }
    };
    read(table, body, "td");
    const thead = head.length > 0 ? `<thead>${head.join("\n")}</thead>` : "";
    return `<table>${thead}<tbody>${body.join("\n")}</tbody></table>`;
  }

  #row(row: XmlElement, cell: "td" | "th"): string {
    const cells = elementsIn(row, "table:table-cell").slice(0, maxColumns);
    const html = cells.map(element => {
      const spans = ["columns", "rows"].map(name => {
        const count = Number(element.attributes[`table:number-${name}-spanned`]);
        return count > 1 && count <= maxColumns
          ? ` ${name === "columns" ? "colspan" : "rowspan"}="${count}"`
          : "";
      });
      const inner = withoutParagraph(blocksHtml(this.#blocks(element)));
      return `<${cell}${spans.join("")}>${inner}</${cell}>`;
    });
    return `<tr>${html.join("")}</tr>`;
  }

  /** What a frame holds: a text, a table, or in place of a picture what is said of it. */
  #frame(frame: XmlElement): string[] {
    const math = this.#formula(frame);
    if (math !== undefined) return [`<p>${math}</p>`];
    const box = childOf(frame, "draw:text-box");
    if (box) return [blocksHtml(this.#blocks(box))];
    const table = childOf(frame, "table:table");
    if (table) return [this.#table(table)];
    const text = frameText(frame);
    return text === "" ? [] : [`<p><em>${escapeHtml(text)}</em></p>`];
  }

  #formula(frame: XmlElement): string | undefined {
    const name = childOf(frame, "draw:object")?.attributes["xlink:href"]?.replace(/^\.\/|\/$/g, "");
    if (name === undefined) return undefined;
    if (!this.#formulas.has(name)) this.#formulas.set(name, this.#formulaIn(name));
    const math = this.#formulas.get(name);
    if (math === undefined) return undefined;
    this.#formulaChars += math.length;
    if (this.#formulaChars <= maxFormulaChars) return math;
    this.#budget.isCut = true;
    return "";
  }

  /** MathML, which an object of its own holds. */
  #formulaIn(name: string): string | undefined {
    const bytes = this.#objectOf(name);
    if (bytes === undefined) return undefined;
    const tree = readTree(bytes, this.#budget);
    const math = elementsIn(tree).find(({ name }) => /^(?:math:)?math$/.test(name));
    return math && mathHtml(math);
  }

  #inline(element: XmlElement): string {
    return element.children
      .map(child => (isElement(child) ? this.#piece(child) : escapeHtml(child.replace(/\s+/g, " "))))
      .join("");
  }

  #piece(element: XmlElement): string {
    const { name, attributes } = element;
    if (leftOut.test(name)) return "";
    if (name === "text:line-break") return "<br>";
    if (name === "text:tab") return "\t";
    if (name === "text:s") return " ".repeat(Math.min(Number(attributes["text:c"] ?? 1) || 1, maxSpaces));
    if (name === "text:span")
      return styledHtml(this.#inline(element), this.#styles.run(attributes["text:style-name"]));
    if (name === "text:note") return this.#note(element);
    if (name === "text:ruby") return this.#inline(childOf(element, "text:ruby-base") ?? element);
    if (name === "draw:frame") return this.#framed(element);
    const url = name === "text:a" ? (attributes["xlink:href"] ?? "") : "";
    const html = this.#inline(element);
    return /^(?:https?|mailto):/i.test(url) ? `<a href="${escapeHtml(url)}">${html}</a>` : html;
  }

  /** A frame in a line: a formula or a picture. What has paragraphs of its own follows the paragraph. */
  #framed(frame: XmlElement): string {
    if (!isInLine(frame)) return "";
    const math = this.#formula(frame);
    if (math !== undefined) return math;
    const text = frameText(frame);
    return text === "" ? "" : `<em>${escapeHtml(text)}</em>`;
  }

  #note(note: XmlElement): string {
    const body = childOf(note, "text:note-body");
    const html = body ? withoutParagraph(blocksHtml(this.#blocks(body))) : "";
    const number = this.#notes.push(html);
    return `<sup><a href="#note-${number}">${number}</a></sup>`;
  }
}

/** The shapes of a slide, those of groups as well. */
function shapesIn(page: XmlElement): XmlElement[] {
  return elementsIn(page).flatMap(child => {
    if (child.name === "draw:g") return shapesIn(child);
    return /^draw:/.test(child.name) ? [child] : [];
  });
}

function isInLine(frame: XmlElement): boolean {
  return childOf(frame, "draw:text-box") === undefined && childOf(frame, "table:table") === undefined;
}

function frameText(frame: XmlElement): string {
  return pictureText(textIn(childOf(frame, "svg:desc")) || textIn(childOf(frame, "svg:title")));
}

/** MathML as pages have it, named without a prefix. */
function mathHtml(element: XmlElement): string {
  const name = element.name.replace(/^math:/, "");
  if (!/^[a-z]{1,20}$/.test(name)) return "";
  const { display, encoding } = element.attributes;
  const attributes =
    (display ? ` display="${escapeHtml(display)}"` : "") +
    (encoding && name === "annotation" ? ` encoding="${escapeHtml(encoding)}"` : "");
  const inner = element.children.map(child => (isElement(child) ? mathHtml(child) : escapeHtml(child)));
  return `<${name}${attributes}>${inner.join("")}</${name}>`;
}

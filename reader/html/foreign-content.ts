import { isBlock, trait, traitsOf } from "./tree.ts";

interface OpenForeign {
  name: string;
  kind: "svg" | "math" | "html";
  /** HTML begins inside it (HTML standard: "HTML integration point", "MathML text integration point"). */
  isIntegrationPoint: boolean;
}

const inlineHtml = new Set(
  "b big br code em embed head i img meta nobr ruby s small span strong strike sub sup tt u var".split(" "),
);
const svgPoints = new Set(["foreignobject", "desc", "title"]);
const mathPoints = new Set(["mi", "mo", "mn", "ms", "mtext"]);

/**
 * The open elements of a drawing (SVG) or a formula (MathML), and of the HTML inside it. They decide which rules apply to
 * the next tag (HTML standard, section 13.2.6.5). Empty outside both. Each tag costs amortized constant time.
 */
export class ForeignContent {
  private readonly stack: OpenForeign[] = [];
  private readonly counts = new Map<string, number>();
  private drawings = 0;

  /** Whether a drawing is open. Its content is no text of the page. */
  get isDrawing(): boolean {
    return this.drawings > 0;
  }

  /** Whether the current node is an element of SVG or MathML. */
  get isForeign(): boolean {
    return this.stack.length > 0 && this.stack.at(-1)?.kind !== "html";
  }

  /** A start tag of HTML ends unclosed drawings and formulas. Returns true if it ended one. */
  breakOut(name: string, attributes: ReadonlyMap<string, string>): boolean {
    if (!this.fallsUnderForeignRules || !isHtmlOnly(name, attributes)) return false;
    while (this.fallsUnderForeignRules) this.pop();
    return true;
  }

  /** A start tag. Returns false for an element of HTML, where only a void element closes itself. */
  open(name: string, attributes: ReadonlyMap<string, string>, isSelfClosing: boolean): boolean {
    const kind = this.kindOf(name);
    if (kind === "html" && this.stack.length === 0) return false;
    const isEmpty = kind === "html" ? (traitsOf(name) & trait.void) !== 0 : isSelfClosing;
    if (!isEmpty) this.push({ name, kind, isIntegrationPoint: isPoint(name, kind, attributes) });
    return kind !== "html";
  }

  /** An end tag. Returns true if it ended something here or nothing at all; false if the rules of HTML decide. */
  close(name: string, isOpenOutside: (name: string) => boolean): boolean {
    if (this.stack.length === 0) return false;
    if ((this.counts.get(name) ?? 0) > 0) {
      while (this.pop() !== name);
      return true;
    }
    if (!this.fallsUnderForeignRules || !isOpenOutside(name)) return true;
    this.cutTo(0);
    return false;
  }

  /** How many elements are open. */
  get depth(): number {
    return this.stack.length;
  }

  cutTo(depth: number): void {
    while (this.stack.length > depth) this.pop();
  }

  private get fallsUnderForeignRules(): boolean {
    const top = this.stack.at(-1);
    return top !== undefined && top.kind !== "html" && !top.isIntegrationPoint;
  }

  private kindOf(name: string): OpenForeign["kind"] {
    if (name === "svg" || name === "math") return name;
    return this.fallsUnderForeignRules ? (this.stack.at(-1)?.kind ?? "html") : "html";
  }

  private push(element: OpenForeign): void {
    this.stack.push(element);
    this.counts.set(element.name, (this.counts.get(element.name) ?? 0) + 1);
    if (element.kind === "svg") this.drawings++;
  }

  private pop(): string | undefined {
    const element = this.stack.pop();
    if (element === undefined) return undefined;
    this.counts.set(element.name, (this.counts.get(element.name) ?? 1) - 1);
    if (element.kind === "svg") this.drawings--;
    return element.name;
  }
}

function isHtmlOnly(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (name === "font") return ["color", "face", "size"].some(attribute => attributes.has(attribute));
  return inlineHtml.has(name) || isBlock(name);
}

function isPoint(name: string, kind: OpenForeign["kind"], attributes: ReadonlyMap<string, string>): boolean {
  if (kind === "svg") return svgPoints.has(name);
  if (kind !== "math") return false;
  const encoding = attributes.get("encoding")?.toLowerCase() ?? "";
  return (
    mathPoints.has(name) ||
    (name === "annotation-xml" && /^(?:text\/html|application\/xhtml\+xml)$/.test(encoding))
  );
}

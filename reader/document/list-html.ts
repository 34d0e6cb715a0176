/** A paragraph of a document: one of a list at a level from 0, or outside of lists. HTML. */
export interface ListedBlock {
  html: string;
  /** Undefined outside of lists. */
  list?: { level: number; isOrdered: boolean; start?: number } | undefined;
}

const maxLevel = 20;

interface OpenList {
  level: number;
  name: "ul" | "ol";
}

/** Paragraphs as HTML, those of lists in nested lists. */
export function blocksHtml(blocks: readonly ListedBlock[]): string {
  const open: OpenList[] = [];
  const pieces: string[] = [];
  const close = () => pieces.push(`</li></${open.pop()?.name}>`);
  for (const { html, list } of blocks) {
    if (list === undefined) {
      while (open.length > 0) close();
      pieces.push(`${html}\n`);
      continue;
    }
    const level = Math.min(Math.max(list.level, 0), maxLevel);
    const name = list.isOrdered ? "ol" : "ul";
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > level) close();
    if (open.at(-1)?.level === level && open.at(-1)?.name !== name) close();
    if (open.at(-1)?.level === level) pieces.push("</li><li>");
    else {
      open.push({ level, name });
      const start = list.start !== undefined && list.start !== 1 ? ` start="${list.start}"` : "";
      pieces.push(`<${name}${name === "ol" ? start : ""}><li>`);
    }
    pieces.push(html);
  }
  while (open.length > 0) close();
  return pieces
    .join("")
    .trim()
    .replaceAll("</blockquote>\n<blockquote>", "\n")
    .replaceAll("</dl>\n<dl>", "\n")
    .replaceAll("</pre>\n<pre>", "\n");
}

/** The HTML of what is one paragraph, without it: in a cell or an item it needs none. */
export function withoutParagraph(html: string): string {
  const isOne = html.startsWith("<p>") && html.endsWith("</p>") && html.indexOf("<p>", 1) < 0;
  return isOne ? html.slice(3, -4) : html;
}

/** How a run of text is set. */
export interface RunStyle {
  bold?: boolean | undefined;
  italic?: boolean | undefined;
  struck?: boolean | undefined;
  code?: boolean | undefined;
  script?: "sub" | "sup" | undefined;
}

/** A run of text (HTML) with the elements of its style. */
export function styledHtml(html: string, { bold, italic, struck, code, script }: RunStyle): string {
  if (html.trim() === "") return html;
  const names = [bold && "strong", italic && "em", struck && "s", code && "code", script].filter(
    name => typeof name === "string",
  );
  return names.reduceRight((inner, name) => `<${name}>${inner}</${name}>`, html);
}

import { createHash } from "node:crypto";
import { posix } from "node:path";
import GithubSlugger from "github-slugger";
import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml } from "../../../reader/text/escape-html.ts";
import { colouredCode } from "./html.ts";
import { type Documentation, type Page, pathOf } from "./pages.ts";

export interface Heading {
  depth: number;
  id: string;
  text: string;
}

export interface RenderedPage {
  html: string;
  headings: Heading[];
  /** What each heading is followed by, as words; the page's title comes first. */
  passages: Passage[];
}

export interface Passage {
  heading: Heading;
  text: string;
}

type Sources = Pick<Documentation, "byPath" | "drawings" | "images">;

/**
 * A page as HTML. Headings have the ids that GitHub gives them; links between pages lead to their addresses in the guide, and
 * links to other files of the repository become text. HTML in the Markdown is shown as text.
 */
export function renderPage(page: Page, sources: Sources): RenderedPage {
  const headings: Heading[] = [];
  const slugger = new GithubSlugger();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const text = plainText(tokens);
        const id = slugger.slug(text);
        headings.push({ depth, id, text });
        const anchor = `<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(text)}”">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)} ${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return linkMarkup(page, href, this.parser.parseInline(tokens), sources);
      },
      image({ href, text }) {
        const { path } = pathOf(page, href);
        if (!sources.images.has(path)) return escapeHtml(text);
        return `<img src="/assets/${posix.basename(path)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      code({ text, lang = "" }) {
        return codeMarkup(text, lang.split(" ", 1)[0] ?? "", sources);
      },
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
        const body = token.rows.map(row => `<tr>${cells(row, "td")}</tr>\n`).join("");
        const label = escapeHtml(token.header.map(({ tokens }) => plainText(tokens)).join(", "));
        const head = `<thead><tr>${cells(token.header, "th")}</tr></thead>`;
        return `<div class="table" tabindex="0" role="region" aria-label="Table: ${label}"><table>${head}<tbody>\n${body}</tbody></table></div>\n`;
      },
      html: ({ text }) => (/^<!--[\s\S]*-->\s*$/.test(text) ? "" : escapeHtml(text)),
    },
  });
  const tokens = marked.lexer(page.markdown);
  const html = marked.parser(tokens);
  return { html, headings, passages: passagesOf(tokens, headings) };
}

function linkMarkup(page: Page, href: string, content: string, { byPath }: Sources): string {
  if (/^https?:/i.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${content}</a>`;
  if (href.startsWith("#")) return `<a href="${escapeHtml(href)}">${content}</a>`;
  const { path, anchor } = pathOf(page, href);
  const target = byPath.get(path);
  if (target) return `<a href="${escapeHtml(addressOf(target, anchor))}">${content}</a>`;
  // A scheme that is not the web's, such as `javascript:`, is a path that does not exist.
  const name = escapeHtml(path);
  return content.includes(name) ? content : `${content} (<code>${name}</code>)`;
}

/** The address of a page in the guide. */
export function addressOf({ slug }: Page, anchor = ""): string {
  return (slug === "" ? "/guide" : `/guide/${slug}`) + (anchor && `#${anchor}`);
}

function codeMarkup(text: string, language: string, { drawings }: Sources): string {
  const drawing = language === "mermaid" ? drawings.get(drawingName(text)) : undefined;
  if (drawing !== undefined)
    return `<figure class="drawing" tabindex="0" role="region" aria-label="Drawing">${drawing}</figure>\n`;
  const label = language === "" ? "" : ` data-language="${escapeHtml(language)}"`;
  return `<div class="code"${label}><pre tabindex="0"><code>${colouredCode(text, language).text}\n</code></pre></div>\n`;
}

/** The name of the file that holds a drawing, by the text that it is drawn from. */
export function drawingName(source: string): string {
  return createHash("sha256").update(source.trim()).digest("hex").slice(0, 16);
}

/** The words of tokens, without marks, addresses or drawings. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join("");
}

function wordsOf(token: Token): string {
  if (token.type === "code") return token.lang === "mermaid" ? "" : `${token.text} `;
  if (token.type === "html" || token.type === "space") return " ";
  if (token.type === "br") return " ";
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    const lines = [header, ...rows].map(row => row.map(cell => plainText(cell.tokens)).filter(Boolean));
    return lines.map(cells => `${cells.join(" · ")}. `).join("");
  }
  if (token.type === "list")
    return (token as Tokens.List).items.map(item => `${plainText(item.tokens)} `).join("");
  if ("tokens" in token && token.tokens) return plainText(token.tokens) + (isBlock(token) ? " " : "");
  // Texts of inline tokens are unescaped; a code span keeps its spaces.
  return "text" in token ? String(token.text) : "";
}

function isBlock({ type }: Token): boolean {
  return type === "paragraph" || type === "heading" || type === "blockquote";
}

function passagesOf(tokens: readonly Token[], headings: readonly Heading[]): Passage[] {
  const passages: Passage[] = [];
  for (const token of tokens) {
    const heading = token.type === "heading" ? headings[passages.length] : undefined;
    if (heading) passages.push({ heading, text: "" });
    else {
      const last = passages.at(-1);
      if (last) last.text = `${last.text} ${wordsOf(token)}`;
    }
  }
  return passages.map(({ heading, text }) => ({ heading, text: text.replace(/\s+/g, " ").trim() }));
}

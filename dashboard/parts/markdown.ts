/**
 * Renders Markdown that others wrote: `<${Markdown} text=${markdown} />`. HTML in it stays text, a link leads to http, https or
 * mailto only, and a picture becomes a link, because the page loads nothing from elsewhere.
 */
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { type ComponentChild, h } from "preact";

/** Longer text is cut, because a browser would take seconds for it. */
const longest = 200_000;

export function Markdown({ text }: { text: string }): ComponentChild {
  const shown = text.length > longest ? text.slice(0, longest) : text;
  const rest = text.length - shown.length;
  return h("div", { class: "markdown" }, [
    ...blocks(lexer(shown, { gfm: true })),
    rest > 0 && h("p", { class: "quiet" }, `${rest.toLocaleString()} more characters are in the source.`),
  ]);
}

function blocks(tokens: Token[] = []): ComponentChild[] {
  return tokens.map(token => node(token as MarkedToken));
}

/** Renders a token. Tokens that show nothing have no element. */
function node(token: MarkedToken): ComponentChild {
  switch (token.type) {
    case "heading":
      // The page's own heading is of the first level, so those of the text begin below it.
      return h(`h${Math.min(token.depth + 2, 6)}`, {}, blocks(token.tokens));
    case "paragraph":
      return h("p", {}, blocks(token.tokens));
    case "blockquote":
      return h("blockquote", {}, blocks(token.tokens));
    case "code":
      return h("pre", { tabIndex: 0 }, h("code", {}, token.text));
    case "list":
      return list(token);
    case "list_item":
      return h("li", {}, blocks(token.tokens));
    case "table":
      return table(token);
    case "hr":
      return h("hr", {});
    case "br":
      return h("br", {});
    case "strong":
    case "em":
    case "del":
      return h(token.type, {}, blocks(token.tokens));
    case "codespan":
      return h("code", {}, token.text);
    case "link":
      return link(token.href, blocks(token.tokens));
    case "image":
      return link(token.href, `🖼 ${characters(token.text) || "picture"}`);
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "text":
      return token.tokens ? blocks(token.tokens) : characters(token.text);
    case "escape":
      return token.text;
    case "html":
      return token.raw;
    case "space":
    case "def":
      return null;
  }
}

function list({ ordered, start, items }: Tokens.List): ComponentChild {
  const from = ordered && typeof start === "number" && start !== 1 ? start : undefined;
  return h(
    ordered ? "ol" : "ul",
    { start: from },
    items.map(item => h("li", {}, blocks(item.tokens))),
  );
}

function table({ header, rows }: Tokens.Table): ComponentChild {
  const row = (name: "th" | "td", cells: Tokens.TableCell[]) =>
    h(
      "tr",
      {},
      cells.map(({ tokens, align }) => h(name, { class: align ? `to-${align}` : undefined }, blocks(tokens))),
    );
  return h(
    "div",
    { class: "scrolls", tabIndex: 0, role: "region", "aria-label": "Table" },
    h("table", {}, [
      h("thead", {}, row("th", header)),
      h(
        "tbody",
        {},
        rows.map(cells => row("td", cells)),
      ),
    ]),
  );
}

/** Renders a link to elsewhere, or only its text where the address is of another kind, such as `javascript:`. */
function link(href: string, children: ComponentChild): ComponentChild {
  const url = outside(href);
  if (url === undefined) return h("span", { title: href }, children);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, children);
}

/** The address if it is absolute and of http, https or mailto; undefined otherwise. */
export function outside(href: string): string | undefined {
  const url = URL.parse(characters(href));
  return url && /^(https?|mailto):$/.test(url.protocol) ? url.href : undefined;
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Decodes character references of Markdown text: numbers, and the few names that Markdown needs. */
function characters(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return named[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}

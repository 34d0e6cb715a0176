/** A feed's text from its root on, and what stands before. */
export interface IsolatedDocument {
  /** Declaration, document type and whatever else precedes the root. */
  prolog: string;
  body: string;
  /** `xml:base` of the root. */
  rootBase?: string;
}

const rootTag = /<(?:[\w-]+:)?(?:rss|feed|rdf)(?=[\s>/])[^<>]*>/i;
const htmlTag = /<(?:!doctype\s+html|html|head|body)[\s>]/i;

/**
 * Cuts away what precedes the root element: declarations, comments, and the warnings that broken servers print first.
 * Undefined when there is no root, or an HTML page around it. JSON is passed as it is.
 */
export function isolateXml(text: string): IsolatedDocument | undefined {
  if (/^\s*\{/.test(text)) return { prolog: "", body: text.trim() };
  const root = rootTag.exec(withoutComments(text));
  if (root === null) return undefined;
  const start = root.index;
  const prolog = text.slice(0, start);
  if (htmlTag.test(prolog)) return undefined;
  const rootBase = /\sxml:base\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(root[0]);
  return { prolog, body: text.slice(start), rootBase: rootBase?.[1] ?? rootBase?.[2] };
}

// A root that is commented out is none. What stands around the comments keeps its place.
function withoutComments(text: string): string {
  return text.slice(0, 64 * 1024).replace(/<!--[\s\S]*?-->/g, comment => " ".repeat(comment.length));
}

const textTag = /<(title|description|summary|content:encoded)(?:\s[^<>]*)?>/gi;

/** Escapes markup that stands bare in texts, as in `<title>a < b</title>`. XHTML texts come out as escaped HTML. */
export function escapeLooseTexts(xml: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: tag, 1: name, index } of xml.matchAll(textTag)) {
    if (index < end) continue;
    const start = index + tag.length;
    const close = xml.indexOf(`</${name}`, start);
    // Nothing behind is closed either, or only under another spelling; looking on would cost the square of the length.
    if (close === -1) break;
    const inner = xml.slice(start, close);
    const isMarked = /^\s*<!\[CDATA\[/.test(inner);
    parts.push(xml.slice(end, index), tag.replace(/\stype\s*=\s*["']xhtml["']/i, ' type="html"'));
    parts.push(isMarked ? inner : inner.replaceAll("<", "&lt;"));
    end = close;
  }
  return parts.join("") + xml.slice(end);
}

/** A document that breaks off, up to its last whole item. */
export function keepWholeItems(xml: string): string {
  const [last] = [...xml.matchAll(/<\/((?:[\w-]+:)?(?:item|entry))\s*>/gi)].slice(-1);
  if (last === undefined) return xml;
  const kept = xml.slice(0, last.index + last[0].length);
  const root = /^<((?:[\w-]+:)?\w+)/.exec(xml)?.[1] ?? "";
  const channel = /<channel[\s>]/i.test(kept) && !/<\/channel\s*>/i.test(kept) ? "</channel>" : "";
  return `${kept}${channel}</${root}>`;
}

const scheme = /^[a-z][a-z0-9+.-]{1,31}:[^\s<>]*$/i;

/**
 * An inline link, or an autolink where the text is the address. `content` is markdown already, `text` what a reader
 * sees. A link without content is nothing.
 */
export function renderLink(content: string, text: string, href: string, title: string): string {
  const inner = content.trim().replace(/\s*\n+\s*/g, " ");
  if (inner === "") return content === "" ? "" : " ";
  const lead = /^\s/.test(content) ? " " : "";
  const trail = /\s$/.test(content) ? " " : "";
  return lead + (autolink(text.trim(), href) ?? `[${inner}](${destination(href)}${quoted(title)})`) + trail;
}

/** An image. Its alternative text is plain; brackets in it are escaped. */
export function renderImage(alt: string, src: string, title: string): string {
  const text = alt
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<]/g, "\\$&");
  return `![${text}](${destination(src)}${quoted(title)})`;
}

function autolink(text: string, href: string): string | undefined {
  if (scheme.test(text) && (text === href || `${text}/` === href)) return `<${text}>`;
  if (href === `mailto:${text}` && /^[\w.+-]+@[\w.-]+$/.test(text)) return `<${text}>`;
  return undefined;
}

/** Addresses with white space, control characters or parentheses out of balance stand in pointed brackets. */
function destination(url: string): string {
  const safe = url
    .replace(/[\n\r]/g, "")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\")
    .replace(/&(?=#?\w+;)/g, "\\&");
  if (safe === "") return "";
  return /[\s<>\x00-\x1f]/.test(safe) || !isBalanced(safe) ? `<${safe.replace(/[<>]/g, "\\$&")}>` : safe;
}

function isBalanced(url: string): boolean {
  let open = 0;
  for (const character of url) {
    if (character === "(") open++;
    if (character === ")" && --open < 0) return false;
  }
  return open === 0;
}

function quoted(title: string): string {
  const text = title
    .replace(/\s*\n\s*/g, "\n")
    .replace(/\n+/g, " ")
    .trim();
  return text === "" ? "" : ` "${text.replace(/["\\&]/g, "\\$&")}"`;
}

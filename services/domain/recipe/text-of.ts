const block =
  /^(address|article|aside|blockquote|br|caption|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul)$/i;
const silent = /^(script|style|noscript|template|svg)$/i;
const maxLength = 20_000;
const maxNodes = 20_000;

/** The text that a reader sees in a node: one line a block or `br`, white space collapsed, at most 20,000 characters. */
export function linesOf(node: Node): string[] {
  let text = "";
  let next: Node | null = node;
  for (let left = maxNodes; next && left > 0 && text.length < maxLength; left -= 1) {
    if (next.nodeType === 3) text += next.nodeValue?.replace(/\s+/g, " ") ?? "";
    else if (block.test(next.nodeName)) text += "\n";
    next = after(next, node, () => {
      text += "\n";
    });
  }
  return text
    .slice(0, maxLength)
    .split("\n")
    .flatMap(line => line.replace(/\s+/g, " ").trim() || []);
}

/** The same text on one line. */
export function textOf(node: Node): string {
  return linesOf(node).join(" ");
}

/** Document order without recursion: hostile pages nest deeper than the stack. */
function after(node: Node, root: Node, leaveBlock: () => void): Node | null {
  if (node.firstChild && !silent.test(node.nodeName)) return node.firstChild;
  let at: Node | null = node;
  while (at && at !== root) {
    if (at.nodeType === 1 && block.test(at.nodeName)) leaveBlock();
    if (at.nextSibling) return at.nextSibling;
    at = at.parentNode;
  }
  return null;
}

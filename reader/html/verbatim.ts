const monospace = /font-family\s*:[^;]{0,200}(?:mono|consolas|menlo|courier)/i;
const keepsSpace = /white-space\s*:\s*(?:pre|break-spaces)/i;
const maxStyle = 1000;
/** Names that editors give to a line of code; they show it with its white space by a style sheet. */
const lineOfCode = /(?:^|\s)(?:cm-line|CodeMirror-line|ace_line|view-line|hljs-line)(?:\s|$)/;

/**
 * Whether a browser keeps the white space of an element that is no `pre` and holds code: GitHub's lines, what code editors
 * copy. Such an element is code by its class, or by a style of its own.
 */
export function isVerbatim(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.size === 0) return false;
  if (name === "td") return attributes.get("class")?.includes("blob-code") === true;
  if (name === "code") return keepsLines(attributes.get("style"));
  if (name !== "div") return false;
  if (attributes.get("class")?.includes("react-code-lines") === true) return true;
  const style = attributes.get("style");
  return keepsLines(style) && monospace.test(style ?? "");
}

/** Whether the white space in an element is read as it is: code, or one line of it. */
export function keepsSpaces(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.size === 0) return false;
  return (name === "div" && lineOfCode.test(attributes.get("class") ?? "")) || isVerbatim(name, attributes);
}

function keepsLines(style: string | undefined): boolean {
  return (
    style !== undefined && style.length <= maxStyle && style.includes("white-space") && keepsSpace.test(style)
  );
}

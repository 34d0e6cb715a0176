const maxCells = 5000;
/** Characters of one output, and of all Markdown. */
const [maxOutput, maxLength] = [20_000, 8 * 1024 * 1024];

interface Cell {
  cell_type?: unknown;
  source?: unknown;
  input?: unknown;
  outputs?: unknown;
  attachments?: unknown;
}

/** A notebook as Markdown; `isCut`: it has only its beginning. */
export interface NotebookText {
  markdown: string;
  isCut: boolean;
}

/**
 * Reads a notebook of Jupyter (nbformat 3 and 4): texts as they are, code with its language, and of its outputs those that
 * are text. Undefined for JSON that is no notebook.
 */
export function readNotebook(json: string): NotebookText | undefined {
  const notebook = parsed(json);
  const cells = notebook && cellsOf(notebook);
  if (notebook === undefined || cells === undefined) return undefined;
  const language = languageOf(notebook);
  const pieces: string[] = [];
  let left = maxLength;
  let isCut = cells.length > maxCells;
  for (const cell of cells.slice(0, maxCells)) {
    const markdown = cellMarkdown(cell, language);
    left -= markdown.length;
    isCut ||= left < 0;
    if (left < 0) break;
    if (markdown !== "") pieces.push(markdown);
  }
  return { markdown: pieces.join("\n\n"), isCut };
}

type Json = Record<string, unknown>;

function parsed(json: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) && "nbformat" in value ? value : undefined;
  } catch {
    // Read as the text that it is.
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Before version 4 the cells were in worksheets. */
function cellsOf({ cells, worksheets }: Json): Cell[] | undefined {
  if (Array.isArray(cells)) return cells.filter(isObject);
  if (!Array.isArray(worksheets)) return undefined;
  return worksheets
    .filter(isObject)
    .flatMap(sheet => (Array.isArray(sheet.cells) ? sheet.cells.filter(isObject) : []));
}

function languageOf({ metadata }: Json): string {
  const { language_info: info, kernelspec: kernel } = isObject(metadata) ? metadata : {};
  const name = (isObject(info) && info.name) || (isObject(kernel) && kernel.language);
  return typeof name === "string" && /^[\w+#.-]{1,30}$/.test(name) ? name.toLowerCase() : "python";
}

function cellMarkdown({ cell_type: type, source, input, outputs }: Cell, language: string): string {
  const text = joined(source ?? input).trimEnd();
  if (type === "markdown" || type === "heading") return withoutAttachments(text.trim());
  if (type === "raw") return text === "" ? "" : fence("", text);
  if (type !== "code") return "";
  const code = text.trim() === "" ? [] : [fence(magicLanguage(text) ?? language, text)];
  const shown = Array.isArray(outputs) ? outputs.filter(isObject).map(outputMarkdown) : [];
  return [...code, ...shown.filter(output => output !== "")].join("\n\n");
}

/** A text is a list of its lines, or one. */
function joined(source: unknown): string {
  if (typeof source === "string") return source;
  return Array.isArray(source) ? source.filter(line => typeof line === "string").join("") : "";
}

/** Cells in another language begin with its name. */
function magicLanguage(text: string): string | undefined {
  return /^%%(bash|sh|html|javascript|js|latex|sql|R|ruby|perl|svg)\b/.exec(text)?.[1]?.toLowerCase();
}

/** A picture in the notebook itself has no address. */
function withoutAttachments(markdown: string): string {
  return markdown.replace(/!\[([^\]\n]{0,500})\]\((?:attachment|data):[^)\s]*\)/g, "$1");
}

function outputMarkdown(output: Json): string {
  const { output_type: type, text, data, ename, evalue } = output;
  if (type === "stream") return outputText(joined(text));
  if (type === "error" || type === "pyerr")
    return outputText([ename, evalue].filter(part => typeof part === "string").join(": "));
  const of = (name: string) => joined(isObject(data) ? data[name] : undefined);
  const markdown = of("text/markdown") || of("text/latex");
  if (markdown !== "") return withoutAttachments(markdown.slice(0, maxOutput).trim());
  return outputText(of("text/plain") || joined(text));
}

/** Colours and movements of a terminal (ECMA-48, 5.4). */
const terminalCodes = /\u001b\[[0-?]*[ -/]*[@-~]/g;

function outputText(text: string): string {
  const plain = text.slice(0, maxOutput).replace(terminalCodes, "").trimEnd();
  return plain.trim() === "" ? "" : fence("", text.length > maxOutput ? `${plain}\n…` : plain);
}

/** A text as a block of code in Markdown. A fence is longer than any run of backticks inside (CommonMark 0.31, 4.5). */
export function fence(language: string, text: string): string {
  let fence = "```";
  for (const [run] of text.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``;
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

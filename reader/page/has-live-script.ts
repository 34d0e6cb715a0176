import { ForeignContent } from "../html/foreign-content.ts";
import { readTokens, type TokenSink } from "../html/html-tokens.ts";

const scriptTypes =
  /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:javascript1\.[0-5]|jscript|livescript))$/;
const runsOnLoad = new Set(
  "onload onerror onpageshow onreadystatechange onbegin onanimationstart onanimationend ontransitionend oncanplay onloadstart onloadeddata onloadedmetadata".split(
    " ",
  ),
);

/**
 * Whether a browser that runs scripts could show another document than the HTML says: an executable script (HTML,
 * "prepare the script element") that is not blocked, a handler that runs on load, a `javascript:` frame or a refresh.
 * `isBlocked` gets absolute addresses. So does `isFrameRead`, or an empty one for a frame whose content is in the page: a frame
 * that is read counts as a script. Reads tokens only; never throws.
 */
export function canScriptsRun(
  html: string,
  url: string,
  isBlocked: (src: string) => boolean,
  isFrameRead: (src: string) => boolean = () => false,
): boolean {
  const search = new ScriptSearch(url, isBlocked, isFrameRead);
  readTokens(html, search, { scripting: true });
  return search.isDone();
}

class ScriptSearch implements TokenSink {
  private isFound = false;
  private isInlineScript = false;
  /** Templates that are open: their content is no part of the document. */
  private templates = 0;
  private readonly foreign = new ForeignContent();
  private readonly url: string;
  private readonly isBlocked: (src: string) => boolean;
  private readonly isFrameRead: (src: string) => boolean;

  constructor(url: string, isBlocked: (src: string) => boolean, isFrameRead: (src: string) => boolean) {
    this.url = url;
    this.isBlocked = isBlocked;
    this.isFrameRead = isFrameRead;
  }

  isDone(): boolean {
    return this.isFound;
  }

  isForeign(): boolean {
    return this.foreign.isForeign;
  }

  text(text: string): void {
    if (this.isInlineScript && text.trim() !== "") this.isFound = true;
  }

  startTag(name: string, attributes: Map<string, string>, isSelfClosing: boolean): boolean {
    this.foreign.breakOut(name, attributes);
    const isForeign = this.foreign.open(name, attributes, isSelfClosing);
    if (name === "template") this.templates++;
    else if (this.templates === 0) this.inspect(name, attributes, isForeign && isSelfClosing);
    return !isForeign;
  }

  endTag(name: string): void {
    this.foreign.close(name, () => false);
    if (name === "script") this.isInlineScript = false;
    if (name === "template" && this.templates > 0) this.templates--;
  }

  private inspect(name: string, attributes: Map<string, string>, isEmpty: boolean): void {
    const isBlocked = name === "script" && this.isBlockedSource(attributes.get("src"));
    this.isFound =
      (name === "script" && this.runs(attributes, isEmpty) && !isBlocked) ||
      (name === "meta" && attributes.get("http-equiv")?.trim().toLowerCase() === "refresh") ||
      (name === "iframe" && /^\s*javascript:/i.test(attributes.get("src") ?? "")) ||
      ((name === "iframe" || name === "frame") && this.readsFrame(attributes)) ||
      (!isBlocked && handlesLoad(attributes));
  }

  /** Whether the script runs from its source. A script without a source runs when its text arrives. */
  private runs(attributes: Map<string, string>, isEmpty: boolean): boolean {
    const language = attributes.get("language");
    const type = (attributes.get("type") ?? (language ? `text/${language}` : "")).trim().toLowerCase();
    const isExecutable = (type === "" || scriptTypes.test(type)) && !attributes.has("nomodule");
    const source = attributes.get("src");
    this.isInlineScript = isExecutable && source === undefined && !isEmpty;
    return isExecutable && source !== undefined && source.trim() !== "";
  }

  private readsFrame(attributes: Map<string, string>): boolean {
    if ((attributes.get("srcdoc") ?? "").trim() !== "") return this.isFrameRead("");
    const source = attributes.get("src")?.trim() ?? "";
    const address = source === "" ? undefined : URL.parse(source, this.url)?.href;
    return address !== undefined && /^https?:/.test(address) && this.isFrameRead(address);
  }

  /** A blocked script does not run, nor does its load handler. */
  private isBlockedSource(source: string | undefined): boolean {
    if (source === undefined) return false;
    const address = URL.parse(source.trim(), this.url)?.href;
    return address === undefined || this.isBlocked(address);
  }
}

function handlesLoad(attributes: Map<string, string>): boolean {
  if (attributes.has("onfocus") && attributes.has("autofocus")) return true;
  if (attributes.has("ontoggle") && attributes.has("open")) return true;
  for (const [name, value] of attributes) if (runsOnLoad.has(name) && value.trim() !== "") return true;
  return false;
}

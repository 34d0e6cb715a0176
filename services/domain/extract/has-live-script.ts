import { Tokenizer } from "htmlparser2";

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
 * `isBlocked` gets absolute addresses. Reads tokens only; never throws.
 */
export function canScriptsRun(html: string, url: string, isBlocked: (src: string) => boolean): boolean {
  const search = new ScriptSearch(html, url, isBlocked);
  const tokenizer = new Tokenizer({ decodeEntities: true }, search);
  search.stop = () => tokenizer.pause();
  tokenizer.write(html);
  search.onend();
  return search.isFound;
}

class ScriptSearch {
  isFound = false;
  stop: () => void = () => undefined;
  private readonly html: string;
  private readonly url: string;
  private readonly isBlocked: (src: string) => boolean;
  private name = "";
  private attribute = "";
  private value = "";
  private attributes = new Map<string, string>();
  private inertDepth = 0;
  private isInlineScript = false;

  constructor(html: string, url: string, isBlocked: (src: string) => boolean) {
    this.html = html;
    this.url = url;
    this.isBlocked = isBlocked;
  }

  onopentagname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase();
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = "";
  }

  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, this.value);
  }

  onopentagend(): void {
    if (isInert(this.name)) this.inertDepth++;
    else if (this.inertDepth === 0) this.inspect();
  }

  onselfclosingtag(): void {
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (name === "script") this.isInlineScript = false;
    if (isInert(name) && this.inertDepth > 0) this.inertDepth--;
  }

  ontext(start: number, end: number): void {
    if (this.isInlineScript && this.html.slice(start, end).trim() !== "") this.found();
  }

  ontextentity(): void {
    // Scripts have no entities.
  }

  oncomment(): void {
    // Markup in comments does nothing.
  }

  oncdata(): void {
    // Nor in CDATA sections.
  }

  ondeclaration(): void {
    // The doctype runs nothing.
  }

  onprocessinginstruction(): void {
    // Nor does a processing instruction.
  }

  onend(): void {
    this.isInlineScript = false;
  }

  private found(): void {
    this.isFound = true;
    this.stop();
  }

  private inspect(): void {
    const { name, attributes } = this;
    if (name === "script") this.inspectScript();
    else if (name === "meta" && attributes.get("http-equiv")?.trim().toLowerCase() === "refresh")
      this.found();
    else if (name === "iframe" && /^\s*javascript:/i.test(attributes.get("src") ?? "")) this.found();
    for (const [attribute, value] of attributes) {
      if (runsOnLoad.has(attribute) && value.trim() !== "" && !this.isBlockedResource()) this.found();
    }
    if (attributes.has("onfocus") && attributes.has("autofocus")) this.found();
    if (attributes.has("ontoggle") && attributes.has("open")) this.found();
  }

  private inspectScript(): void {
    const { attributes } = this;
    const language = attributes.get("language");
    const type = (attributes.get("type") ?? (language ? `text/${language}` : "")).trim().toLowerCase();
    const isExecutable = (type === "" || scriptTypes.test(type)) && !attributes.has("nomodule");
    if (!isExecutable) return;
    const src = attributes.get("src");
    if (src === undefined) this.isInlineScript = true;
    else if (src.trim() !== "" && !this.isBlockedResource()) this.found();
  }

  /** A blocked script brings neither itself nor its load handler to run. */
  private isBlockedResource(): boolean {
    const src = this.name === "script" ? this.attributes.get("src") : undefined;
    if (src === undefined) return false;
    const address = URL.parse(src.trim(), this.url)?.href;
    return address === undefined || this.isBlocked(address);
  }
}

/** With scripts on, `noscript` is not read; a template's content is not part of the document. */
function isInert(name: string): boolean {
  return name === "noscript" || name === "template";
}

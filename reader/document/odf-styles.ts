import type { RunStyle } from "./list-html.ts";
import { childOf, elementsIn, findAll, type XmlElement } from "./read-xml.ts";

interface Style extends RunStyle {
  parent: string | undefined;
  /** The name that is shown, where it differs. */
  name: string;
  isHidden: boolean;
}

/** How deep styles may be derived from one another, which a document may do in a circle. */
const maxParents = 10;

/** The styles of an OpenDocument file that say what a text is, not only how it looks. */
export class OdfStyles {
  readonly #styles = new Map<string, Style>();
  /** Whether the levels of a list are numbered. */
  readonly #lists = new Map<string, boolean[]>();

  /** Adds the styles of a part; the first of a name and family counts. */
  add(part: XmlElement): void {
    for (const element of findAll(part, "style:style")) {
      const { "style:name": name = "", "style:family": family = "" } = element.attributes;
      const key = `${family} ${name}`;
      if (!this.#styles.has(key)) this.#styles.set(key, styleOf(element));
    }
    for (const element of findAll(part, "text:list-style")) {
      const name = element.attributes["style:name"] ?? "";
      if (!this.#lists.has(name)) this.#lists.set(name, levelsOf(element));
    }
  }

  /** How a text is set, by its own style and those that it is derived from. */
  run(name: string | undefined): RunStyle {
    const style: RunStyle = {};
    for (const { bold, italic, struck, script, code } of this.#chain("text", name)) {
      style.bold ??= bold;
      style.italic ??= italic;
      style.struck ??= struck;
      style.script ??= script;
      style.code ??= code;
    }
    return style;
  }

  /** The names of a paragraph's style and of those that it is derived from. */
  names(family: string, name: string | undefined): string[] {
    return this.#chain(family, name).map(style => style.name);
  }

  isHidden(family: string, name: string | undefined): boolean {
    return this.#chain(family, name).some(({ isHidden }) => isHidden);
  }

  isNumbered(list: string | undefined, level: number): boolean {
    return this.#lists.get(list ?? "")?.[level] ?? false;
  }

  #chain(family: string, name: string | undefined): Style[] {
    const chain: Style[] = [];
    for (let next = name; next !== undefined && chain.length < maxParents; ) {
      const style: Style | undefined = this.#styles.get(`${family} ${next}`);
      if (style === undefined) {
        chain.push({ parent: undefined, name: plain(next), isHidden: false });
        break;
      }
      chain.push(style);
      next = style.parent;
    }
    return chain;
  }
}

/** Names in files have `_20_` for a blank, or `_`. */
function plain(name: string): string {
  return name
    .replace(/_([0-9a-f]{2})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll("_", " ");
}

const codeNames = /^(?:Source Text|Teletype|Example|Preformatted Text)$/;

function styleOf(element: XmlElement): Style {
  const { "style:name": own = "", "style:display-name": shown } = element.attributes;
  const text = childOf(element, "style:text-properties")?.attributes ?? {};
  const name = shown ?? plain(own);
  const weight = text["fo:font-weight"];
  const slant = text["fo:font-style"];
  const line = text["style:text-line-through-style"];
  const position = text["style:text-position"];
  return {
    parent: element.attributes["style:parent-style-name"],
    name,
    bold: weight === undefined ? undefined : /bold|[6-9]00/.test(weight),
    italic: slant === undefined ? undefined : slant !== "normal",
    struck: line === undefined ? undefined : line !== "none",
    script: /^(?:super|[1-9])/.test(position ?? "")
      ? "sup"
      : /^(?:sub|-)/.test(position ?? "")
        ? "sub"
        : undefined,
    code: codeNames.test(name) ? true : undefined,
    isHidden: isHidden(element),
  };
}

function isHidden(element: XmlElement): boolean {
  return elementsIn(element).some(
    ({ attributes }) =>
      attributes["table:display"] === "false" || attributes["presentation:visibility"] === "hidden",
  );
}

function levelsOf(list: XmlElement): boolean[] {
  const levels: boolean[] = [];
  for (const { name, attributes } of elementsIn(list)) {
    const level = Number(attributes["text:level"]);
    if (Number.isInteger(level) && level >= 1 && level <= 20)
      levels[level - 1] = name === "text:list-level-style-number" && attributes["style:num-format"] !== "";
  }
  return levels;
}

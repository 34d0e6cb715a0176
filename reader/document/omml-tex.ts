import { elementsIn, isElement, textIn, type XmlElement } from "./read-xml.ts";
import { accents, commands, functions, joinTex, largeOperators, texOfText } from "./tex-symbols.ts";

/** A formula of an office document (ISO/IEC 29500-1, 22.1) as TeX. */
export function texOf(math: XmlElement): string {
  return inside(math).replace(/ {2,}/g, " ").trim();
}

type Writer = (element: XmlElement) => string;

/** Elements by their names without the prefix; what is not named is its contents. */
const writers: Record<string, Writer> = {
  r: run,
  f: fraction,
  sSup: it => `${base(it)}^{${part(it, "sup")}}`,
  sSub: it => `${base(it)}_{${part(it, "sub")}}`,
  sSubSup: it => `${base(it)}_{${part(it, "sub")}}^{${part(it, "sup")}}`,
  sPre: it => `{}_{${part(it, "sub")}}^{${part(it, "sup")}}${part(it, "e")}`,
  rad: radical,
  nary: largeOperator,
  d: delimited,
  m: it => matrix("matrix", it),
  eqArr: it => rows("aligned", it),
  func: it => `${functionName(it)} ${part(it, "e")}`,
  acc: it => `${accents[value(it, "chr") ?? "\u0302"] ?? "\\hat"}{${part(it, "e")}}`,
  bar: it => `${value(it, "pos") === "top" ? "\\overline" : "\\underline"}{${part(it, "e")}}`,
  groupChr: braced,
  limLow: it => limited(it, "_", "\\underset"),
  limUpp: it => limited(it, "^", "\\overset"),
  borderBox: it => `\\boxed{${part(it, "e")}}`,
  phant: it => (isOff(value(it, "show")) ? "" : part(it, "e")),
};

/** What says how something looks. */
const isProperties = /^(?:w:|m:)?(?:\w*Pr|argSz|ctrlPr)$/;

function inside(element: XmlElement): string {
  return joinTex(
    element.children.flatMap(child => {
      if (!isElement(child) || isProperties.test(child.name)) return [];
      return [(writers[localName(child)] ?? inside)(child)];
    }),
  );
}

function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(":") + 1);
}

function child(element: XmlElement, name: string): XmlElement | undefined {
  return elementsIn(element).find(it => localName(it) === name);
}

function part(element: XmlElement, name: string): string {
  const found = child(element, name);
  return found === undefined ? "" : inside(found);
}

/** A property: the empty string where it is there without a value. */
function value(element: XmlElement, name: string): string | undefined {
  const properties = elementsIn(element).find(it => localName(it).endsWith("Pr"));
  const property = properties && child(properties, name);
  return property && (property.attributes["m:val"] ?? property.attributes.val ?? "");
}

function isOff(given: string | undefined): boolean {
  return given === "0" || given === "off" || given === "false";
}

function isOn(given: string | undefined): boolean {
  return given !== undefined && !isOff(given);
}

function run(element: XmlElement): string {
  const text = elementsIn(element)
    .filter(it => localName(it) === "t")
    .map(textIn)
    .join("");
  if (isOn(value(element, "nor"))) return text.trim() === "" ? text : `\\text{${escapeText(text)}}`;
  const tex = texOfText(text);
  const letters = text.trim();
  if (value(element, "sty") === "p" && /^[A-Za-z]{2,}$/.test(letters)) {
    return functions.has(letters) ? `\\${letters}` : `\\mathrm{${tex}}`;
  }
  if (value(element, "sty") === "b" && /^[A-Za-z]+$/.test(letters)) return `\\mathbf{${tex}}`;
  return styled(value(element, "scr"), tex);
}

const scripts: Record<string, string> = {
  "double-struck": "\\mathbb",
  script: "\\mathcal",
  fraktur: "\\mathfrak",
  "sans-serif": "\\mathsf",
  monospace: "\\mathtt",
};

function styled(script: string | undefined, tex: string): string {
  const command = scripts[script ?? ""];
  return command === undefined ? tex : `${command}{${tex}}`;
}

function escapeText(text: string): string {
  return text.replace(/[\\{}$%#&_^~]/g, character => (/[\\^~]/.test(character) ? " " : `\\${character}`));
}

/** Scripts bind to one thing: what is longer is grouped. */
function base(element: XmlElement): string {
  const tex = part(element, "e");
  return /^(?:.|\\[A-Za-z]+|\\(?:text|math[a-z]+)\{[^{}]*\}|\\left[\s\S]*\\right\S+)$/u.test(tex)
    ? tex
    : `{${tex}}`;
}

function fraction(element: XmlElement): string {
  const [num, den] = [part(element, "num"), part(element, "den")];
  const type = value(element, "type");
  if (type === "noBar") return `\\genfrac{}{}{0pt}{}{${num}}{${den}}`;
  if (type === "lin") return `${group(num)}/${group(den)}`;
  return `\\frac{${num}}{${den}}`;
}

function group(tex: string): string {
  return tex.length > 1 ? `{${tex}}` : tex;
}

function radical(element: XmlElement): string {
  const degree = isOn(value(element, "degHide")) ? "" : part(element, "deg");
  return degree === "" ? `\\sqrt{${part(element, "e")}}` : `\\sqrt[${degree}]{${part(element, "e")}}`;
}

function largeOperator(element: XmlElement): string {
  const sign = value(element, "chr") ?? "\u222b";
  const sub = isOn(value(element, "subHide")) ? "" : part(element, "sub");
  const sup = isOn(value(element, "supHide")) ? "" : part(element, "sup");
  const limits = `${sub && `_{${sub}}`}${sup && `^{${sup}}`}`;
  return `${largeOperators[sign] ?? texOfText(sign)}${limits} ${part(element, "e")}`;
}

const fences: Record<string, string> = {
  "": ".",
  "{": "\\{",
  "}": "\\}",
  "\u27e8": "\\langle",
  "\u27e9": "\\rangle",
  "\u2329": "\\langle",
  "\u232a": "\\rangle",
  "\u2016": "\\|",
  "\u230a": "\\lfloor",
  "\u230b": "\\rfloor",
  "\u2308": "\\lceil",
  "\u2309": "\\rceil",
};
const matrices: Record<string, string> = {
  "()": "pmatrix",
  "[]": "bmatrix",
  "{}": "Bmatrix",
  "||": "vmatrix",
};

function delimited(element: XmlElement): string {
  const open = value(element, "begChr") ?? "(";
  const close = value(element, "endChr") ?? ")";
  const parts = elementsIn(element).filter(it => localName(it) === "e");
  const only =
    parts.length === 1 && parts[0] ? elementsIn(parts[0]).filter(it => !isProperties.test(it.name)) : [];
  const [inner] = only;
  if (only.length === 1 && inner) {
    const name = matrices[open + close];
    if (localName(inner) === "m" && name !== undefined) return matrix(name, inner);
    if (open === "{" && close === "" && /^(?:eqArr|m)$/.test(localName(inner)))
      return localName(inner) === "m" ? matrix("cases", inner) : rows("cases", inner);
    // A choice of k from n is a fraction without its bar, in parentheses.
    if (localName(inner) === "f" && value(inner, "type") === "noBar" && open + close === "()")
      return `\\binom{${part(inner, "num")}}{${part(inner, "den")}}`;
  }
  const separator = value(element, "sepChr") ?? "|";
  const body = parts.map(inside).join(separator === "|" ? "\\middle|" : texOfText(separator));
  return `\\left${fences[open] ?? open}${spaced(open)}${body}\\right${fences[close] ?? close}`;
}

/** A fence that is a command takes no letter behind it. */
function spaced(fence: string): string {
  return /[a-z]$/.test(fences[fence] ?? "") ? " " : "";
}

function matrix(name: string, element: XmlElement): string {
  const lines = elementsIn(element)
    .filter(it => localName(it) === "mr")
    .map(row =>
      elementsIn(row)
        .filter(it => localName(it) === "e")
        .map(inside)
        .join(" & "),
    );
  return `\\begin{${name}}${lines.join(" \\\\ ")}\\end{${name}}`;
}

/** Lines of equations; where they are aligned they have ampersands of their own. */
function rows(name: string, element: XmlElement): string {
  const lines = elementsIn(element)
    .filter(it => localName(it) === "e")
    .map(line => inside(line).replaceAll("\\&", "&"));
  return `\\begin{${name}}${lines.join(" \\\\ ")}\\end{${name}}`;
}

function functionName(element: XmlElement): string {
  const name = part(element, "fName").trim();
  const plain = /^(?:\\mathrm\{([A-Za-z]+)\}|([A-Za-z]+))(.*)$/s.exec(name);
  const word = plain?.[1] ?? plain?.[2];
  if (word === undefined) return name;
  const rest = plain?.[3] ?? "";
  return (functions.has(word) ? `\\${word}` : `\\operatorname{${word}}`) + rest;
}

function braced(element: XmlElement): string {
  const sign = value(element, "chr") ?? "\u23df";
  const inner = part(element, "e");
  if (sign === "\u23de") return `\\overbrace{${inner}}`;
  if (sign === "\u23df") return `\\underbrace{${inner}}`;
  const arrow = commands[sign] ?? sign;
  return value(element, "pos") === "top" ? `\\overset{${arrow}}{${inner}}` : `\\underset{${arrow}}{${inner}}`;
}

/** Limits of functions and braces are scripts, those of anything else are set over or below it. */
function limited(element: XmlElement, script: "_" | "^", command: string): string {
  const [tex, limit] = [part(element, "e").trim(), part(element, "lim")];
  const word = /^(?:\\mathrm\{([A-Za-z]+)\}|([A-Za-z]+))$/.exec(tex);
  const name = word?.[1] ?? word?.[2];
  if (name !== undefined && functions.has(name)) return `\\${name}${script}{${limit}}`;
  if (/^\\(?:[A-Za-z]+$|(?:under|over)brace)/.test(tex)) return `${tex}${script}{${limit}}`;
  return `${command}{${limit}}{${tex}}`;
}

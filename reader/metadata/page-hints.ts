import { collapse } from "../html/plain-text.ts";
import { type ElementNode, isText, type PageNode, type TextNode } from "../html/tree.ts";
import { frames, type Kind, kindOfNames } from "./part-kind.ts";

/** Where a page may say something about itself, in document order. */
export interface PageHints {
  /** Contents of `meta` elements by name, property, itemprop or http-equiv, in lower case. */
  metas: Map<string, string[]>;
  links: ElementNode[];
  html?: ElementNode;
  title?: ElementNode;
  /** The first `h1` elements. */
  headings: ElementNode[];
  /** Elements with an `itemprop`, by its name in lower case. */
  properties: Map<string, ElementNode[]>;
  bylines: Byline[];
  dates: VisibleDate[];
}

/** A place near the page's heading that may name its author. */
export interface Byline {
  by: "link" | "class" | "text" | "user";
  place: ElementNode | string;
  /** What joins a text to a name before it. */
  joint?: string | undefined;
}

/** A place near the page's heading that may hold a date. */
export interface VisibleDate {
  by: "time" | "class" | "text";
  place: ElementNode | string;
  /** Whether the hint is the date of a change. */
  isChange: boolean;
}

const mostOfEach = 200;
const mostMetas = 1000;
const mostHeadings = 5;
/** Characters of text around the heading in which bylines and dates are looked for. */
const [before, after] = [600, 2000];
const wantedProperties = new Set("author creator datepublished datecreated datemodified".split(" "));

const authorHref = /\/(?:authors?|autor|contributors?|writers?)\/[^/?#]+\/?(?:[?#]|$)/i;
const changed = /updat|modif|edited|revised|reviewed|aktualisiert|mis à jour|actualizado|обновлено|更新/i;
const byAlone =
  /^(?:(?:written|posted|published|words|text|story|article|created|contributed)\s+)?(?:by|von|par|por|di|door|authors?|autor|auteur)\s*:?$/i;
const byName =
  /^(?:(?:(?:written|posted|published|words|text|story|article|created|contributed)\s+)?(?:by|von|par|por|di|door|authors?:|autor:|auteur:)[\s:]+(?=["“'(]?[\p{Lu}\p{Lo}@])|(?:作者|记者|記者|撰文|文|著者|執筆者?|글쓴이|글|기자)\s*[:：/／|｜]\s*(?=\p{Lo}))/iu;
/** What sets facts of a line apart. */
const facts = /\s+[|·•]\s+/;
/** Labels of a day that is no day of publication. */
const ofTerm =
  /^(?:(?:application |closing |due )?deadline|when|closing date|due|apply (?:by|before|until)|expires?|valid (?:until|from)|starts?|ends?|event date|bewerbungsschluss|bewerbungsfrist|frist|wann|date limite|quand|fecha límite|plazo|cuándo|scadenza|quando)(?!\p{L})/iu;
const joint = /^(?:,|&|and|, and|und|et|y|e|en|och|og)$/i;
const digit = /\d/;
const dateText =
  /^[^\d]{0,40}(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}\s?[年년.]\s?\d{1,2}\s?[月월.]\s?\d{1,2}\s?[日일.]?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:de\s+|of\s+)?\p{L}{3,12}\.?,?\s+(?:de\s+)?\d{4}|(?<=(?:^|[^\p{L}]))\p{L}{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})(?:[^\p{L}\d]{0,3}(?:at|um|à|-|,|오전|오후|午前|午後|上午|下午)?\s*\d{1,2}[:.h時时시]\s?\d{2}[^\d]{0,20})?[^\p{L}\d]{0,10}$/u;

/** Collects them in one walk. */
export function collectHints(root: ElementNode): PageHints {
  return new Collector().collect(root);
}

class Collector {
  private readonly hints: PageHints = {
    metas: new Map(),
    links: [],
    headings: [],
    properties: new Map(),
    bylines: [],
    dates: [],
  };
  private readonly kinds = new Map<string, Kind>();
  /** Characters of text so far, and where the heading was. */
  private length = 0;
  private headingAt = -1;
  private readonly places = new Map<object, number>();
  private lastText = "";
  /** Whether the last text was a name after "by", or joins another one to it. */
  private isInByline = false;

  collect(root: ElementNode): PageHints {
    this.visit(root, false);
    const { hints } = this;
    hints.bylines = hints.bylines.filter(byline => this.isNearHeading(byline));
    hints.dates = hints.dates.filter(date => this.isNearHeading(date));
    return hints;
  }

  private visit(element: ElementNode, isOfOthers: boolean): void {
    for (const child of element.childNodes) {
      if (!this.isInReach()) this.visitFar(child);
      else if (isText(child)) {
        if (!isOfOthers) this.readText(child, element.name === "li");
      } else {
        const kind = this.kindOf(child);
        const others = isOfOthers || kind === "others" || isFrame(child);
        this.readHead(child);
        if (!others) this.readElement(child, kind);
        this.visit(child, others);
      }
    }
  }

  /** Far from the heading, only what says itself what it is counts. */
  private visitFar(node: PageNode): void {
    if (isText(node)) return;
    this.readHead(node);
    const property = node.attributes.size === 0 ? undefined : node.attributes.get("itemprop");
    if (property !== undefined && !this.isOfOthers(node)) this.noteProperties(property, node);
    for (const child of node.childNodes) this.visitFar(child);
  }

  private isOfOthers(element: ElementNode): boolean {
    for (let at: ElementNode | null = element; at !== null; at = at.parentNode)
      if (isFrame(at) || this.kindOf(at) === "others") return true;
    return false;
  }

  private readText({ text }: TextNode, isItem: boolean): void {
    const plain = text.trim();
    if (plain === "") return;
    const isAfterBy = this.lastText !== "" && byAlone.test(this.lastText);
    const isJoined = this.lastText.length > 0 && this.lastText.length < 5 && joint.test(this.lastText);
    if (plain.length < 100 && this.isInReach()) {
      if (isAfterBy) this.addByline("text", plain);
      else if (isJoined && this.isInByline) this.addByline("text", plain, this.lastText);
      else if (byName.test(plain) && !isItem && isByline(plain))
        this.addByline("text", plain.replace(byName, ""));
      for (const part of plain.split(facts)) this.readDate(part);
    }
    const isBegun = isAfterBy || isJoined;
    this.isInByline =
      plain.length < 60 && ((isBegun && !byAlone.test(plain)) || (this.isInByline && joint.test(plain)));
    this.length += plain.length;
    // A label comes before what it names, and holds no date itself.
    this.lastText = plain.length < 40 && !/\d{4}/.test(plain) ? plain : "";
  }

  private readDate(text: string): void {
    if (!digit.test(text) || !dateText.test(text) || ofTerm.test(text) || ofTerm.test(this.lastText)) return;
    this.addDate("text", text, changed.test(text) || changed.test(this.lastText));
  }

  private readHead(element: ElementNode): void {
    const { hints } = this;
    const { name } = element;
    if (name === "meta") noteMeta(element, hints.metas);
    else if (name === "link") add(hints.links, element);
    else if (name === "html") hints.html ??= element;
    else if (name === "title") hints.title ??= element;
    else if (name === "h1") {
      if (hints.headings.length === 0) this.headingAt = this.length;
      if (hints.headings.length < mostHeadings) hints.headings.push(element);
    }
  }

  private readElement(element: ElementNode, kind: Kind): void {
    const { name, attributes } = element;
    if (attributes.size === 0 && name !== "time") return;
    const property = attributes.get("itemprop");
    if (property !== undefined) this.noteProperties(property, element);
    if (name === "time") this.addDate("time", element, isOfChange(element));
    else if (name === "a" && isAuthorLink(attributes)) this.addByline("link", element);
    else if (kind === "author" || kind === "user")
      this.addByline(kind === "user" ? "user" : "class", element);
    else if (kind === "date") this.addDate("class", element, isOfChange(element));
  }

  private noteProperties(names: string, element: ElementNode): void {
    const { properties } = this.hints;
    for (const name of names.toLowerCase().split(/\s+/)) {
      if (!wantedProperties.has(name)) continue;
      const known = properties.get(name);
      if (known === undefined) properties.set(name, [element]);
      else add(known, element);
    }
  }

  private addByline(by: Byline["by"], place: Byline["place"], joint?: string): void {
    if (this.isInReach()) this.place(this.hints.bylines, { by, place, joint });
  }

  private addDate(by: VisibleDate["by"], place: VisibleDate["place"], isChange: boolean): void {
    if (this.isInReach()) this.place(this.hints.dates, { by, place, isChange });
  }

  private place<T extends object>(list: T[], value: T): void {
    add(list, value);
    this.places.set(value, this.length);
  }

  private isInReach(): boolean {
    return this.length - Math.max(0, this.headingAt) < after || this.headingAt < 0;
  }

  private isNearHeading(found: object): boolean {
    const at = this.places.get(found) ?? 0;
    const heading = Math.max(0, this.headingAt);
    return at > heading - before && at < heading + after;
  }

  private kindOf({ name, attributes }: ElementNode): Kind {
    if (attributes.size === 0) return "none";
    const classes = attributes.get("class");
    const id = attributes.get("id");
    let kind: Kind = classes === undefined ? "none" : this.kindOfClass(classes);
    if (kind === "none" && id !== undefined) kind = kindOfNames(id);
    // A class of the page's frame says what it has ("has-sidebar"), not what it is.
    return kind === "others" && frames.has(name) ? "none" : kind;
  }

  /** Pages repeat their classes. */
  private kindOfClass(classes: string): Kind {
    let kind = this.kinds.get(classes);
    if (kind === undefined) {
      kind = kindOfNames(classes);
      if (this.kinds.size < 5000) this.kinds.set(classes, kind);
    }
    return kind;
  }
}

/** `By Phone` and `By Design` begin a sentence: a name has two words, or something beside it. */
function isByline(text: string): boolean {
  return !/^by\s\S+$/i.test(text) || /^by\s["“'(]?[\p{Lo}@]/iu.test(text);
}

/** Parts of a page that describe other pages. The footer of an article describes the article. */
function isFrame({ name, parentNode }: ElementNode): boolean {
  return name === "nav" || name === "aside" || (name === "footer" && parentNode?.name === "body");
}

function isAuthorLink(attributes: Map<string, string>): boolean {
  const rel = attributes.get("rel");
  if (rel !== undefined && /(?:^|\s)author(?:\s|$)/i.test(rel)) return true;
  const href = attributes.get("href");
  return href !== undefined && href.length < 2048 && authorHref.test(href);
}

function isOfChange({ attributes, parentNode }: ElementNode): boolean {
  return (
    changed.test(attributes.get("class") ?? "") || changed.test(parentNode?.attributes.get("class") ?? "")
  );
}

function noteMeta({ attributes }: ElementNode, metas: PageHints["metas"]): void {
  const content = attributes.get("content");
  if (!content) return;
  for (const kind of ["name", "property", "itemprop", "http-equiv"]) {
    const name = attributes.get(kind)?.trim().toLowerCase();
    if (!name) continue;
    const known = metas.get(name);
    if (known !== undefined) add(known, content);
    else if (metas.size < mostMetas) metas.set(name, [content]);
  }
}

function add<T>(list: T[], value: T): void {
  if (list.length < mostOfEach) list.push(value);
}

/** The text below, white space collapsed; the empty string for a text that is longer. */
export function shortText(element: ElementNode, maxLength: number): string {
  let text = "";
  const read = (node: PageNode): void => {
    if (text.length > maxLength) return;
    if (isText(node)) text += node.text;
    else {
      text += " ";
      node.childNodes.forEach(read);
      text += " ";
    }
  };
  element.childNodes.forEach(read);
  const plain = collapse(text).replace(/ {2,}/g, " ").trim();
  return plain.length > maxLength ? "" : plain;
}

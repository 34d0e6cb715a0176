import { createHash } from "node:crypto";
import { decodeHTML } from "entities";
import { parseHtml } from "../../services/domain/extract/parse-html.ts";
import { type DocumentNode, type ElementNode, isElement } from "../../services/domain/extract/tree.ts";
import type { KnownPage } from "./page-set.ts";

/** A field that a page states in its JSON-LD and shows to its readers. */
export interface StatedField {
  name: string;
  kind: Kind;
  /** Several where each is right: spellings of a day, authors of an article. For `texts`, all that are wanted. */
  truth: string[];
}

/** How values are compared: by words, as a name, as a number, by day, by currency, or as a list of texts. */
export type Kind = "title" | "name" | "code" | "price" | "rating" | "currency" | "day" | "texts";

export interface StatedPage {
  id: string;
  url: string;
  html: string;
  type: "article" | "product" | "faq" | "recipe" | "event" | "job";
  fields: StatedField[];
  part: "developed on" | "held out";
}

type Node = Record<string, unknown>;

/** Paths in JSON-LD by the name under which the value is asked for, and how it is compared. */
const asked: Record<StatedPage["type"], Record<string, [Kind, ...string[]]>> = {
  article: {
    title: ["title", "headline", "name"],
    author: ["name", "author.name", "author"],
    date_published: ["day", "datePublished"],
  },
  product: {
    name: ["title", "name"],
    price: ["price", "offers.price", "offers.lowPrice", "offers.priceSpecification.price"],
    currency: ["currency", "offers.priceCurrency", "offers.priceSpecification.priceCurrency"],
    brand: ["name", "brand.name", "brand"],
    sku: ["code", "sku"],
    rating: ["rating", "aggregateRating.ratingValue"],
  },
  faq: { questions: ["texts", "mainEntity.name"] },
  recipe: {
    name: ["title", "name"],
    author: ["name", "author.name", "author"],
    ingredients: ["texts", "recipeIngredient"],
  },
  event: {
    name: ["title", "name"],
    start_date: ["day", "startDate"],
    location: ["name", "location.name"],
  },
  job: {
    title: ["title", "title"],
    company: ["name", "hiringOrganization.name"],
    location: ["name", "jobLocation.address.addressLocality"],
    date_posted: ["day", "datePosted"],
  },
};

const types: Record<string, StatedPage["type"]> = {
  ...{ Article: "article", NewsArticle: "article", BlogPosting: "article", TechArticle: "article" },
  ...{ Report: "article", DiscussionForumPosting: "article", Product: "product", ProductGroup: "product" },
  ...{ FAQPage: "faq", Recipe: "recipe", Event: "event", JobPosting: "job" },
};

/**
 * What a page states about its one subject and shows; undefined when it states nothing or several subjects. Half of the
 * sites, by a hash of their name, are held out: nothing was chosen by looking at them.
 */
export function statedPage({ id, url, html }: KnownPage): StatedPage | undefined {
  const nodes = parseHtml(html).linkedData.flatMap(unfold);
  const subjects = nodes.filter(node => typeOf(node) !== undefined);
  const type = subjects[0] && typeOf(subjects[0]);
  if (type === undefined || subjects.some(node => typeOf(node) !== type)) return undefined;
  const names = new Set(subjects.map(node => JSON.stringify(node.name ?? node.headline ?? null)));
  if (names.size > 1) return undefined;
  const shown = new Shown(withoutStructure(html));
  const fields = Object.entries(asked[type]).flatMap(([name, [kind, ...paths]]) => {
    const stated = paths.map(path => textsAt(subjects, path)).find(found => found.length > 0) ?? [];
    const truth = shown.filter(kind, stated);
    return truth.length > 0 ? [{ name, kind, truth }] : [];
  });
  return fields.length > 0 ? { id, url, html, type, fields, part: partOf(url) } : undefined;
}

function partOf(url: string): StatedPage["part"] {
  const site = new URL(url).hostname.replace(/^www\./, "");
  return (createHash("sha256").update(site).digest()[0] ?? 0) % 2 === 0 ? "developed on" : "held out";
}

function typeOf(node: Node): StatedPage["type"] | undefined {
  const name = [node["@type"]].flat().find(each => typeof each === "string" && each in types);
  return name === undefined ? undefined : types[name as string];
}

function unfold(text: string): Node[] {
  try {
    const whole: unknown = JSON.parse(text);
    const graphs = [whole]
      .flat()
      .map(node => (isNode(node) && Array.isArray(node["@graph"]) ? node["@graph"] : node));
    return graphs.flat().filter(isNode);
  } catch {
    return [];
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function textsAt(nodes: unknown[], path: string): string[] {
  const values = path
    .split(".")
    .reduce<unknown[]>((at, name) => at.flatMap(value => (value as Node)?.[name] ?? []).flat(), nodes);
  const texts = values.filter(value => typeof value === "string" || typeof value === "number");
  return [...new Set(texts.map(text => decodeHTML(String(text)).trim()))].filter(text => text !== "");
}

const structure =
  /^(itemprop|itemscope|itemtype|itemid|itemref|property|typeof|vocab|resource|about|prefix|content)$/;

/** The page without JSON-LD, microdata, RDFa and meta elements. `time` keeps its `datetime`, `html` its `lang`. */
export function withoutStructure(html: string): DocumentNode {
  const tree = parseHtml(html);
  tree.linkedData.length = 0;
  strip(tree);
  return tree;
}

function strip(element: ElementNode): void {
  element.childNodes = element.childNodes.filter(node => !(isElement(node) && node.name === "meta"));
  for (const name of element.attributes.keys()) if (structure.test(name)) element.attributes.delete(name);
  for (const child of element.childNodes) if (isElement(child)) strip(child);
}

const signs: Record<string, RegExp> = {
  USD: /\$/,
  CAD: /\$/,
  AUD: /\$/,
  EUR: /€/,
  GBP: /£/,
  JPY: /[¥円]/,
  INR: /₹/,
};

/** The text that a page shows, and what of a stated value is in it. */
class Shown {
  private readonly text: string;
  private readonly words: string;
  private readonly days: string;

  constructor(tree: ElementNode) {
    this.text = textOf(tree).replace(/\s+/g, " ");
    this.words = ` ${wordsOf(this.text)} `;
    this.days = datetimes(tree).join(" ");
  }

  filter(kind: Kind, stated: string[]): string[] {
    if (kind === "texts") return stated.length > 1 && stated.every(text => this.says(text)) ? stated : [];
    if (kind === "day") return this.shownDays(stated);
    if (kind === "price")
      return stated.slice(0, 1).filter(text => Number(text) > 0 && this.showsNumber(text));
    if (kind === "rating") return stated.slice(0, 1).filter(text => this.showsRating(Number(text)));
    if (kind === "currency") return stated.slice(0, 1).filter(text => this.showsCurrency(text.toUpperCase()));
    return stated.filter(text => this.says(text)).filter(text => !/^https?:/.test(text));
  }

  private says(text: string): boolean {
    return wordsOf(text) !== "" && this.words.includes(` ${wordsOf(text)} `);
  }

  private showsNumber(text: string): boolean {
    const [whole = "", cents = ""] = Number(text).toFixed(2).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "[.,'  ]?");
    return new RegExp(
      `(?<![\\d.,])${grouped}(?:[.,]${cents}${cents === "00" ? "|[.,]-" : ""})${cents === "00" ? "?" : ""}(?![\\d])`,
    ).test(this.text);
  }

  private showsRating(value: number): boolean {
    if (!(value > 0 && value <= 100)) return false;
    const spelled = [...new Set([String(value), value.toFixed(1), value.toFixed(2)])].flatMap(text => [
      text,
      text.replace(".", ","),
    ]);
    return spelled.some(text => {
      const number = text.replace(/[.,]/g, mark => (mark === "." ? "\\." : mark));
      const isPlain = !/[.,]/.test(text);
      return new RegExp(
        `(?<![\\d.,])${number}${isPlain ? "\\s*(?:/|out of|of|stars?|von)\\s*\\d*" : "(?![\\d.,]\\d)"}`,
        "i",
      ).test(this.text);
    });
  }

  private showsCurrency(code: string): boolean {
    return new RegExp(`\\b${code}\\b`).test(this.text) || signs[code]?.test(this.text) === true;
  }

  /** A day in UTC may be another one where the page was written. */
  private shownDays(stated: string[]): string[] {
    const [text = ""] = stated;
    const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
    if (day === undefined || Number.isNaN(Date.parse(day))) return [];
    const near = text.length > 10 ? [0, -1, 1] : [0];
    const days = near.map(shift => new Date(Date.parse(day) + shift * 86_400_000).toISOString().slice(0, 10));
    return days.some(each => this.showsDay(each)) ? days : [];
  }

  private showsDay(day: string): boolean {
    if (this.days.includes(day)) return true;
    const date = new Date(`${day}T12:00:00Z`);
    const [year = "", month = "", date2 = ""] = day.split("-");
    const named = ["en-US", "en-GB", "de", "fr", "es", "it", "pt", "nl"].flatMap(language =>
      (["long", "medium"] as const).map(dateStyle =>
        new Intl.DateTimeFormat(language, { dateStyle, timeZone: "UTC" }).format(date),
      ),
    );
    const numeric = ["/", ".", "-"].flatMap(mark =>
      [
        [date2, month],
        [month, date2],
      ].flatMap(pair => [
        [...pair, year].join(mark),
        [...pair.map(part => String(Number(part))), year].join(mark),
      ]),
    );
    return (
      [...named.map(text => wordsOf(text))].some(text => this.words.includes(` ${text} `)) ||
      [day, ...numeric].some(text => this.text.includes(text))
    );
  }
}

function textOf(element: ElementNode): string {
  if (/^(head|noscript|title|select|textarea)$/.test(element.name)) return "";
  return element.childNodes.map(node => (isElement(node) ? ` ${textOf(node)} ` : node.text)).join("");
}

function datetimes(element: ElementNode): string[] {
  const own = element.name === "time" ? [element.getAttribute("datetime")] : [];
  return [...own, ...element.childNodes.flatMap(node => (isElement(node) ? datetimes(node) : []))];
}

/** Letters and digits in lower case, words apart by one space. */
export function wordsOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** How right an answer is, from 0 to 1: as a reader of the page would judge it. */
export function rightness({ kind, truth }: StatedField, answer: unknown): number {
  if (kind === "texts") return overlap(truth, Array.isArray(answer) ? answer : []);
  return truth.some(text => isSame(kind, text, answer)) ? 1 : 0;
}

function isSame(kind: Kind, truth: string, answer: unknown): boolean {
  if (kind === "price") return typeof answer === "number" && Math.abs(answer - Number(truth)) < 0.005;
  if (kind === "rating") return typeof answer === "number" && Math.abs(answer - Number(truth)) <= 0.0501;
  if (typeof answer !== "string") return false;
  if (kind === "day") return answer.slice(0, 10) === truth;
  if (kind === "currency")
    return answer.toUpperCase() === truth.toUpperCase() || signs[truth.toUpperCase()]?.test(answer) === true;
  const [a, b] = [wordsOf(truth), wordsOf(answer)];
  if (a === b || kind === "code") return a === b;
  return !/^(by|von|par|por) /.test(b) && isMostOf(a, b);
}

/** One is a part of the other, in whole words, and more than half of it. */
function isMostOf(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return ` ${long} `.includes(` ${short} `) && short.length * 2 > long.length;
}

function overlap(truth: string[], answers: unknown[]): number {
  const wanted = new Set(truth.map(wordsOf));
  const given = new Set(answers.map(answer => wordsOf(String(answer))));
  const both = [...given].filter(text => wanted.has(text)).length;
  return both === 0 ? 0 : (2 * both) / (wanted.size + given.size);
}

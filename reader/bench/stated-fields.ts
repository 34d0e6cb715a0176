import { createHash } from "node:crypto";
import { decodeHTML } from "entities";
import { parseHtml } from "../html/parse-html.ts";
import { type DocumentNode, type ElementNode, isElement } from "../html/tree.ts";
import type { Part } from "../test/fixtures/fields/page.ts";
import { Shown } from "./shown-values.ts";

/** A field that a page states in its JSON-LD and shows to its readers. */
export interface StatedField {
  name: string;
  kind: Kind;
  /** Several where each is right: spellings of a day, authors of an article. For `texts`, all that are wanted. */
  truth: string[];
}

/**
 * How values are compared: by words, as a name, as a number, by day, by currency, as a set of texts or (`steps`) as a
 * list in order, as a duration, as a moment, as the amounts of a text, as one of a few,
 * or as a place, whose address may follow.
 */
export type Kind =
  | "title"
  | "name"
  | "code"
  | "price"
  | "rating"
  | "currency"
  | "day"
  | "texts"
  | "steps"
  | "minutes"
  | "count"
  | "moment"
  | "amounts"
  | "choice"
  | "place";

export interface StatedPage {
  id: string;
  url: string;
  html: string;
  type: "article" | "product" | "faq" | "recipe" | "event" | "job";
  fields: StatedField[];
  part: Part;
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
    instructions: ["steps", "recipeInstructions.text"],
    prep_time: ["minutes", "prepTime"],
    cook_time: ["minutes", "cookTime"],
    total_time: ["minutes", "totalTime"],
    servings: ["count", "recipeYield"],
    calories: ["count", "nutrition.calories"],
    rating: ["rating", "aggregateRating.ratingValue"],
  },
  event: {
    name: ["title", "name"],
    start_date: ["day", "startDate"],
    starts_at: ["moment", "startDate"],
    location: ["place", "location.name"],
    organizer: ["name", "organizer.name"],
    price: ["price", "offers.price"],
  },
  job: {
    title: ["title", "title"],
    company: ["name", "hiringOrganization.name"],
    location: ["name", "jobLocation.address.addressLocality"],
    date_posted: ["day", "datePosted"],
    deadline: ["day", "validThrough"],
    salary: ["amounts", "baseSalary.value.minValue", "baseSalary.value.value"],
    employment_type: ["choice", "employmentType"],
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
export function statedPage(
  { id, url, html }: { id: string; url: string; html: string },
  part = partOf(url),
): StatedPage | undefined {
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
  return fields.length > 0 ? { id, url, html, type, fields, part } : undefined;
}

function partOf(url: string): Part {
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

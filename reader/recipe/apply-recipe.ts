import { coerce, type Raw } from "./coerce.ts";
import { countIn } from "./counts.ts";
import { entriesOf } from "./entries.ts";
import { cellOf, labelsOf } from "./labels.ts";
import { isNode, jsonldOf, microdataOf, plainValue, readPath } from "./linked-data.ts";
import type { PageElement } from "./page-element.ts";
import type { Page, Scope } from "./parse-page.ts";
import type { Field, Fields, Recipe } from "./recipe.ts";
import { priceTextOf, squeeze, textOf } from "./text-of.ts";

const maxEntries = 5000;

/**
 * Reads a page by a recipe. Omits values that are not found (null if the field is nullable); undefined when nothing was
 * found at all. Throws for selectors that do not parse: call `checkRecipe` first.
 */
export function applyRecipe(page: Page, recipe: Recipe): Record<string, unknown> | undefined {
  return applyFields(recipe.fields, rootScope(page));
}

export function rootScope(page: Page): Scope {
  return { page, element: page.root };
}

function applyFields(fields: Fields, scope: Scope): Record<string, unknown> | undefined {
  const entries = Object.entries(fields).map(([name, field]) => [name, applyField(field, scope)] as const);
  if (entries.every(([, value]) => value === undefined || value === null)) return undefined;
  const missing = entries.some(([name, value]) => fields[name]?.required && value === undefined);
  if (missing) return undefined;
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The value of one field, or undefined. */
export function applyField(field: Field, scope: Scope): unknown {
  const found = field.fields ? objectsAt(field, field.fields, scope) : valuesAt(field, scope);
  if (field.list !== undefined || field.many) return found.length > 0 ? found : undefined;
  return found[0] ?? (field.nullable ? null : undefined);
}

function objectsAt(field: Field, fields: Fields, scope: Scope): unknown[] {
  const all = scopesAt(field, scope);
  const wanted = field.list === undefined && !field.many ? all.slice(0, 1) : all.slice(0, maxEntries);
  return wanted.flatMap(inner => applyFields(fields, inner) ?? []);
}

function scopesAt(field: Field, scope: Scope): Scope[] {
  const { page } = scope;
  const below = (element: PageElement): Scope => ({ page, element });
  if (field.list !== undefined) return entriesOf(scope.element, field.list, field.cut).map(below);
  if (field.selector !== undefined) return [...scope.element.querySelectorAll(field.selector)].map(below);
  if (field.label !== undefined) {
    const value = labelsOf(page, scope.element).get(squeeze(field.label))?.value;
    return value && typeof value !== "string" ? [below(value)] : [];
  }
  const linked = linkedAt(field, scope);
  return linked ? linked.filter(isNode).map(node => ({ ...scope, node })) : [scope];
}

function valuesAt(field: Field, scope: Scope): unknown[] {
  const many = field.list !== undefined || field.many === true;
  const items = field.many ? itemsAt(field, scope) : undefined;
  const raws = (items ?? rawsAt(field, scope)).slice(0, maxEntries);
  const isSplit = field.many && items === undefined && isOneText(field);
  const values = (isSplit ? raws.flatMap(raw => split(raw, field)) : raws)
    .map(raw => coerce(raw, field, scope.page.base, scope.page.language))
    .filter(value => value !== undefined);
  return many ? [...new Set(values)] : values;
}

/** A label's value that is a list has its items. */
function itemsAt(field: Field, { page, element }: Scope): Raw[] | undefined {
  const value =
    field.label === undefined ? undefined : labelsOf(page, element).get(squeeze(field.label))?.value;
  if (value === undefined || typeof value === "string" || !/^[uo]l$/.test(value.localName)) return undefined;
  return value.children.filter(({ localName }) => localName === "li").map(item => elementValue(item, field));
}

/** Pages write lists as one text; linked data does so for keywords. */
function isOneText({ jsonld, microdata }: Field): boolean {
  const path = jsonld ?? microdata;
  return path === undefined || /(^|\.)keywords$/.test(path);
}

function split(raw: Raw, { as }: Field): Raw[] {
  if (typeof raw.value !== "string") return [raw];
  const inLine = as === "person" ? /\s*(?:[,;|·•&]|\s(?:and|und|et|y|e|en)\s)\s*/ : /\s*[,;|·•]\s*/;
  const mark = raw.value.includes("\n") ? /\s*\n\s*/ : inLine;
  return raw.value.split(mark).map(value => ({ value }));
}

function rawsAt(field: Field, scope: Scope): Raw[] {
  const linked = linkedAt(field, scope);
  if (linked) return linked.map(value => ({ value: plainValue(value), machine: true }));
  if (field.count !== undefined) return [{ value: countIn(scope.element, field.count), machine: true }];
  return elementsAt(field, scope).map(found =>
    typeof found === "string" ? fromText(found, field) : elementValue(found, field),
  );
}

function linkedAt(field: Field, scope: Scope): unknown[] | undefined {
  if (field.jsonld !== undefined)
    return readPath(scope.node ? [scope.node] : jsonldOf(scope.page), field.jsonld);
  if (field.microdata === undefined) return undefined;
  return readPath(scope.node ? [scope.node] : microdataOf(scope.page, scope.element), field.microdata);
}

function elementsAt(field: Field, { page, element }: Scope): (PageElement | string)[] {
  const selector = field.selector ?? field.list;
  if (selector === ":scope") return [element];
  if (selector !== undefined)
    return [...element.querySelectorAll(selector)].slice(0, field.many ? 1 : undefined);
  if (field.meta !== undefined) return metaElements(page, field.meta);
  const found =
    field.label === undefined
      ? cellOf(element, field.column ?? "")
      : labelsOf(page, element).get(squeeze(field.label))?.value;
  return found === undefined ? [] : [found];
}

function metaElements({ root }: Page, name: string): PageElement[] {
  const wanted = name.toLowerCase();
  return [...root.querySelectorAll("meta[content]")].filter(meta =>
    ["name", "property", "http-equiv"].some(key => meta.getAttribute(key)?.toLowerCase() === wanted),
  );
}

/** Attributes that hold the URL, by the wanted kind of value. */
const linkAttributes = ["href", "src", "data-src", "content", "data-href", "poster"];

/** What an element states: the named attribute, an address, a machine-readable date, or its text. */
function elementValue(element: PageElement, field: Field): Raw {
  if (field.attribute !== undefined) return fromAttribute(element, field.attribute);
  if (field.format === "uri") return { value: addressOf(element) };
  if (field.format === "date" || field.format === "date-time") return { value: dateOf(element) };
  if (field.format === "email") return { value: element.getAttribute("href") ?? textOf(element) };
  if (field.except !== undefined) return { value: textOf(element, element.querySelectorAll(field.except)) };
  if (field.as === "price" && element.children.length > 0) return { value: priceTextOf(element) };
  const stated = statedBy(element);
  return stated === undefined ? { value: textOf(element) } : stated;
}

function fromText(text: string, { format }: Field): Raw {
  return { value: format === "uri" ? addressIn(text) : text };
}

/** `srcset` is a list; its first part is the URL. */
function fromAttribute(element: PageElement, name: string): Raw {
  const value = element.getAttribute(name) ?? undefined;
  return { value: name.endsWith("srcset") ? value?.trim().split(/[\s,]/)[0] : value, machine: true };
}

function addressOf(element: PageElement): string | undefined {
  const own = attributeOf(element);
  if (own !== undefined) return own;
  const inner = element.querySelector("a[href], img[src], img[data-src], source[src]");
  const around = element.closest("a[href]")?.getAttribute("href");
  return (inner && attributeOf(inner)) ?? (around || addressIn(textOf(element)));
}

/** A text is an address where it looks like one: `Photo: Ola Berg` would be one of the page's own site. */
function addressIn(text: string): string | undefined {
  return /^(?:https?:\/\/|\/|\.{0,2}\/)\S+$/i.test(text) || /^\S+\.\S+$/.test(text) ? text : undefined;
}

/** A `data:` image is a placeholder of lazy loading; another attribute then has the URL. */
function attributeOf(element: PageElement): string | undefined {
  return linkAttributes
    .map(name => element.getAttribute(name))
    .find((value): value is string => value !== null && value !== "" && !value.startsWith("data:"));
}

function dateOf(element: PageElement): string {
  const dated = element.hasAttribute("datetime") ? element : element.querySelector("time[datetime]");
  return dated?.getAttribute("datetime") ?? element.getAttribute("content") ?? textOf(element);
}

function statedBy(element: PageElement): Raw | undefined {
  const { localName } = element;
  if (localName === "meta" || localName === "data")
    return { value: element.getAttribute("content") ?? element.getAttribute("value"), machine: true };
  if (localName === "input") return { value: element.getAttribute("value") };
  if (localName === "img") return { value: element.getAttribute("alt") };
  return undefined;
}

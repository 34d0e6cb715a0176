import { coerce, type Raw } from "./coerce.ts";
import { elementValue } from "./element-value.ts";
import { labelsOf } from "./labels.ts";
import { isNode, jsonldOf, type LinkedNode, microdataOf, plainValue, readPath } from "./linked-data.ts";
import { type Page, toPage } from "./parse-page.ts";
import type { Field, Fields, Recipe } from "./recipe.ts";
import { cellOf } from "./table-columns.ts";
import { squeeze } from "./words.ts";

/** Where fields are looked for: below an element, or in an entity of linked data. */
export interface Scope {
  page: Page;
  element: Element;
  node?: LinkedNode;
}

const maxEntries = 5000;

/**
 * Reads a page by a recipe. What is not found is left out (or null where the field is nullable); undefined when nothing
 * was found at all. Selectors that do not parse throw: `checkRecipe` comes first.
 */
export function applyRecipe(
  document: Document,
  recipe: Recipe,
  url: string,
): Record<string, unknown> | undefined {
  return applyFields(recipe.fields, rootScope(toPage(document, url)));
}

export function rootScope(page: Page): Scope {
  return { page, element: page.document.documentElement };
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
  const below = (element: Element): Scope => ({ page, element });
  if (field.list !== undefined) return [...scope.element.querySelectorAll(field.list)].map(below);
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
  const raws = rawsAt(field, scope).slice(0, maxEntries);
  const values = (field.many && isOneText(field) ? raws.flatMap(split) : raws)
    .map(raw => coerce(raw, field, scope.page.base, scope.page.language))
    .filter(value => value !== undefined);
  return many ? [...new Set(values)] : values;
}

/** Lists are written as one text on the page, and as keywords even in linked data. */
function isOneText({ jsonld, microdata }: Field): boolean {
  const path = jsonld ?? microdata;
  return path === undefined || /(^|\.)keywords$/.test(path);
}

function split(raw: Raw): Raw[] {
  if (typeof raw.value !== "string") return [raw];
  return raw.value.split(/\s*[,;|·•\n]\s*/).map(value => ({ value }));
}

function rawsAt(field: Field, scope: Scope): Raw[] {
  const linked = linkedAt(field, scope);
  if (linked) return linked.map(value => ({ value: plainValue(value), machine: true }));
  return elementsAt(field, scope).map(found =>
    typeof found === "string" ? { value: found } : elementValue(found, field),
  );
}

function linkedAt(field: Field, scope: Scope): unknown[] | undefined {
  if (field.jsonld !== undefined)
    return readPath(scope.node ? [scope.node] : jsonldOf(scope.page), field.jsonld);
  if (field.microdata === undefined) return undefined;
  return readPath(scope.node ? [scope.node] : microdataOf(scope.page, scope.element), field.microdata);
}

function elementsAt(field: Field, { page, element }: Scope): (Element | string)[] {
  const selector = field.selector ?? field.list;
  if (selector === ":scope") return [element];
  if (selector !== undefined) return [...element.querySelectorAll(selector)];
  if (field.meta !== undefined) return metaElements(page, field.meta);
  const found =
    field.label === undefined
      ? cellOf(element, field.column ?? "")
      : labelsOf(page, element).get(squeeze(field.label))?.value;
  return found === undefined ? [] : [found];
}

function metaElements({ document }: Page, name: string): Element[] {
  const wanted = name.toLowerCase();
  return [...document.querySelectorAll("meta[content]")].filter(meta =>
    ["name", "property", "http-equiv"].some(key => meta.getAttribute(key)?.toLowerCase() === wanted),
  );
}

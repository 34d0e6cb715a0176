import { applyField } from "./apply-recipe.ts";
import { findFields } from "./find-fields.ts";
import { type Site, siteOf } from "./find-value.ts";
import { labelsOf } from "./labels.ts";
import { isNode, jsonldOf, microdataOf, readPath, typesOf } from "./linked-data.ts";
import { isProperty } from "./linked-fields.ts";
import type { Field } from "./recipe.ts";
import { selectorFor } from "./selector-for.ts";
import { textOf } from "./text-of.ts";
import { namedWant, type Want } from "./want.ts";
import { squeeze } from "./words.ts";

/** What every part of a page has: as a property of an inner object it means that object's, not the page's. */
const ambiguous = new Set(["title", "url", "image", "description", "date", "content"]);

/** The field that reads a nested object: an entity of linked data, a part of the page with that name, or its parts. */
export function findObject(want: Want, site: Site): Field | undefined {
  const wants = want.fields ?? [];
  let best: { field: Field; count: number } | undefined;
  for (const { field, site: inner, named } of candidatesOf(want, site)) {
    const fields = findFields(named ? wants : wants.map(part => prefixed(want, part)), [inner]);
    const count = Object.keys(fields).length;
    const whole: Field = { ...field, fields, ...(want.nullable ? { nullable: true as const } : {}) };
    if (count > (best?.count ?? 0) && want.accepts(applyField(whole, site))) best = { field: whole, count };
    if (count === wants.length && best) return best.field;
  }
  return best?.field;
}

interface Candidate {
  field: Field;
  site: Site;
  named: boolean;
}

function* candidatesOf(want: Want, site: Site): Generator<Candidate> {
  yield* linked(want, site);
  if (site.node) return;
  for (const element of partsNamed(want, site)) {
    const selector = selectorFor(element, site.element);
    if (selector)
      yield { field: { selector }, site: siteOf({ page: site.page, element }, false), named: true };
  }
  yield { field: {}, site, named: false };
}

function* linked(want: Want, site: Site): Generator<Candidate> {
  const pools = site.node
    ? [{ source: "jsonld" as const, nodes: [site.node] }]
    : [
        { source: "jsonld" as const, nodes: site.isPage ? jsonldOf(site.page) : [] },
        { source: "microdata" as const, nodes: microdataOf(site.page, site.element) },
      ];
  for (const { source, nodes } of pools)
    for (const node of nodes.slice(0, 50))
      for (const key of Object.keys(node).filter(
        name => isProperty(name) && want.words.includes(squeeze(name)),
      )) {
        const inner = readPath([node], key).find(isNode);
        const type = site.node ? undefined : typesOf(node)[0];
        const path = type ? `${type}.${key}` : key;
        if (inner)
          yield { field: { [source]: path }, site: siteOf({ ...site, node: inner }, false), named: true };
      }
}

/** Elements named so by id, class or label, and what follows a heading of that name. */
function partsNamed(want: Want, site: Site): Element[] {
  const { exact, parts } = site.names();
  const named = [exact, parts].flatMap(names => want.words.flatMap(word => names.get(word) ?? []));
  const labels = labelsOf(site.page, site.element);
  const stated = want.words
    .flatMap(word => labels.get(word)?.value ?? [])
    .filter(value => typeof value !== "string");
  const headed = [...site.element.querySelectorAll("h2, h3, h4, h5, caption, legend")]
    .filter(heading => want.words.includes(squeeze(textOf(heading))))
    .flatMap(heading => heading.closest("table") ?? heading.nextElementSibling ?? []);
  return [...named.map(({ element }) => element), ...stated, ...headed].slice(0, 6);
}

/** `name` of `author` is looked for as `author name` in the page at large; what cannot be mistaken, under both names. */
function prefixed(parent: Want, part: Want): Want {
  const joined = namedWant(`${parent.name} ${part.name}`, part.kind);
  const own = ambiguous.has(part.concept ?? "") ? [] : part.words;
  const concept = ambiguous.has(part.concept ?? "") ? joined.concept : part.concept;
  return { ...part, words: [...joined.words, ...own], concept };
}

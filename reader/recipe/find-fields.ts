import { applyField } from "./apply-recipe.ts";
import { findEntries } from "./find-entries.ts";
import { findTexts } from "./find-texts.ts";
import { findValue } from "./find-value.ts";
import { labelsOf } from "./labels.ts";
import { isNode, isProperty, jsonldOf, microdataOf, readPath, typesOf } from "./linked-data.ts";
import { type Site, siteOf } from "./name-index.ts";
import type { PageElement } from "./page-element.ts";
import type { Field, Fields } from "./recipe.ts";
import { selectorFor } from "./selector-for.ts";
import { squeeze, textOf } from "./text-of.ts";
import { namedWant, type Want } from "./want.ts";

/** The fields that were found for these wants in the given sites: one page, or samples of a list's entries. */
export function findFields(wants: Want[], sites: Site[]): Fields {
  return Object.fromEntries(
    wants.flatMap(want => {
      const field = findField(want, sites);
      return field ? [[want.name, field]] : [];
    }),
  );
}

function findField(want: Want, sites: Site[]): Field | undefined {
  const [first] = sites;
  if (!first) return undefined;
  if (want.kind === "object") return findObject(want, first);
  if (want.kind !== "array") return findValue(want, sites);
  return want.item?.kind === "object"
    ? findEntries(want, first, findFields)
    : findTexts(want, sites, findFields);
}

/** Every part of a page has these. As a property of an inner object they mean that object's, not the page's. */
const ambiguous = new Set(["title", "url", "image", "description", "date", "content"]);

const parties =
  /(?:^|_)(?:agent|author|contact|contact_?person|seller|broker|instructor|speaker|landlord|manager|realtor|owner|recruiter|teacher)$/i;

/** The name of an agent is that of a person. */
function ofParty(part: Want): Want {
  return /^(?:full_?)?name$/i.test(part.name) ? { ...part, concept: "author" } : part;
}

/** The field that reads a nested object: an entity of linked data, a part of the page with that name, or its parts. */
function findObject(want: Want, site: Site): Field | undefined {
  const wants = (want.fields ?? []).map(part => (parties.test(want.name) ? ofParty(part) : part));
  let best: { field: Field; count: number } | undefined;
  for (const { field, site: inner, named } of objectCandidates(want, site)) {
    const fields = findFields(named ? wants : wants.map(part => prefixed(want, part)), [inner]);
    const count = Object.keys(fields).length;
    const whole: Field = { ...field, fields, ...(want.nullable ? { nullable: true as const } : {}) };
    if (count > (best?.count ?? 0) && want.accepts(applyField(whole, site))) best = { field: whole, count };
    if (count === wants.length && best) return best.field;
  }
  return best?.field;
}

interface ObjectCandidate {
  field: Field;
  site: Site;
  named: boolean;
}

function* objectCandidates(want: Want, site: Site): Generator<ObjectCandidate> {
  yield* linkedObjects(want, site);
  if (site.node) return;
  for (const element of partsNamed(want, site)) {
    const selector = selectorFor(element, site.element);
    if (selector)
      yield { field: { selector }, site: siteOf({ page: site.page, element }, false), named: true };
  }
  yield { field: {}, site, named: false };
}

function* linkedObjects(want: Want, site: Site): Generator<ObjectCandidate> {
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

/** Elements with that name as id, class or label, and what follows a heading of that name. */
function partsNamed(want: Want, site: Site): PageElement[] {
  const { exact, parts } = site.names();
  const named = [exact, parts].flatMap(names => want.words.flatMap(word => names.get(word) ?? []));
  const labels = labelsOf(site.page, site.element);
  const stated = want.words
    .flatMap(word => labels.get(word)?.value ?? [])
    .filter(value => typeof value !== "string");
  const headed = [...site.element.querySelectorAll("h2, h3, h4, h5, caption, legend")]
    .filter(heading => [...want.words, ...want.synonyms].includes(squeeze(textOf(heading))))
    .flatMap(heading =>
      [...sectionOf(heading, site), heading.closest("table") ?? heading.nextElementSibling ?? []].flat(),
    );
  return [...named.map(({ element }) => element), ...stated, ...headed].slice(0, 6);
}

/** The section that a heading begins, if it is the only one of its rank there. */
function sectionOf(heading: PageElement, { element }: Site): PageElement[] {
  const { parentElement: parent, localName } = heading;
  const isFirst =
    parent?.children[0] === heading && /^(?:section|div|aside|article|li)$/.test(parent.localName);
  return isFirst && parent !== element && parent.querySelectorAll(localName).length === 1 ? [parent] : [];
}

/** In the whole page, looks for `name` of `author` as `author name`; for unambiguous names under both. */
function prefixed(parent: Want, part: Want): Want {
  const joined = namedWant(`${parent.name} ${part.name}`, part.kind);
  const own = ambiguous.has(part.concept ?? "") ? [] : part.words;
  const concept = ambiguous.has(part.concept ?? "") ? joined.concept : part.concept;
  return { ...part, words: [...joined.words, ...own], concept };
}

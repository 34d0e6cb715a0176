import { type Concept, concepts } from "./concepts.ts";
import type { Site } from "./find-value.ts";
import { isNode, jsonldOf, type LinkedNode, microdataOf, readPath, typesOf } from "./linked-data.ts";
import type { Field } from "./recipe.ts";
import type { Want } from "./want.ts";
import { squeeze, wordsOf } from "./words.ts";

/** Entities that describe the site or the page's frame, not what the page is about. */
const frameTypes = new Set(
  "BreadcrumbList WebSite WebPage Organization SearchAction SiteNavigationElement WPHeader WPFooter ImageObject ListItem Corporation".split(
    " ",
  ),
);
/** What every entity has says something of the page only when the entity is its subject. */
const common = new Set(["title", "url", "image", "description"]);

/** Fields that read a want from JSON-LD or microdata, best first. */
export function* linkedFields(want: Want, site: Site): Generator<Field> {
  const inside = (path: string) => (path === "" ? {} : { jsonld: path });
  if (site.node) {
    for (const path of pathsIn(want, site.node)) yield inside(path);
    return;
  }
  if (site.isPage) for (const path of typedPaths(want, jsonldOf(site.page))) yield { jsonld: path };
  for (const path of typedPaths(want, microdataOf(site.page, site.element))) yield { microdata: path };
}

function typedPaths(want: Want, nodes: LinkedNode[]): string[] {
  const subject = subjectOf(nodes);
  const others = common.has(want.concept ?? "") ? [] : nodes.filter(node => node !== subject).slice(0, 50);
  return (subject ? [subject, ...others] : others).flatMap(node => {
    const type = typesOf(node).find(name => /^\p{Lu}\w*$/u.test(name));
    return pathsIn(want, node).map(path => (type ? `${type}.${path}` : path));
  });
}

/** What the page is about: the entity that is no frame and says most. */
export function subjectOf(nodes: LinkedNode[]): LinkedNode | undefined {
  const subjects = nodes.filter(node => !typesOf(node).some(type => frameTypes.has(type)));
  const score = (node: LinkedNode) => Object.keys(node).length;
  return subjects.slice(0, 200).sort((a, b) => score(b) - score(a))[0];
}

/** Paths in an entity: what the concept knows, a property of the want's own name, and one level deeper. */
function pathsIn(want: Want, node: LinkedNode): string[] {
  const known: Concept | undefined = want.concept && concepts[want.concept];
  const own = ownPaths(want, node);
  return [...new Set([...(known?.linked ?? []), ...own])].filter(path => readPath([node], path).length > 0);
}

function ownPaths(want: Want, node: LinkedNode): string[] {
  const wanted = squeeze(want.name);
  const words = wordsOf(want.name).join("");
  const keys = Object.keys(node).filter(isProperty);
  const direct = keys.filter(key => want.words.includes(squeeze(key)) || squeeze(key) === words);
  const nested = keys.flatMap(key => {
    const inner = [node[key]].flat()[0];
    if (!isNode(inner)) return [];
    return Object.keys(inner)
      .filter(isProperty)
      .flatMap(part => (squeeze(key + part) === wanted || squeeze(part) === wanted ? `${key}.${part}` : []));
  });
  return [...direct, ...nested.filter(path => !common.has(want.concept ?? "") || squeeze(path) === wanted)];
}

export function isProperty(key: string): boolean {
  return /^\p{Ll}[\w-]*$/u.test(key);
}

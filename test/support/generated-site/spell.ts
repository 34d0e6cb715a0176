import type { Random } from "../../faults/random.ts";

/**
 * One of the ways to write an address that all mean the same page. The base is the site's own form: directories end in
 * a slash, queries are sorted.
 */
export function spell(id: string, random: Random): string {
  const spelling = spellings[Math.floor(random() * spellings.length)] ?? plain;
  return spelling(id);
}

const plain = (id: string) => id;

const spellings: ((id: string) => string)[] = [
  plain,
  plain,
  plain,
  id => `${id}#part-2`,
  id => `{origin}${id}`,
  id => `{ORIGIN}${id}`,
  id => withParameter(id, "utm_source=letter&utm_medium=mail"),
  id => withParameter(id, "gclid=Cj0KCQ"),
  id => `${withParameter(id, "fbclid=IwAR0")}#top`,
  id => `/docs/../docs/.${id.slice("/docs".length)}`,
  id => id.replace("page", "p%61ge"),
  id => id.replace("/docs/", "/docs/%2e/"),
  reordered,
  withoutSlash,
  withIndexFile,
  id => (id.includes("?") ? id : `${id}?`),
];

function withParameter(id: string, parameter: string): string {
  return `${id}${id.includes("?") ? "&" : "?"}${parameter}`;
}

function reordered(id: string): string {
  const [path, query] = id.split("?");
  return query === undefined ? id : `${path}?${query.split("&").toReversed().join("&")}`;
}

/** The entry keeps its slash: without it, its directory would be another. */
function withoutSlash(id: string): string {
  return id === "/docs/" ? id : id.replace(/\/$/, "");
}

function withIndexFile(id: string): string {
  return id.endsWith("/") ? `${id}index.html` : id;
}

import { closedPath, elsewherePath, entryPath, openPath } from "../generated-site.ts";
import type { Graph, Link, Node } from "./node.ts";

/** What a crawl was asked to do, in terms of the site's own addresses. */
export interface CrawlRules {
  /** No bound unless told. */
  maxDepth?: number;
  /** True unless told. */
  sitemaps?: boolean;
  /** The whole host, not only the entry's directory. */
  wholeHost?: boolean;
  /** Pages of the other site that are linked, without what they link to. */
  external?: boolean;
  /** Patterns, as a function of an address; all is taken unless told. */
  takes?: (id: string) => boolean;
  /** What robots.txt lets be fetched; as the usual one says unless told. */
  allows?: (id: string) => boolean;
}

/** What a crawl without a limit has to do: all by address, each fetched once. */
export interface Expectation {
  /** Pages that have content of their own. */
  pages: Set<string>;
  /** Pages that say that they are the same as another. */
  copies: Set<string>;
  missing: Set<string>;
  files: Set<string>;
  redirects: Set<string>;
  /** In scope and linked, but closed by robots.txt. */
  closed: Set<string>;
}

/** Walks the graph by the rules, by depth; a link `rel=next` and a redirect add none. */
export function expectCrawl(graph: Graph, rules: CrawlRules = {}): Expectation {
  const expected = emptyExpectation();
  const known = new Set<string>();
  /** What waits, by depth; a level grows while it is walked. */
  const levels: string[][] = [[graph.entry]];
  const offer = (links: Link[], depth: number) => {
    levels[depth] ??= [];
    for (const { to } of links) if (isTaken(to, depth, rules)) levels[depth].push(to);
  };
  if (rules.sitemaps ?? true) offer(graph.listed, 0);
  for (let depth = 0; depth < levels.length; depth += 1)
    for (const id of levels[depth] ?? []) {
      const node = graph.nodes.get(id);
      if (!node || known.has(id)) continue;
      known.add(id);
      if (!allows(rules, id)) expected.closed.add(id);
      else visit(node, depth);
    }
  return expected;

  function visit(node: Node, depth: number): void {
    expected[kinds[node.kind]].add(node.id);
    offer(node.target ? [node.target] : [], depth);
    const links = followed(node);
    offer(
      links.filter(({ next }) => next),
      depth,
    );
    offer(
      links.filter(({ next }) => !next),
      depth + 1,
    );
  }
}

/** Every address that is fetched. */
export function fetchedOf({ pages, copies, missing, files, redirects }: Expectation): Set<string> {
  return new Set([...pages, ...copies, ...missing, ...files, ...redirects]);
}

const kinds = {
  page: "pages",
  copy: "copies",
  missing: "missing",
  file: "files",
  redirect: "redirects",
} as const satisfies Record<Node["kind"], keyof Expectation>;

function emptyExpectation(): Expectation {
  return {
    pages: new Set(),
    copies: new Set(),
    missing: new Set(),
    files: new Set(),
    redirects: new Set(),
    closed: new Set(),
  };
}

function isTaken(id: string, depth: number, { maxDepth, wholeHost, external, takes }: CrawlRules): boolean {
  if (depth > (maxDepth ?? Number.POSITIVE_INFINITY)) return false;
  if (!(takes?.(id) ?? true)) return false;
  if (id.startsWith(elsewherePath)) return external ?? false;
  return (wholeHost ?? false) || id.startsWith(entryPath);
}

function allows({ allows: told }: CrawlRules, id: string): boolean {
  return told ? told(id) : !id.startsWith(closedPath) || id.startsWith(openPath);
}

function followed(node: Node): Link[] {
  if (node.nofollow || node.id.startsWith(elsewherePath)) return [];
  return node.links.filter(({ nofollow }) => !nofollow);
}

import { type Random, seeded } from "../faults/random.ts";
import type { Graph, Link, Node } from "./generated-site/node.ts";
import { spell } from "./generated-site/spell.ts";

export interface SiteOptions {
  seed: number;
  /** Pages that a crawl of everything below the entry finds, its sitemaps included. */
  pages: number;
  /** Everything that makes a site hard; without it there are only plain pages and cycles. True unless told. */
  hard?: boolean;
  /** A calendar that has a next month for ever. */
  trap?: boolean;
}

/** Where the parts of a site are. The entry's directory is the scope of a crawl that asks for nothing else. */
export const entryPath = "/docs/";
/** What robots.txt closes, but for `openPath` in it. */
export const closedPath = "/docs/closed/";
export const openPath = "/docs/closed/open-";
export const calendarPath = "/docs/calendar/";
export const outsidePath = "/blog/";
/** These are served by the other site. */
export const elsewherePath = "/elsewhere/";

/** A site that is the same for the same options: a tree of pages, cycles, and what else there is to stumble over. */
export function generateSite({ seed, pages, hard = true, trap = false }: SiteOptions): Graph {
  const builder = new Builder(seeded(seed));
  const part = (share: number) => (hard ? Math.max(2, Math.round(pages * share)) : 0);
  const counts = { chained: 2 * part(0.01), listed: part(0.04), redirected: part(0.05) };
  const rest = counts.chained + counts.listed + counts.redirected;
  builder.addTree(pages - rest);
  builder.addCycles();
  if (hard) {
    builder.addChain(counts.chained / 2);
    builder.addListed(counts.listed);
    builder.addRedirects(counts.redirected);
    builder.addStones(part(0.01));
  }
  if (trap) builder.link(entryPath, `${calendarPath}2026-01`);
  return builder.graph;
}

class Builder {
  readonly graph: Graph = { entry: entryPath, nodes: new Map(), spellings: new Map(), listed: [] };
  readonly #random: Random;
  readonly #tree: Node[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Six children or so for each page, in four shapes of address. */
  addTree(count: number): void {
    this.#tree.push(this.#add(entryPath, "page"));
    for (let n = 1; n < count; n += 1) {
      const parent = this.#tree[Math.floor(this.#random() * Math.ceil(n / 6))];
      const node = this.#add(addressOf(n), "page", { slow: n % 97 === 50 });
      this.#tree.push(node);
      this.link(parent?.id ?? entryPath, node.id);
    }
  }

  /** Each page links to some others, to its own start and to itself. */
  addCycles(): void {
    for (const node of this.#tree) {
      for (let n = 0; n < 4; n += 1) this.link(node.id, this.#any().id);
      this.link(node.id, entryPath);
      this.link(node.id, node.id);
    }
  }

  /** A list that goes on from page to page by `rel=next`, each with an item of its own. */
  addChain(length: number): void {
    let before = entryPath;
    for (let n = 1; n <= length; n += 1) {
      const { id } = this.#add(`/docs/list?page=${n}`, "page");
      this.link(before, id, { next: n > 1 });
      this.link(id, this.#add(`/docs/listed-item-${n}`, "page").id);
      before = id;
    }
  }

  /** Pages that only the sitemaps know, among others that they name too. */
  addListed(count: number): void {
    const own = Array.from({ length: count }, (_, n) => this.#add(`/docs/orphan-${n}`, "page").id);
    const closed = this.#add(`${closedPath}listed`, "page").id;
    const outside = this.#add(`${outsidePath}listed`, "page").id;
    const known = Array.from({ length: count }, () => this.#any().id);
    for (const id of [...own, closed, outside, ...known]) this.graph.listed.push(this.#linkTo(id));
  }

  /** Chains of one to three redirects: onto pages that nothing else leads to, onto known ones, and a ring. */
  addRedirects(count: number): void {
    for (let n = 0; n < count; n += 1) {
      const hidden = this.#add(`/docs/moved-to-${n}`, "page");
      this.link(this.#any().id, this.#redirects(`/docs/moved-${n}`, 1 + (n % 3), hidden.id));
      this.link(this.#any().id, this.#redirects(`/docs/old-${n}`, 1 + (n % 2), this.#any().id));
    }
    const [one, two] = ["/docs/ring-1", "/docs/ring-2"];
    this.#add(one, "redirect", { target: this.#spelt(two) });
    this.#add(two, "redirect", { target: this.#spelt(one) });
    this.link(entryPath, one);
  }

  addStones(count: number): void {
    for (let n = 0; n < count; n += 1) {
      const tree = () => this.#any().id;
      this.link(tree(), this.#add(`/docs/missing-${n}`, "missing").id);
      this.link(tree(), this.#add(`/docs/files/archive-${n}.zip`, "file").id);
      this.link(tree(), this.#add(`/docs/print/${n}`, "copy", { target: this.#linkTo(tree()) }).id);
      this.link(tree(), this.#add(`${closedPath}room-${n}`, "page").id);
      this.link(tree(), this.#add(`${openPath}${n}`, "page").id);
      this.link(tree(), this.#add(`/docs/shunned-${n}`, "page").id, { nofollow: true });
      this.#addSilent(n);
      this.#addOutside(n);
    }
    for (const [n, heals] of ([429, 503, 429] as const).entries())
      this.link(entryPath, this.#add(`/docs/busy-${n}`, "page", { heals }).id);
  }

  link(from: string, to: string, rel: Pick<Link, "nofollow" | "next"> = {}): void {
    this.#node(from).links.push({ ...this.#linkTo(to), ...rel });
  }

  /** A page whose links must be left alone, with a page that nothing else leads to. */
  #addSilent(n: number): void {
    const silent = this.#add(`/docs/silent-${n}`, "page", { nofollow: n % 2 === 0 ? "meta" : "header" });
    this.link(this.#any().id, silent.id);
    this.link(silent.id, this.#add(`/docs/behind-silent-${n}`, "page").id);
  }

  /** Two pages off the directory and two off the site, one behind the other. */
  #addOutside(n: number): void {
    for (const path of [outsidePath, elsewherePath]) {
      const [near, far] = [`${path}near-${n}`, `${path}far-${n}`];
      this.link(this.#any().id, this.#add(near, "page").id);
      this.link(near, this.#add(far, "page").id);
    }
  }

  #redirects(id: string, length: number, to: string): string {
    const next = length === 1 ? to : this.#redirects(`${id}-then`, length - 1, to);
    return this.#add(id, "redirect", { target: this.#linkTo(next) }).id;
  }

  #add(id: string, kind: Node["kind"], rest: Partial<Node> = {}): Node {
    const node = { id, kind, links: [], ...rest };
    this.graph.nodes.set(id, node);
    this.graph.spellings.set(targetOf(id), id);
    return node;
  }

  #node(id: string): Node {
    const node = this.graph.nodes.get(id);
    if (!node) throw new Error(`the site has no ${id}`);
    return node;
  }

  #any(): Node {
    return this.#tree[Math.floor(this.#random() * this.#tree.length)] ?? this.#node(entryPath);
  }

  #linkTo(id: string): Link {
    if (id.startsWith(elsewherePath)) return this.#spelt(id, `{elsewhere}${id}`);
    return this.#spelt(id, id.startsWith(entryPath) ? spell(id, this.#random) : id);
  }

  #spelt(to: string, href = to): Link {
    this.graph.spellings.set(targetOf(href), to);
    return { to, href };
  }
}

function addressOf(n: number): string {
  const section = `/docs/section-${n % 23}`;
  const shapes = [`${section}/page-${n}/`, `${section}/page-${n}`, `${section}/page-${n}.html`];
  return shapes[n % 4] ?? `/docs/item?id=${n}&lang=en`;
}

/** What of an address reaches the server. */
function targetOf(href: string): string {
  const { pathname, search } = new URL(href.replace(/\{\w+\}/, ""), "http://site.test");
  return pathname + search;
}

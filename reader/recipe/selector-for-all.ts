import type { PageElement } from "./page-element.ts";
import { queryOf } from "./query.ts";
import { ancestorsOf, byPosition, namesOf, tagOf } from "./selector-for.ts";

/** A selector that matches these elements below `root` and no others; `shared` are selectors that match all of them. */
export function selectorForAll(
  elements: PageElement[],
  root: PageElement,
  shared: readonly string[],
): string | undefined {
  const [first] = elements;
  if (!first) return undefined;
  const pools = shared.map(own => new Pool(own, elements, root));
  const telling = pools.find(pool => /[.#[]/.test(pool.own) && pool.isWanted);
  if (telling !== undefined) return telling.own;
  const ancestors = ancestorsOf(first, root);
  for (const ancestor of ancestors)
    for (const name of namesOf(ancestor))
      for (const pool of pools)
        for (const joint of [" > ", " "] as const)
          if (pool.isWantedBelow(name, joint)) return name + joint + pool.own;
  return chained(ancestors, pools) ?? placed(first, root, pools);
}

/** `name > tag > own`: the tags of the elements between, and a name of the one above. */
function chained(ancestors: PageElement[], pools: Pool[]): string | undefined {
  let path = "";
  for (const [depth, ancestor] of ancestors.entries()) {
    if (depth > 0)
      for (const name of namesOf(ancestor))
        for (const pool of pools) if (pool.isWantedUnder(name)) return `${name} > ${path}${pool.own}`;
    for (const pool of pools) pool.climb(ancestor.localName);
    path = `${tagOf(ancestor)} > ${path}`;
  }
  return undefined;
}

function placed(first: PageElement, root: PageElement, pools: Pool[]): string | undefined {
  const parent = first.parentElement;
  const path = parent && parent !== root ? byPosition(parent, root) : undefined;
  const below = path === undefined ? undefined : pools.find(pool => pool.isWantedBelow(path, " > "));
  return below ? `${path} > ${below.own}` : pools.find(pool => pool.isWanted)?.own;
}

/**
 * The elements that a selector matches, and which of them are wanted. Whether a longer selector matches those alone is
 * seen from the elements around them, without asking for it: it would be a new one each time.
 */
class Pool {
  readonly own: string;
  /** All of the elements are wanted ones, and no wanted one is missing. */
  readonly isWanted: boolean;
  private readonly root: PageElement;
  private readonly all: readonly PageElement[];
  /** Tells of each element whether it is wanted. */
  private readonly wanted: readonly boolean[];
  private readonly isWhole: boolean;
  /** Places of the elements that distinguish most combinations: the last wanted element, and the first and last of the others. */
  private readonly probes: readonly number[];
  /** The ancestor of each element that a chain of tags has led to. */
  private reached: readonly (PageElement | null)[];

  constructor(own: string, elements: readonly PageElement[], root: PageElement) {
    const all = root.querySelectorAll(own);
    const given = new Set(elements);
    const wanted = all.map(element => given.has(element));
    const count = wanted.filter(each => each).length;
    this.own = own;
    this.root = root;
    this.all = all;
    this.wanted = wanted;
    this.isWhole = count === given.size;
    this.isWanted = this.isWhole && count === all.length;
    this.probes = [wanted.lastIndexOf(true), wanted.indexOf(false), wanted.lastIndexOf(false)];
    this.reached = all;
  }

  /** Whether the wanted elements, and none of the others, are below the name: in it, or in an element in it. */
  isWantedBelow(name: string, joint: " > " | " "): boolean {
    const { test } = queryOf(name, this.root);
    return this.agrees(at => {
      let above = this.all[at]?.parentElement ?? null;
      if (joint === " > ") return above !== null && test(above);
      while (above !== null && !test(above)) above = above.parentElement;
      return above !== null;
    });
  }

  /** Goes up by one element where that has the tag. */
  climb(tag: string): void {
    this.reached = this.reached.map(element => {
      const parent = element?.parentElement ?? null;
      return parent?.localName === tag ? parent : null;
    });
    this.root.spend(this.all.length);
  }

  /** Whether the tags that were climbed and the name above them are around the wanted elements alone. */
  isWantedUnder(name: string): boolean {
    const { test } = queryOf(name, this.root);
    return this.agrees(at => {
      const above = this.reached[at]?.parentElement ?? null;
      return above !== null && test(above);
    });
  }

  private agrees(test: (at: number) => boolean): boolean {
    if (!this.isWhole) return false;
    const agreesAt = (at: number): boolean => {
      this.root.spend(1);
      return test(at) === this.wanted[at];
    };
    for (const at of this.probes) if (at >= 0 && !agreesAt(at)) return false;
    for (let at = 0; at < this.all.length; at++) if (!agreesAt(at)) return false;
    return true;
  }
}

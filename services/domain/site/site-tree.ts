/** A page of a site, as far as its place in the tree goes. */
interface PlacedPage {
  key: string;
  state: string;
  changedAt?: number;
}

/** What is below one part of the addresses of a site. */
export interface Branch<Page> {
  name: string;
  /** What the keys below it begin with. */
  prefix: string;
  /** Pages that are watched, and that have gone. */
  pages: number;
  gone: number;
  changedAt?: number;
  /** The page at this very address. */
  page?: Page;
}

const counting = new Set(["new", "there", "missing"]);
const gone = new Set(["removed", "moved"]);

/** A level of the pages of a site: those whose keys begin with `prefix`, which ends with a slash or is empty. */
export class SiteLevel<Page extends PlacedPage> {
  readonly #prefix: string;
  readonly #branches = new Map<string, Branch<Page>>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(page: Page): void {
    const { name, isItself } = placeOf(page.key.slice(this.#prefix.length));
    // The page of the level itself belongs to the branch above.
    if (name === "") return;
    const branch = this.#branchOf(name);
    if (counting.has(page.state)) branch.pages += 1;
    if (gone.has(page.state)) branch.gone += 1;
    if (isItself) branch.page = page;
    if (page.changedAt !== undefined && page.changedAt > (branch.changedAt ?? 0))
      branch.changedAt = page.changedAt;
  }

  get branches(): Branch<Page>[] {
    return [...this.#branches.values()];
  }

  #branchOf(name: string): Branch<Page> {
    const known = this.#branches.get(name);
    if (known) return known;
    const branch = { name, prefix: `${this.#prefix}${name}/`, pages: 0, gone: 0 };
    this.#branches.set(name, branch);
    return branch;
  }
}

/** The first part of an address, and whether that is all of it. A slash within the query divides nothing. */
function placeOf(rest: string): { name: string; isItself: boolean } {
  const query = rest.indexOf("?");
  const path = query < 0 ? rest : rest.slice(0, query);
  const slash = path.indexOf("/");
  if (slash < 0) return { name: rest, isItself: true };
  return { name: path.slice(0, slash), isItself: slash === rest.length - 1 };
}

import {
  type FoundPage,
  type ListedPage,
  never,
  type PageMark,
  type PageRange,
  type SettledPage,
  type SiteCounts,
  type SitePage,
  type SitePageState,
  type SitePages,
} from "../../mixins/site-pages/site-pages.ts";
import { fail } from "../../services/contracts/errors.ts";

const states: SitePageState[] = ["new", "there", "missing", "removed", "moved", "refused", "alias"];
const counted = new Set<SitePageState>(["new", "there", "missing"]);

/** What the pages of a site do, as plainly as it can be said: one list, searched whole at each step. One site. */
export class ModelSitePages implements Omit<SitePages, "drop"> {
  #fence = 0;
  #seq = 0;
  #memory: string | null = null;
  #pages: SitePage[] = [];

  async open(_id: string, fence: number): Promise<{ memory: string | null }> {
    this.#check(fence);
    this.#fence = fence;
    return { memory: this.#memory };
  }

  async offer(_id: string, fence: number, found: FoundPage[], limit: number): Promise<number> {
    this.#check(fence);
    let added = 0;
    for (const page of found) {
      const isKnown = this.#pages.some(({ key }) => key === page.key);
      if (isKnown || (await this.counts()).pages >= limit) continue;
      this.#pages.push({ ...page, state: "new", title: "" });
      added += 1;
    }
    return added;
  }

  async due(_id: string, now: number, count: number): Promise<SitePage[]> {
    return this.#waiting()
      .filter(({ dueAt }) => dueAt <= now)
      .slice(0, count);
  }

  async nextDue(): Promise<number | null> {
    return this.#waiting()[0]?.dueAt ?? null;
  }

  async get(_id: string, keys: string[]): Promise<SitePage[]> {
    return this.#pages.filter(({ key }) => keys.includes(key));
  }

  async withContent(_id: string, content: string): Promise<SitePage[]> {
    return this.#pages
      .filter(page => page.content === content && ["there", "missing"].includes(page.state))
      .slice(0, 10);
  }

  async near(_id: string, key: string, count: number): Promise<SitePage[]> {
    const there = this.#inOrder().filter(({ state }) => state === "there");
    const after = there.filter(page => page.key > key);
    const before = there.filter(page => page.key < key).reverse();
    return there
      .flatMap((_, at) => [after[at], before[at]])
      .filter(page => page !== undefined)
      .slice(0, count);
  }

  async settle(_id: string, fence: number, pages: SettledPage[], memory?: string): Promise<void> {
    this.#check(fence);
    for (const { news = [], ...page } of pages) {
      const former = this.#pages.find(({ key }) => key === page.key);
      const added = news.map(post => {
        this.#seq += 1;
        return { seq: this.#seq, post };
      });
      const all = [...(former?.news ?? []), ...added];
      this.#pages = this.#pages.filter(each => each !== former);
      this.#pages.push({ ...page, ...(all.length > 0 && { news: all }) });
    }
    this.#memory = memory ?? this.#memory;
  }

  async mark(_id: string, fence: number, marks: PageMark[]): Promise<void> {
    this.#check(fence);
    for (const { key, listed, dueBy = never } of marks) {
      const page = this.#pages.find(each => each.key === key);
      if (!page) continue;
      page.dueAt = Math.min(page.dueAt, dueBy);
      if (listed) page.listed = listed;
      if (listed === null) delete page.listed;
    }
  }

  async news(_id: string, after: number, limit: number) {
    return this.#pages
      .flatMap(({ key, news = [] }) => news.map(each => ({ ...each, key })))
      .filter(({ seq }) => seq > after)
      .sort((a, b) => a.seq - b.seq)
      .slice(0, limit);
  }

  async acknowledge(_id: string, fence: number, seq: number): Promise<void> {
    this.#check(fence);
    for (const page of this.#pages) {
      const waiting = page.news?.filter(each => each.seq > seq) ?? [];
      if (waiting.length > 0) page.news = waiting;
      else delete page.news;
    }
  }

  async counts(): Promise<SiteCounts> {
    const of = (wanted: SitePageState) => this.#pages.filter(({ state }) => state === wanted).length;
    return {
      pages: this.#pages.filter(({ state }) => counted.has(state)).length,
      states: Object.fromEntries(states.map(state => [state, of(state)])) as Record<SitePageState, number>,
    };
  }

  async list(_id: string, { prefix = "", after = "", changedSince, limit, ...range }: PageRange) {
    return this.#inOrder()
      .filter(({ key }) => key.startsWith(prefix) && key > after)
      .filter(({ state }) => range.states?.includes(state) ?? true)
      .filter(({ changedAt }) => changedSince === undefined || (changedAt ?? -1) >= changedSince)
      .slice(0, limit)
      .map(({ memory: _memory, news: _news, ...page }): ListedPage => page);
  }

  async listed(_id: string, after: string, limit: number) {
    const pages = this.#inOrder().filter(({ key }) => key > after);
    return pages.slice(0, limit).map(({ key, listed, state }) => ({ key, ...(listed && { listed }), state }));
  }

  #waiting(): SitePage[] {
    return this.#pages.filter(({ news, dueAt }) => !news && dueAt < never).sort((a, b) => a.dueAt - b.dueAt);
  }

  #inOrder(): SitePage[] {
    return [...this.#pages].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  #check(fence: number): void {
    if (fence < this.#fence) throw fail("conflict", "Driven by someone else.");
  }
}

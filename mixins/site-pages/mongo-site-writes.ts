import type { AnyBulkWriteOperation, Filter } from "mongodb";
import type { MongoSiteSteps, SiteCollections } from "./mongo-site-steps.ts";
import { countsOf, stateNumber, states } from "./page-states.ts";
import {
  idOf,
  idsOf,
  newDocument,
  type StoredPage,
  type StoredSite,
  settledDocument,
} from "./site-documents.ts";
import type { FoundPage, PageMark, SettledPage } from "./site-pages.ts";

/** The fence of a site that is being dropped: no driver has one as high. */
const dropped = Number.MAX_SAFE_INTEGER;

/** A document has 16 MB at most. News that wait already come on top. */
const mostBytes = 4 * 1024 * 1024;

/** What a write needs to know of a page. */
type Known = Pick<StoredPage, "_id" | "state" | "news" | "last">;

const known = { _id: 1, state: 1, news: 1, last: 1 } as const;

/** What is written of the sites of a cluster, some pages at a time. */
export class MongoSiteWrites {
  readonly #of: SiteCollections;
  readonly #steps: MongoSiteSteps;

  constructor(of: SiteCollections, steps: MongoSiteSteps) {
    this.#of = of;
    this.#steps = steps;
  }

  async offer(siteId: string, fence: number, found: FoundPage[], limit: number): Promise<number> {
    const byKey = new Map<string, FoundPage>();
    for (const page of found) if (!byKey.has(page.key)) byKey.set(page.key, page);
    const there = await this.#known([...byKey.keys()].map(key => idOf(siteId, key)));
    const unknown = [...byKey.values()].filter(({ key }) => !there.has(idOf(siteId, key)));
    if (unknown.length === 0) {
      await this.#steps.check(siteId, fence);
      return 0;
    }
    const site = await this.#steps.begin(siteId, fence);
    const room = Math.max(0, limit - pagesOf(site));
    const fitting = unknown.slice(0, room).map(page => newDocument(siteId, site.step, page));
    const added = await this.#steps.insert(fitting);
    await this.#steps.end(site, new Map([[stateNumber("new"), added]]));
    return added;
  }

  /** In one step, or in several where it is too much for a document. */
  async settle(siteId: string, fence: number, pages: SettledPage[], memory?: string): Promise<void> {
    const half = Math.ceil(pages.length / 2);
    if (half > 1 && sizeOf(pages) > mostBytes) {
      await this.settle(siteId, fence, pages.slice(0, half));
      return this.settle(siteId, fence, pages.slice(half), memory);
    }
    const ids = pages.map(({ key }) => idOf(siteId, key));
    const added = pages.reduce((sum, { news = [] }) => sum + news.length, 0);
    const site = await this.#steps.begin(siteId, fence, added);
    const before = await this.#known(ids);
    const more = new Map<number, number>();
    const add = (state: number, count: number) => more.set(state, (more.get(state) ?? 0) + count);
    let seq = site.seq - added;
    const documents = pages.map((page, at) => {
      const former = before.get(ids[at] ?? "");
      if (former) add(former.state, -1);
      add(stateNumber(page.state), 1);
      const news = (page.news ?? []).map(post => {
        seq += 1;
        return { seq, post };
      });
      return settledDocument(siteId, site.step, page, [...(former?.news ?? []), ...news]);
    });
    await this.#steps.note(site, documents, memory);
    await this.#steps.replace(site.step, documents);
    await this.#steps.end(site, more);
  }

  async mark(siteId: string, fence: number, marks: PageMark[]): Promise<void> {
    await this.#steps.check(siteId, fence);
    const writes = marks.flatMap(mark => markWrite(siteId, mark));
    if (writes.length > 0) await this.#of.pages.bulkWrite(writes);
  }

  /** Looks at `limit` pages at most; answers how many those were. */
  async acknowledge(siteId: string, fence: number, seq: number, limit: number): Promise<number> {
    await this.#steps.check(siteId, fence);
    const told: Filter<StoredPage> = { s: siteId, first: { $lte: seq } };
    const some = await this.#of.pages.find(told).project<Known>(known).limit(limit).toArray();
    if (some.length > 0) await this.#of.pages.bulkWrite(some.map(page => forgetWrite(page, seq)));
    return some.length;
  }

  async drop(siteId: string, sliceSize: number): Promise<void> {
    const { sites, memories, pages } = this.#of;
    await sites.updateOne({ _id: siteId }, { $set: { fence: dropped }, $inc: { step: 1 } });
    for (let some = sliceSize; some === sliceSize; ) {
      const found = pages.find({ _id: idsOf(siteId) }).project<{ _id: string }>({ _id: 1 });
      const ids = (await found.limit(sliceSize).toArray()).map(({ _id }) => _id);
      if (ids.length > 0) await pages.deleteMany({ _id: { $in: ids } });
      some = ids.length;
    }
    await memories.deleteOne({ _id: siteId });
    await sites.deleteOne({ _id: siteId });
  }

  async #known(ids: string[]): Promise<Map<string, Known>> {
    const found = await this.#of.pages
      .find({ _id: { $in: ids } })
      .project<Known>(known)
      .toArray();
    return new Map(found.map(page => [page._id, page]));
  }
}

/** About how many bytes pages are. */
function sizeOf(pages: SettledPage[]): number {
  const characters = pages.flatMap(({ memory, news = [] }) => [
    memory?.length ?? 0,
    ...news.map(post => post.length),
  ]);
  return characters.reduce((sum, each) => sum + each, 0);
}

/** Pages that count against the limit. */
function pagesOf({ counts }: StoredSite): number {
  return countsOf(states.map((_, state) => counts[state] ?? 0)).pages;
}

function markWrite(siteId: string, { key, listed, dueBy }: PageMark): AnyBulkWriteOperation<StoredPage>[] {
  const update = {
    ...(listed && { $set: { mod: listed.lastmod } }),
    ...(listed === null && { $unset: { mod: true as const } }),
    ...(dueBy !== undefined && { $min: { due: dueBy } }),
  };
  if (Object.keys(update).length === 0) return [];
  return [{ updateOne: { filter: { _id: idOf(siteId, key) }, update } }];
}

/** Leaves a page alone that has got more news meanwhile. */
function forgetWrite({ _id, news = [], last }: Known, seq: number): AnyBulkWriteOperation<StoredPage> {
  const waiting = news.filter(each => each.seq > seq);
  const [next] = waiting;
  const update = next
    ? { $set: { news: waiting, first: next.seq } }
    : { $unset: { news: true as const, first: true as const, last: true as const } };
  return { updateOne: { filter: { _id, ...(last !== undefined && { last }) }, update } };
}

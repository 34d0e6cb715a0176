import type { Filter, FindCursor } from "mongodb";
import { byState, type SiteCollections } from "./mongo-site-steps.ts";
import { countsOf, inTurns, stateNumber, stateOf, states } from "./page-states.ts";
import { hashOf, idOf, idsOf, keyOf, listedOf, pageOf, type StoredPage } from "./site-documents.ts";
import type { ListedPage, PageNews, PageRange, SiteCounts, SitePage } from "./site-pages.ts";

const [there, missing] = [stateNumber("there"), stateNumber("missing")];
const noNews: Filter<StoredPage> = { first: { $exists: false } };
const mostAlike = 10;

/** What is read of the sites of a cluster. Every query follows an index. */
export class MongoSiteViews {
  readonly #of: SiteCollections;

  constructor(of: SiteCollections) {
    this.#of = of;
  }

  async memory(siteId: string): Promise<string | null> {
    return (await this.#of.memories.findOne({ _id: siteId }, { projection: { memory: 1 } }))?.memory ?? null;
  }

  due(siteId: string, now: number, count: number): Promise<SitePage[]> {
    const isDue: Filter<StoredPage> = { s: siteId, due: { $lte: now }, ...noNews };
    return whole(this.#of.pages.find(isDue).sort({ due: 1 }).limit(count));
  }

  async nextDue(siteId: string): Promise<number | null> {
    const isDue: Filter<StoredPage> = { s: siteId, due: { $exists: true }, ...noNews };
    const [first] = await this.#of.pages
      .find(isDue)
      .sort({ due: 1 })
      .limit(1)
      .project<Pick<StoredPage, "due">>({ _id: 0, due: 1 })
      .toArray();
    return first?.due ?? null;
  }

  get(siteId: string, keys: string[]): Promise<SitePage[]> {
    return whole(this.#of.pages.find({ _id: { $in: keys.map(key => idOf(siteId, key)) } }));
  }

  withContent(siteId: string, content: string): Promise<SitePage[]> {
    const alike: Filter<StoredPage> = {
      s: siteId,
      hash: hashOf(content),
      state: { $in: [there, missing] },
    };
    return whole(this.#of.pages.find(alike).limit(mostAlike));
  }

  async near(siteId: string, key: string, count: number): Promise<SitePage[]> {
    const { $gt, $lt } = idsOf(siteId);
    const id = idOf(siteId, key);
    const [after, before] = await Promise.all([
      whole(
        this.#of.pages
          .find({ _id: { $gt: id, $lt }, state: there }, { hint: "_id_" })
          .sort({ _id: 1 })
          .limit(count),
      ),
      whole(
        this.#of.pages
          .find({ _id: { $gt, $lt: id }, state: there }, { hint: "_id_" })
          .sort({ _id: -1 })
          .limit(count),
      ),
    ]);
    return inTurns(after, before, count);
  }

  async news(siteId: string, after: number, limit: number): Promise<(PageNews & { key: string })[]> {
    const later: Filter<StoredPage> = { s: siteId, first: { $gt: after } };
    const partly: Filter<StoredPage> = { s: siteId, first: { $lte: after }, last: { $gt: after } };
    // Each of the first `limit` posts is of one of the first `limit` pages.
    const cursors = [this.#of.pages.find(later).sort({ first: 1 }).limit(limit), this.#of.pages.find(partly)];
    const found = await Promise.all(
      cursors.map(cursor => cursor.project<NewsOfPage>({ s: 1, news: 1 }).toArray()),
    );
    const posts = found
      .flat()
      .flatMap(page => (page.news ?? []).map(each => ({ ...each, key: keyOf(page) })));
    return posts
      .filter(({ seq }) => seq > after)
      .sort((a, b) => a.seq - b.seq)
      .slice(0, limit);
  }

  async counts(siteId: string): Promise<SiteCounts> {
    const site = await this.#of.sites.findOne({ _id: siteId }, { projection: { counts: 1 } });
    return countsOf(states.map((_, state) => site?.counts[state] ?? 0));
  }

  async list(siteId: string, range: PageRange): Promise<ListedPage[]> {
    const { changedSince, limit } = range;
    const wanted = range.states?.map(stateNumber);
    const filter: Filter<StoredPage> = {
      _id: idsOf(siteId, range),
      s: siteId,
      ...(wanted && { state: { $in: wanted } }),
      ...(changedSince !== undefined && { changed: { $gte: changedSince } }),
    };
    const hint = changedSince !== undefined ? byChange : wanted?.includes(there) === false ? byState : "_id_";
    const found = this.#of.pages.find(filter, { hint }).sort({ _id: 1 }).limit(limit);
    return (await found.project<StoredPage>({ memory: 0, news: 0 }).toArray()).map(pageOf);
  }

  async listed(
    siteId: string,
    after: string,
    limit: number,
  ): Promise<Pick<SitePage, "key" | "listed" | "state">[]> {
    const found = this.#of.pages.find({ _id: idsOf(siteId, { after }) }, { hint: "_id_" });
    const pages = found.sort({ _id: 1 }).limit(limit).project<StoredPage>({ s: 1, mod: 1, state: 1 });
    return (await pages.toArray()).map(page => ({
      key: keyOf(page),
      ...listedOf(page),
      state: stateOf(page.state),
    }));
  }
}

const byChange = { s: 1, changed: 1 } as const;

type NewsOfPage = Pick<StoredPage, "_id" | "s" | "news">;

async function whole(cursor: FindCursor<StoredPage>): Promise<SitePage[]> {
  return (await cursor.toArray()).map(stored => ({
    ...pageOf(stored),
    ...(stored.memory && { memory: new Uint8Array(stored.memory.buffer) }),
    ...(stored.news && { news: stored.news }),
  }));
}

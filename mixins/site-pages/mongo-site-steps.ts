import type { Collection, MongoBulkWriteError } from "mongodb";
import { fail } from "../../services/contracts/errors.ts";
import { states } from "./page-states.ts";
import { idsOf, type StoredMemory, type StoredPage, type StoredSite } from "./site-documents.ts";

/** The collections of the sites of a cluster. */
export interface SiteCollections {
  sites: Collection<StoredSite>;
  memories: Collection<StoredMemory>;
  pages: Collection<StoredPage>;
}

/** Finds pages that are not `there` by their state, in the order of keys. */
export const byState = "by_state";

const [duplicateKey, none] = [11_000, {}];

/**
 * Steps that write pages of a site. There are no transactions: a step notes at the site which pages it writes, writes them,
 * and then counts them. A step that finds such a note takes those pages from the one that left it, which may be
 * suspended and not dead, and counts all anew.
 */
export class MongoSiteSteps {
  readonly #of: SiteCollections;

  constructor(of: SiteCollections) {
    this.#of = of;
  }

  async open(siteId: string, fence: number): Promise<void> {
    const { sites } = this.#of;
    const isLower = { _id: siteId, fence: { $lte: fence } };
    const begin = { $set: { fence }, $inc: { step: 1 }, $setOnInsert: { seq: 0, counts: none } };
    try {
      const site = await sites.findOneAndUpdate(isLower, begin, { upsert: true, returnDocument: "after" });
      if (site?.writing || site?.isDoubted) await this.#repair(site);
    } catch (error) {
      throw isDuplicate(error) ? conflict() : error;
    }
  }

  /** Rejects where this fence may not drive the site. */
  async check(siteId: string, fence: number): Promise<void> {
    const site = await this.#of.sites.findOne({ _id: siteId }, { projection: { fence: 1 } });
    if (!site || fence < site.fence) throw conflict();
  }

  /** Begins a step that writes pages, with their identities, and takes places for news. Answers the site as of then. */
  async begin(siteId: string, fence: number, writing: string[], news: number): Promise<StoredSite> {
    const { sites } = this.#of;
    const mayWrite = { _id: siteId, fence: { $lte: fence } };
    for (;;) {
      const site = await sites.findOneAndUpdate(
        { ...mayWrite, writing: { $exists: false }, isDoubted: { $exists: false } },
        { $inc: { step: 1, seq: news }, $set: { writing } },
        { returnDocument: "after" },
      );
      if (site) return site;
      const unfinished = await sites.findOneAndUpdate(
        mayWrite,
        { $inc: { step: 1 } },
        { returnDocument: "after" },
      );
      if (!unfinished) throw conflict();
      await this.#repair(unfinished);
    }
  }

  /** Rejects where another step has begun since. */
  async stillAt({ _id, step }: StoredSite): Promise<void> {
    if (!(await this.#of.sites.findOne({ _id, step }, { projection: { _id: 1 } }))) await this.#giveUp(_id);
  }

  /** Ends a step: `more` pages of each state. */
  async end({ _id, step }: StoredSite, more: ReadonlyMap<number, number>): Promise<void> {
    const { sites } = this.#of;
    const counts = [...more].filter(([, count]) => count !== 0);
    const counted = Object.fromEntries(counts.map(([state, count]) => [`counts.${state}`, count]));
    const { matchedCount } = await sites.updateOne(
      { _id, step },
      { $unset: { writing: true }, ...(counts.length > 0 && { $inc: counted }) },
    );
    if (matchedCount === 0) await this.#giveUp(_id);
  }

  /** Inserts pages that are not there; answers how many those were. */
  async insert(documents: StoredPage[]): Promise<number> {
    if (documents.length === 0) return 0;
    try {
      return (await this.#of.pages.insertMany(documents, { ordered: false })).insertedCount;
    } catch (error) {
      if (!areDuplicates(error)) throw error;
      return (error as MongoBulkWriteError).insertedCount;
    }
  }

  /** Writes pages over those of earlier steps. Rejects where a later step has taken one of them. */
  async replace(step: number, documents: StoredPage[]): Promise<void> {
    if (documents.length === 0) return;
    const writes = documents.map(document => ({
      replaceOne: { filter: { _id: document._id, f: { $lt: step } }, replacement: document },
    }));
    const { matchedCount } = await this.#of.pages.bulkWrite(writes);
    if (matchedCount < documents.length) throw conflict();
  }

  async remember(siteId: string, step: number, memory: string): Promise<void> {
    const replacement = { f: step, memory };
    try {
      const isEarlier = { _id: siteId, f: { $lt: step } };
      await this.#of.memories.replaceOne(isEarlier, replacement, { upsert: true });
    } catch (error) {
      throw isDuplicate(error) ? conflict() : error;
    }
  }

  /**
   * Another step has begun, or the site was dropped. That may have been before this one has inserted pages: the next step
   * counts anew, and of a dropped site nothing is left.
   */
  async #giveUp(siteId: string): Promise<never> {
    const { sites, pages } = this.#of;
    const { matchedCount } = await sites.updateOne({ _id: siteId }, { $set: { isDoubted: true } });
    if (matchedCount === 0) await pages.deleteMany({ _id: idsOf(siteId) });
    throw conflict();
  }

  async #repair({ _id, step, writing = [] }: StoredSite): Promise<void> {
    const { sites, pages } = this.#of;
    await pages.updateMany({ _id: { $in: writing } }, { $max: { f: step } });
    const counts = await this.#counted(_id);
    await sites.updateOne({ _id, step }, { $set: { counts }, $unset: { writing: true, isDoubted: true } });
  }

  async #counted(siteId: string): Promise<Record<string, number>> {
    const { pages } = this.#of;
    const all = await pages.countDocuments({ _id: idsOf(siteId) }, { hint: "_id_" });
    let others = 0;
    const counts: Record<string, number> = {};
    for (const state of states.keys()) {
      if (state === 0) continue;
      const count = await pages.countDocuments({ s: siteId, state }, { hint: byState });
      counts[state] = count;
      others += count;
    }
    return { ...counts, 0: all - others };
  }
}

function conflict(): Error {
  return fail("conflict", "This site is worked by someone else.");
}

function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown }).code === duplicateKey;
}

/** Whether all that the server refused of many was there already. */
function areDuplicates(error: unknown): boolean {
  const { writeErrors = [] } = error as Partial<MongoBulkWriteError>;
  return isDuplicate(error) && [writeErrors].flat().every(({ code }) => code === duplicateKey);
}

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
 * Steps that write pages of a site. There are no transactions: a step notes at the site that it writes, writes, and then
 * counts its pages. One that settles pages notes before what it writes, with the site's memory, in one document: from then
 * on it counts as done. A step that finds that another one has broken off finishes that one if it has got so far, and
 * counts all anew. The other one may be suspended and not dead; what it does later is refused.
 */
export class MongoSiteSteps {
  readonly #of: SiteCollections;

  constructor(of: SiteCollections) {
    this.#of = of;
  }

  async open(siteId: string, fence: number): Promise<void> {
    const { sites, memories } = this.#of;
    const isLower = { _id: siteId, fence: { $lte: fence } };
    const taken = { $set: { fence }, $inc: { step: 1 }, $setOnInsert: { seq: 0, counts: none } };
    try {
      const site = await sites.findOneAndUpdate(isLower, taken, { upsert: true, returnDocument: "after" });
      await memories.updateOne({ _id: siteId }, { $setOnInsert: { f: 0 } }, { upsert: true });
      if (site && isBroken(site)) await this.#repair(site);
    } catch (error) {
      throw isDuplicate(error) ? conflict() : error;
    }
  }

  /** Rejects where this fence may not drive the site. */
  async check(siteId: string, fence: number): Promise<void> {
    const site = await this.#of.sites.findOne({ _id: siteId });
    if (!site || fence < site.fence) throw conflict();
    if (isBroken(site)) await this.#repairAt(siteId, fence);
  }

  /** Begins a step that writes pages, and takes places for news. Answers the site as of then. */
  async begin(siteId: string, fence: number, news = 0): Promise<StoredSite> {
    const next = { $add: ["$step", 1] };
    const begun = { step: next, writing: next, seq: { $add: ["$seq", news] } };
    for (;;) {
      const site = await this.#of.sites.findOneAndUpdate(
        { _id: siteId, fence: { $lte: fence }, writing: { $exists: false }, isDoubted: { $exists: false } },
        [{ $set: begun }],
        { returnDocument: "after" },
      );
      if (site) return site;
      await this.#repairAt(siteId, fence);
    }
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

  /** Writes pages over those of earlier steps. Rejects where a later step has written one of them. */
  async replace(step: number, documents: StoredPage[]): Promise<void> {
    if (documents.length === 0) return;
    const writes = documents.map(document => ({
      replaceOne: { filter: { _id: document._id, f: { $lt: step } }, replacement: document, upsert: true },
    }));
    try {
      await this.#of.pages.bulkWrite(writes);
    } catch (error) {
      throw isDuplicate(error) ? conflict() : error;
    }
  }

  /** Notes all that a step settles: from here on it is done, by this step or by the next one. */
  async note({ _id, step }: StoredSite, pages: StoredPage[], memory: string | undefined): Promise<void> {
    const noted = { f: step, settled: { step, pages }, ...(memory !== undefined && { memory }) };
    const { matchedCount } = await this.#of.memories.updateOne({ _id, f: { $lt: step } }, { $set: noted });
    if (matchedCount === 0) await this.#giveUp(_id);
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

  async #repairAt(siteId: string, fence: number): Promise<void> {
    const site = await this.#of.sites.findOneAndUpdate(
      { _id: siteId, fence: { $lte: fence } },
      { $inc: { step: 1 } },
      { returnDocument: "after" },
    );
    if (!site) throw conflict();
    await this.#repair(site);
  }

  async #repair({ _id, step, writing }: StoredSite): Promise<void> {
    const { sites, memories } = this.#of;
    // From here on the other one cannot note what it writes.
    const noted = await memories.findOneAndUpdate({ _id }, { $max: { f: step } });
    const { settled } = noted ?? {};
    if (settled && settled.step === writing)
      await this.replace(
        step,
        settled.pages.map(page => ({ ...page, f: step })),
      );
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

function isBroken({ writing, isDoubted = false }: StoredSite): boolean {
  return writing !== undefined || isDoubted;
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

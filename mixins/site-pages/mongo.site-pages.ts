import { FairSemaphore } from "../async/fair-semaphore.ts";
import { closeMongo, type Mongo, mapMongoErrors, openMongo, withDeadline } from "../cluster/mongo.ts";
import type { ClusterConfig } from "../config/config.ts";
import { byState, MongoSiteSteps, type SiteCollections } from "./mongo-site-steps.ts";
import { MongoSiteViews } from "./mongo-site-views.ts";
import { MongoSiteWrites } from "./mongo-site-writes.ts";
import { slicesOf } from "./page-states.ts";
import type { OpenSitePages, SitePages } from "./site-pages.ts";

/** Pages that one command of a long step reads or writes. */
const sliceSize = 200;

/** The pages of a cluster's sites, on the process' connection to MongoDB. */
export async function openMongoSitePages(
  cluster: Pick<ClusterConfig, "mongoUrl" | "namespace">,
): Promise<OpenSitePages> {
  const mongo = await openMongo(cluster);
  const close = () => closeMongo(cluster);
  try {
    return { ...(await mongoSitePages(mongo)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The pages of sites on a connection, which stays the caller's. */
export async function mongoSitePages({ db, name }: Mongo): Promise<SitePages> {
  const of: SiteCollections = {
    sites: withDeadline(db.collection(name("sites"))),
    memories: withDeadline(db.collection(name("site_memories"))),
    pages: withDeadline(db.collection(name("site_pages"))),
  };
  await mapMongoErrors(ensureIndexes(of));
  return driver(of);
}

async function ensureIndexes({ pages }: SiteCollections): Promise<void> {
  const some = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });
  await pages.createIndex({ s: 1, due: 1 }, some("due"));
  await pages.createIndex({ s: 1, hash: 1 }, some("hash"));
  await pages.createIndex({ s: 1, changed: 1 }, some("changed"));
  await pages.createIndex({ s: 1, first: 1 }, some("first"));
  const isElsewhere = { partialFilterExpression: { state: { $gt: 0 } } };
  await pages.createIndex({ s: 1, state: 1, _id: 1 }, { name: byState, ...isElsewhere });
}

function driver(of: SiteCollections): SitePages {
  const steps = new MongoSiteSteps(of);
  const [writes, views] = [new MongoSiteWrites(of, steps), new MongoSiteViews(of)];
  // Steps of one site wait for each other: each is a row of commands.
  const turns = new FairSemaphore({ width: Number.POSITIVE_INFINITY, perGroup: 1 });
  const { signal } = new AbortController();
  const inTurn = <Result>(siteId: string, step: () => Promise<Result>): Promise<Result> =>
    mapMongoErrors(turns.run(siteId, signal, step));
  return {
    open: (siteId, fence) =>
      inTurn(siteId, async () => {
        await steps.open(siteId, fence);
        return { memory: await views.memory(siteId) };
      }),
    offer: (siteId, fence, found, limit) =>
      inTurn(siteId, async () => {
        let added = 0;
        for (const some of slicesOf(found, sliceSize))
          added += await writes.offer(siteId, fence, some, limit);
        return added;
      }),
    settle: (siteId, fence, pages, memory) =>
      inTurn(siteId, async () => {
        const slices = slicesOf(pages, sliceSize);
        for (const [at, some] of slices.entries())
          await writes.settle(siteId, fence, some, at === slices.length - 1 ? memory : undefined);
      }),
    mark: (siteId, fence, marks) =>
      inTurn(siteId, async () => {
        for (const some of slicesOf(marks, sliceSize)) await writes.mark(siteId, fence, some);
      }),
    acknowledge: (siteId, fence, seq) =>
      inTurn(siteId, async () => {
        while ((await writes.acknowledge(siteId, fence, seq, sliceSize)) === sliceSize);
      }),
    drop: siteId => inTurn(siteId, () => writes.drop(siteId, sliceSize)),
    due: (siteId, now, count) => mapMongoErrors(views.due(siteId, now, count)),
    nextDue: siteId => mapMongoErrors(views.nextDue(siteId)),
    get: (siteId, keys) => mapMongoErrors(views.get(siteId, keys)),
    withContent: (siteId, content) => mapMongoErrors(views.withContent(siteId, content)),
    near: (siteId, key, count) => mapMongoErrors(views.near(siteId, key, count)),
    news: (siteId, after, limit) => mapMongoErrors(views.news(siteId, after, limit)),
    counts: siteId => mapMongoErrors(views.counts(siteId)),
    list: (siteId, range) => mapMongoErrors(views.list(siteId, range)),
    listed: (siteId, after, limit) => mapMongoErrors(views.listed(siteId, after, limit)),
  };
}

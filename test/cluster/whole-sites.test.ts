import type { Config } from "../../mixins/config/config.ts";
import { openMongoSitePages } from "../../mixins/site-pages/mongo.site-pages.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { changesPastSuite } from "../suites/changes-past.suite.ts";
import { monitorServices, monitorsSuite } from "../suites/monitors.suite.ts";
import { pageChangesSuite } from "../suites/page-changes.suite.ts";
import { FakeSearxng, searchesSuite } from "../suites/searches.suite.ts";
import { sitePagesApiSuite } from "../suites/site-pages-api.suite.ts";
import { sitesSuite } from "../suites/sites.suite.ts";
import { watchOverrides } from "../suites/watches.suite.ts";
import { emptiedTracker } from "../support/emptied-tracker.ts";
import type { Installation } from "../support/installation.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";
import { untilWarm } from "../support/until-warm.ts";

const mongo = await startMongo();
const [nats, redis] = await Promise.all([startNats(), startRedis()]);
const urls = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url };
const inCluster = withMongo(mongo);

afterAll(async () => {
  await Promise.all([mongo, nats, redis].map(server => server.stop()));
});

inCluster.describe("sites, monitors, searches and changes in one cluster", () => {
  const engine = new FakeSearxng();
  let nodes: Nodes | undefined;
  /** The tracker is on two nodes already; a site's pages are read and settled by two others. */
  const services = [...monitorServices, connectorsService, crawlerService];

  beforeAll(async () => {
    const config: Partial<Config> = {
      ...watchOverrides(60_000),
      searxngUrl: await engine.start(),
      crawl: { concurrency: 4, hostConcurrency: 4 },
      scraperIdleMs: Number.POSITIVE_INFINITY,
    };
    nodes = await startNodes({ ...urls, namespace: "whole-sites" }, config, services);
    await untilWarm(nodes.services.find(node => node.getLocalService("scraper")) ?? nodes.broker);
  });
  afterAll(async () => {
    await nodes?.stop();
    await engine.close();
  });

  const installation = (): Installation => {
    if (!nodes) throw new Error("no node has started");
    return { magpie: nodes, brokers: nodes.services };
  };
  describe("monitors", () => monitorsSuite(() => installation().magpie));
  describe("searches", () => searchesSuite(installation, () => engine));
  describe("changes", () => pageChangesSuite(installation));
  describe("sites", () => sitesSuite(installation));
});

inCluster.describe("the pages of a site on MongoDB", () => {
  sitePagesApiSuite(async (config, services) => {
    const cluster = { ...urls, namespace: "site-pages-api" };
    const magpie = await startNodes(cluster, config, services);
    return { magpie, pages: await openMongoSitePages(cluster) };
  });
});

inCluster.describe("a store on MongoDB", () => changesPastSuite("MongoDB", emptiedTracker(mongo)));

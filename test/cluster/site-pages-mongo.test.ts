import { randomUUID } from "node:crypto";
import { openMongoSitePages } from "../../mixins/site-pages/mongo.site-pages.ts";
import { sitePagesSuite } from "../suites/site-pages.suite.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

const mongod = await startMongo();
afterAll(() => mongod.stop());

const place = () => ({ mongoUrl: mongod.url, namespace: `s${randomUUID().slice(0, 8)}` });

withMongo(mongod).describe("MongoDB", () => {
  sitePagesSuite("mongodb", async () => {
    const pages = await openMongoSitePages(place());
    return { pages, close: () => pages.close() };
  });
});

import { storeOptions } from "../../services/tracker/sources.store.ts";
import { trackerDeathsSuite } from "../suites/tracker-deaths.suite.ts";
import { emptiedStore } from "../support/emptied-store.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

const mongo = await startMongo();
afterAll(() => mongo.stop());

withMongo(mongo).describe("a store on MongoDB", () => {
  trackerDeathsSuite("MongoDB", emptiedStore(mongo, storeOptions));
});

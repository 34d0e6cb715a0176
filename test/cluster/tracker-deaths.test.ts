import { trackerDeathsSuite } from "../suites/tracker-deaths.suite.ts";
import { emptiedTracker } from "../support/emptied-tracker.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

const server = await startMongo();
afterAll(() => server.stop());

withMongo(server).describe("a store on MongoDB", () => {
  trackerDeathsSuite("MongoDB", emptiedTracker(server));
});

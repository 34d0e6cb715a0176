import { storeOptions } from "../../services/webhook-dispatcher/webhooks.store.ts";
import { endpointDeathsSuite } from "../suites/endpoint-deaths.suite.ts";
import { madeOnceDeathsSuite } from "../suites/made-once.suite.ts";
import { emptiedStore } from "../support/emptied-store.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

const mongo = await startMongo();
afterAll(() => mongo.stop());

withMongo(mongo).describe("a store on MongoDB", () => {
  endpointDeathsSuite("MongoDB", emptiedStore(mongo, storeOptions));
  madeOnceDeathsSuite("MongoDB", emptiedStore(mongo, storeOptions));
});

import { openMongoStore } from "../../mixins/store/mongo/mongo-store.ts";
import type { Store } from "../../mixins/store/store.ts";
import { storeOptions } from "../../services/webhook-dispatcher/webhooks.store.ts";
import { endpointDeathsSuite } from "../suites/endpoint-deaths.suite.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

const server = await startMongo();
const run = Date.now().toString(36);
let spaces = 0;
afterAll(() => server.stop());

const { collection, indexes = [], extraCollections = {} } = storeOptions;

withMongo(server).describe("a store on MongoDB", () => {
  endpointDeathsSuite("MongoDB", async () => {
    spaces += 1;
    const place = { mongoUrl: server.url, namespace: `e${run}-${spaces}` };
    const declared = Object.entries({ [collection]: indexes, ...extraCollections });
    const { store, close } = await openMongoStore(place, declared);
    return { store: store as unknown as Store<never>, close };
  });
});

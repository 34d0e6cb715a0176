import { openMongoStore } from "../../mixins/store/mongo/mongo-store.ts";
import type { OpenStore } from "../../mixins/store/store-of.ts";
import { auditSuite } from "../suites/audit.suite.ts";
import { keyBoundsSuite } from "../suites/key-bounds.suite.ts";
import { type QuotaDriver, quotasSuite } from "../suites/quotas.suite.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

const server = await startMongo();
const run = Date.now().toString(36);
let spaces = 0;
afterAll(() => server.stop());

withMongo(server).describe("a store on MongoDB", () => {
  quotasSuite("mongo", driverOf);
  keyBoundsSuite("mongo", driverOf);
  auditSuite("mongo", driverOf);
});

function driverOf(): QuotaDriver {
  spaces += 1;
  const place = { mongoUrl: server.url, namespace: `q${run}-${spaces}` };
  const opened: OpenStore[] = [];
  return {
    open: async collections => async () => {
      const store = await openMongoStore(place, collections);
      opened.push(store);
      return store.store;
    },
    close: async () => {
      for (const store of opened) await store.close();
    },
  };
}

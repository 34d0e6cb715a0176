import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { mongoHistory } from "../../mixins/history/mongo.history.ts";
import { gridfsBlobs } from "../../mixins/store/blobs/gridfs.blobs.ts";
import { storeOptions } from "../../services/tracker/sources.store.ts";
import { trackerDeathsSuite } from "../suites/tracker-deaths.suite.ts";
import { emptiedStore } from "../support/emptied-store.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

const server = await startMongo();
afterAll(() => server.stop());

withMongo(server).describe("a store on MongoDB", () => {
  const open = emptiedStore(server, storeOptions);
  trackerDeathsSuite("MongoDB", async () => {
    const { store, close } = await open();
    const place = { mongoUrl: server.url, namespace: "emptied" };
    const mongo = await openMongo(place);
    const history = {
      ...(await mongoHistory(mongo, await gridfsBlobs(mongo))),
      close: () => closeMongo(place),
    };
    return {
      store,
      history,
      close: async () => {
        await history.close();
        await close();
      },
    };
  });
});

import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { mongoHistory } from "../../mixins/history/mongo.history.ts";
import { gridfsBlobs } from "../../mixins/store/blobs/gridfs.blobs.ts";
import { storeOptions } from "../../services/tracker/sources.store.ts";
import type { TrackerStore } from "../suites/tracker-deaths.suite.ts";
import { emptiedStore } from "./emptied-store.ts";
import type { TestMongo } from "./mongo.ts";

/** Opens the tracker's store with a history on MongoDB, empty each time. */
export function emptiedTracker(server: TestMongo): () => Promise<TrackerStore> {
  const open = emptiedStore(server, storeOptions);
  return async () => {
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
  };
}

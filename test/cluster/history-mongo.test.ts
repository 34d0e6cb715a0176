import { randomUUID } from "node:crypto";
import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { mongoHistory } from "../../mixins/history/mongo.history.ts";
import { gridfsBlobs } from "../../mixins/store/blobs/gridfs.blobs.ts";
import { historySuite } from "../suites/history.suite.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

const mongod = await startMongo();
afterAll(() => mongod.stop());

withMongo(mongod).describe("MongoDB", () => {
  historySuite("mongodb", async () => {
    const place = { mongoUrl: mongod.url, namespace: `h${randomUUID().slice(0, 8)}` };
    const mongo = await openMongo(place);
    const blobs = await gridfsBlobs(mongo);
    let now = Date.now();
    const opened = async () => ({
      ...(await mongoHistory(mongo, blobs, () => now)),
      close: async () => undefined,
    });
    return {
      history: await opened(),
      other: await opened(),
      advance: ms => {
        now += ms;
      },
      close: async () => {
        await mongo.db.dropDatabase();
        await closeMongo(place);
      },
    };
  });
});

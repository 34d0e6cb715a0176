import { randomUUID } from "node:crypto";
import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { MongoWords } from "../../mixins/history/mongo-words.ts";
import { wordIndexSuite } from "../suites/word-index.suite.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

const mongod = await startMongo();
afterAll(() => mongod.stop());

withMongo(mongod).describe("MongoDB", () => {
  wordIndexSuite("MongoDB", async () => {
    const place = { mongoUrl: mongod.url, namespace: `w${randomUUID().slice(0, 8)}` };
    const mongo = await openMongo(place);
    const index = new MongoWords(mongo);
    await index.ensureIndexes();
    return {
      index,
      close: async () => {
        await mongo.db.dropDatabase();
        await closeMongo(place);
      },
    };
  });
});

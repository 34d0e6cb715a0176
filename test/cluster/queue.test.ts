import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Queues } from "../../mixins/queue/queue.ts";
import { openQueues, type Place } from "../integration/queue-place.ts";
import { queueSuite } from "../suites/queue.suite.ts";
import { removeFolder } from "../support/folders.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";

let folder: string;
let redis: TestRedis;
let places = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "magpie-queue-"));
  redis = await startRedis();
});
afterAll(async () => {
  await redis.stop();
  await removeFolder(folder);
});

function driver(place: Place) {
  const opened: Queues[] = [];
  return {
    open: () => {
      const queues = openQueues(place);
      opened.push(queues);
      return queues;
    },
    close: async () => {
      await Promise.all(opened.map(queues => queues.close()));
    },
  };
}

const sqlitePlace = (): Place => ({ driver: "sqlite", path: join(folder, `${places++}.db`) });
const bullmqPlace = (): Place => ({ driver: "bullmq", url: redis.url, prefix: `test-${places++}` });

queueSuite("sqlite", async () => driver(sqlitePlace()));
queueSuite("bullmq", async () => driver(bullmqPlace()));

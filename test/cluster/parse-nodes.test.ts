import { createHash, randomBytes } from "node:crypto";
import { toConfig } from "../../mixins/config/config.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { apiKey } from "../support/magpie.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { docx, paragraph } from "../support/office.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";

const mongo = await startMongo();
const inCluster = withMongo(mongo);

let servers: [TestNats, TestRedis];
let nodes: Nodes;

beforeAll(async () => {
  servers = await Promise.all([startNats(), startRedis()]);
  const [nats, redis] = servers;
  if (!mongo.isThere) return;
  nodes = await startNodes(
    { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url, namespace: "parse-nodes" },
    { browser: { ...toConfig({}).browser, path: "/nowhere" } },
    [keysService, scraperService],
  );
});

afterAll(async () => {
  await nodes?.stop();
  await Promise.all([mongo, ...(servers ?? [])].map(server => server.stop()));
});

async function parse(file: Blob, name: string, options: object) {
  const form = new FormData();
  form.append("file", file, name);
  form.append("options", JSON.stringify(options));
  const headers = { "x-api-key": apiKey };
  const answer = await fetch(`${nodes.url}/web/parse`, { method: "POST", headers, body: form });
  const body = (await answer.json()) as { data: { markdown: string; raw_html?: string }; error?: string };
  return { ...body, status: answer.status };
}

inCluster.test("a document reaches the node that reads it", async () => {
  const file = new Blob([Buffer.from(docx(paragraph("It turns.")))]);
  expect(await parse(file, "mill.docx", {})).toMatchObject({ status: 200, data: { markdown: "It turns." } });
});

inCluster.test("a document of many messages arrives as it was sent", async () => {
  // Random words, so that it is no smaller when it is compressed.
  const text = randomBytes(1_500_000).toString("hex");
  const read = await parse(new Blob([text]), "words.txt", { output: { formats: ["markdown"] } });
  const sum = (of: string) => createHash("sha256").update(of).digest("hex");
  expect({ status: read.status, sum: sum(read.data.markdown) }).toEqual({ status: 200, sum: sum(text) });
});

inCluster.test("the largest document passes, and a refusal comes back", async () => {
  const large = Buffer.alloc(32 * 1024 * 1024, "word ");
  const read = await parse(new Blob([large]), "words.txt", {});
  expect(read.status).toBe(200);
  expect(read.data.markdown.startsWith("word word")).toBe(true);
  const refused = await parse(new Blob([large]), "words.txt", { output: { formats: ["json"] } });
  expect(refused.status).toBe(400);
});

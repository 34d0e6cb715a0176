import { type Config, toConfig } from "../../mixins/config/config.ts";
import { adminService } from "../../services/admin/admin.service.ts";
import { apiService } from "../../services/api/api.service.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { callTool, eras, httpClient, unfenced } from "../support/mcp-client.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const mongo = await startMongo();
const inCluster = withMongo(mongo);

let servers: [TestNats, TestRedis];
let nodes: Nodes;

beforeAll(async () => {
  servers = await Promise.all([startNats(), startRedis()]);
  const [nats, redis] = servers;
  if (!mongo.isThere) return;
  const cluster = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url, namespace: "mcp-nodes" };
  const social = { ...toConfig({}).social, sandboxEveryMs: null };
  nodes = await startNodes(cluster, { social }, [
    keysService,
    trackerService,
    connectorsService,
    () => adminService(),
    (config: Config) => apiService(config),
  ]);
});

afterAll(async () => {
  await nodes?.stop();
  await Promise.all([mongo, ...(servers ?? [])].map(server => server.stop()));
});

/** Sends each request to the other of two gateways, as a load balancer without sticky sessions does. */
function roundRobin({ url, services }: Nodes): { through: typeof fetch; asked: () => number[] } {
  const second = services.at(-1)?.getLocalService("api") as unknown as { address: string };
  const gateways = [url, second.address];
  const asked = [0, 0];
  let next = 0;
  const through: typeof fetch = (target, init) => {
    const at = next;
    next = 1 - next;
    asked[at] = (asked[at] ?? 0) + 1;
    return fetch(String(target).replace(url, gateways[at] ?? ""), init);
  };
  return { through, asked: () => asked };
}

inCluster.test.each(eras)("two gateways serve one client of the %s era in turn", async era => {
  const { url, apiKey, request } = nodes;
  const { through, asked } = roundRobin(nodes);
  const client = await httpClient(era, url, { authorization: `Bearer ${apiKey}` }, through);
  try {
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    const before = await callTool(client, "read_events", {});
    const [, after] = /next_after: (\d+)/.exec(before.text) ?? [];
    await callTool(client, "track", { source: "microblog", sid: "quiet_wren" });

    // Each gateway waits in its turn, and both hear of the post.
    const waits = [1, 2].map(() =>
      callTool(client, "read_events", { after: Number(after), wait_seconds: 25 }),
    );
    const text = `A word for the ${era} era.`;
    const body = { platform: "microblog", username: "quiet_wren", text };
    expect((await request("POST", "/internal/sandbox/post", { admin: true, body })).status).toBe(200);
    for (const answer of await Promise.all(waits)) expect(unfenced(answer.text).content).toContain(text);
    expect(Math.min(...asked())).toBeGreaterThan(1);
  } finally {
    await client.close();
  }
});

inCluster.test.each(eras)(
  "a client of the %s era is told of an event whichever gateways serve it",
  async era => {
    const { url, apiKey, request } = nodes;
    const { through, asked } = roundRobin(nodes);
    const client = await httpClient(era, url, { authorization: `Bearer ${apiKey}` }, through);
    const told: unknown[] = [];
    client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void told.push(params.uri),
    );
    try {
      const uris = ["magpie://events", "magpie://events?after=0"];
      if (era === "modern") await client.listen({ resourceSubscriptions: uris });
      // Subscriptions alternate between the gateways, one of which has the stream.
      else for (const uri of uris) await client.subscribeResource({ uri });
      await callTool(client, "track", { source: "microblog", sid: "quiet_wren" });
      const body = { platform: "microblog", username: "quiet_wren", text: `A call for the ${era} era.` };
      expect((await request("POST", "/internal/sandbox/post", { admin: true, body })).status).toBe(200);
      await until("it is told", () => uris.every(uri => told.includes(uri)));
      expect(Math.min(...asked())).toBeGreaterThan(0);
    } finally {
      await client.close();
    }
  },
);

import { apiService } from "../../services/api/api.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { newOwner, signIn } from "../integration/session/visitor.ts";
import { type Magpie, request } from "../support/magpie.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
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
  const cluster = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url, namespace: "session-nodes" };
  nodes = await startNodes(cluster, { trustedProxies: ["127.0.0.1"] }, [
    keysService,
    config => apiService(config),
  ]);
});

afterAll(async () => {
  await nodes?.stop();
  await Promise.all([mongo, ...(servers ?? [])].map(server => server.stop()));
});

/** Asks the two gateways in turn, as a load balancer without sticky sessions does. */
function roundRobin({ url, services }: Nodes): Pick<Magpie, "request"> {
  const second = services.at(-1)?.getLocalService("api") as unknown as { address: string };
  const urls = [url, second.address];
  let asks = 0;
  return {
    request: (...ask) => {
      asks += 1;
      return request(urls[asks % 2] ?? "", ...ask);
    },
  };
}

inCluster.test("two gateways behind a round robin serve one session", async () => {
  const gateways = roundRobin(nodes);
  const { page: admin } = await signIn(gateways, { admin_key: nodes.adminKey });
  const owner = await newOwner(gateways, "robin", "a long password");
  for (let n = 0; n < 4; n += 1) {
    expect((await admin.ask("GET", "/session")).json()).toMatchObject({ data: { role: "admin" } });
    expect((await admin.ask("POST", "/internal/keys", { owner: "wren", name: `${n}` })).status).toBe(201);
    expect((await owner.ask("GET", "/session")).json()).toMatchObject({ data: { owner: "robin" } });
    expect((await owner.ask("POST", "/owner/keys", { name: `${n}` })).status).toBe(201);
  }
  const change = { current_password: "a long password", new_password: "a longer password" };
  expect((await owner.ask("PUT", "/session/password", change)).status).toBe(200);
  await until("neither gateway knows the former session", async () => {
    const asks = await Promise.all([1, 2, 3, 4].map(() => owner.ask("GET", "/owner/keys")));
    return asks.every(({ status }) => status === 401);
  });
});

inCluster.test(
  "who signs out at one gateway is signed out at both, with every copy of the cookie",
  async () => {
    const gateways = roundRobin(nodes);
    const { page: admin } = await signIn(gateways, { admin_key: nodes.adminKey });
    const owner = await newOwner(gateways, "dunlin", "a long password");
    for (const page of [admin, owner]) {
      expect((await page.ask("DELETE", "/session")).status).toBe(204);
      await until("neither gateway takes the cookie", async () => {
        const asks = await Promise.all([1, 2, 3, 4].map(() => page.ask("GET", "/session")));
        return asks.every(({ status }) => status === 401);
      });
    }
    expect((await signIn(gateways, { owner: "dunlin", password: "a long password" })).reply.status).toBe(201);
  },
);

inCluster.test(
  "two gateways count wrong tries together: the sixth is refused, and the right key is not",
  async () => {
    const gateways = roundRobin(nodes);
    const from = "198.51.100.250";
    const wrong = () => signIn(gateways, { admin_key: "not the admin key" }, { from });
    for (let n = 0; n < 5; n += 1) expect((await wrong()).reply.status).toBe(401);
    for (let n = 0; n < 2; n += 1) {
      const { reply } = await wrong();
      expect([reply.status, reply.json()]).toMatchObject([429, { retry_after: expect.any(Number) }]);
    }
    expect((await signIn(gateways, { admin_key: nodes.adminKey }, { from })).reply.status).toBe(201);
  },
);

import { toConfig } from "../../mixins/config/config.ts";
import { apiService } from "../../services/api/api.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { request } from "../support/magpie.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const mongo = await startMongo();
const inCluster = withMongo(mongo);

let servers: [TestNats, TestRedis];
let nodes: Nodes;
let site: Site;

beforeAll(async () => {
  servers = await Promise.all([startNats(), startRedis()]);
  site = await startSite((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<html lang="en"><title>A page</title><main><p>${"Words of it. ".repeat(20)}</p></main></html>`,
    );
  });
  const [nats, redis] = servers;
  if (!mongo.isThere) return;
  const cluster = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url, namespace: "quotas-nodes" };
  const overrides = { egressAllow: ["127.0.0.1"], browser: { ...toConfig({}).browser, path: "/nowhere" } };
  nodes = await startNodes(cluster, overrides, [
    ...[keysService, keysService, scraperService, scraperService, webhookDispatcherService],
    config => apiService(config),
  ]);
});

afterAll(async () => {
  await nodes?.stop();
  await site?.close();
  await Promise.all([mongo, ...(servers ?? [])].map(server => server.stop()));
});

inCluster.test(
  "of 50 scrapes at once through two gateways and two scrapers exactly the 10 that are left pass",
  async () => {
    const second = nodes.services.at(-1)?.getLocalService("api") as unknown as { address: string };
    const gateways = [nodes.url, second.address];
    const limits = { requestsPerMinute: 100_000, concurrentScrapes: 100 };
    const made = await nodes.request("POST", "/internal/keys", {
      admin: true,
      body: { owner: "ann", name: "n", limits, quotas: { day: { pages: 10 } } },
    });
    const { id, key } = made.json<{ data: { id: string; key: string } }>().data;
    const scrape = (n: number) =>
      request(gateways[n % 2] ?? "", "POST", "/web/scrape", {
        key,
        body: { url: `${site.url}/${n}`, js_render: { enabled: false } },
      });
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => scrape(n)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter(status => status === 200)).toHaveLength(10);
    expect(statuses.filter(status => status === 429)).toHaveLength(40);
    const usage = async (gateway: string) =>
      (await request(gateway, "GET", "/users/me/usage", { key })).json<{ quotas: object[] }>().quotas;
    for (const gateway of gateways)
      expect(await usage(gateway)).toMatchObject([{ name: "pages", used: 10, limit: 10, left: 0 }]);

    await request(second.address, "PATCH", `/internal/keys/${id}`, {
      admin: true,
      body: { quotas: { day: { pages: 12 } } },
    });
    const more = await Promise.all(Array.from({ length: 6 }, (_, n) => scrape(100 + n)));
    expect(more.filter(({ status }) => status === 200)).toHaveLength(2);
    await until("the key is told of both, once", async () => {
      const { data } = (await request(nodes.url, "GET", "/events?limit=100", { key })).json<{
        data: { type: string }[];
      }>();
      return data.map(({ type }) => type).join() === "quota.warning,quota.exceeded";
    });
  },
);

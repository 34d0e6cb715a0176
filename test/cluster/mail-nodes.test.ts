import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { createKey } from "../../services/contracts/keys.contract.ts";
import { followMailLink } from "../../services/contracts/mail-links.contract.ts";
import { createEndpoint } from "../../services/contracts/webhook-dispatcher.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { mailSuite } from "../suites/mail.suite.ts";
import { endpointOverrides, endpointServices } from "../suites/webhook-endpoints.suite.ts";
import { killed, order, startChild } from "../support/child-process.ts";
import { removeFolder } from "../support/folders.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import type { MailWorld } from "../support/mail-client.ts";
import { linkIn, type MailServer, type ReceivedMail, startMailServer } from "../support/mail-server.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const mongo = await startMongo();
const inCluster = withMongo(mongo);
const [nats, redis] = await Promise.all([startNats(), startRedis()]);
const urls = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url };
const settings = { SMTP_FROM: "magpie@example.com", PUBLIC_URL: "https://magpie.example.com" };

afterAll(() => Promise.all([mongo, nats, redis].map(server => server?.stop())));

inCluster.describe("two nodes send mails", () => {
  let nodes: Nodes | undefined;
  let server: MailServer;
  let world: MailWorld;
  beforeAll(async () => {
    server = await startMailServer();
    const { mail, publicUrl } = toConfig({ ...settings, SMTP_URL: server.url });
    const [, dispatcher] = endpointServices;
    const services = [...endpointServices, ...(dispatcher ? [dispatcher] : [])];
    nodes = await startNodes(
      { ...urls, namespace: "mail" },
      { ...endpointOverrides, mail, publicUrl },
      services,
    );
    const writer = nodes.services[3]?.getLocalService("writer") as unknown as WithLog;
    const dispatchers = nodes.services.filter(broker => broker.getLocalService("webhook-dispatcher"));
    world = { magpie: nodes, log: writer.log, server, nodes: dispatchers };
  });
  afterAll(async () => {
    await nodes?.stop();
    await server?.close();
  });

  mailSuite(() => world);
});

inCluster.test(
  "the node that holds a digest is killed before its time, and the next one while it sends",
  async () => {
    const server = await startMailServer();
    const dataDir = mkdtempSync(join(tmpdir(), "magpie-mail-nodes-"));
    const env = {
      ...settings,
      SMTP_URL: server.url,
      NATS_URL: nats.url,
      REDIS_URL: redis.url,
      MONGO_URL: mongo.url,
      CLUSTER_NAMESPACE: "mail-kill",
      DATA_DIR: dataDir,
      HEALTH_PORT: "0",
      ADMIN_KEY: "the-admin-key-of-the-tests",
      MASTER_SECRET: "the-master-secret-of-the-tests-32",
      WEBHOOK_BACKOFF: "200ms,200ms,200ms,200ms",
    };
    const config = toConfig(env);
    const broker = new ServiceBroker({
      ...brokerOptions(config),
      logger: false,
      skipProcessEventRegistration: true,
    });
    broker.createService(keysService(config));
    const writer = broker.createService({
      name: "writer",
      mixins: [logMixin(config)],
    }) as unknown as WithLog;
    let children: ChildProcess[] = [];
    const start = async () => {
      const file = join(import.meta.dirname, "mail-node.process.ts");
      children.push(await startChild(file, [JSON.stringify(env)]));
    };
    const kill = async (child: ChildProcess) => {
      children = children.filter(each => each !== child);
      await killed(child);
    };
    try {
      await broker.start();
      await Promise.all([start(), start()]);
      await broker.waitForServices("webhook-dispatcher");
      const { data: key } = await call(broker, createKey, { owner: "ann", name: "n" });
      const meta = { caller: { keyId: key.id, owner: "ann", limits: defaultLimits } };
      const url = "mailto:person@example.org";
      await call(broker, createEndpoint, { url, digest: "1h" }, { meta, timeout: 120_000 });
      await until("the owner is asked", () => server.mails.length > 0);
      const token = linkIn(server.mails[0], "confirm").split("/").at(-1) ?? "";
      await call(broker, followMailLink, { purpose: "confirm", token }, { timeout: 120_000 });
      let count = 0;
      const append = async (events: number) => {
        const from = count;
        count += events;
        await writer.log.append(Array.from({ length: events }, (_, n) => item(`item ${from + n}`, key.id)));
      };
      /** The node that works the lane. */
      const holder = async (): Promise<ChildProcess> => {
        let found: ChildProcess | undefined;
        await until(
          "a node holds the lane",
          async () => {
            for (const child of children) if (await answer(child, { holds: key.id })) found = child;
            return found !== undefined;
          },
          60_000,
        );
        return found as ChildProcess;
      };

      await append(20);
      const first = await holder();
      await order(first, { waits: key.id });
      await kill(first);
      await append(10);
      await start();

      let taken = 0;
      server.hold(() => {
        taken += 1;
        return taken === 1;
      });
      const second = await holder();
      await order(second, { due: key.id });
      await until("it was taken", () => taken === 1);
      await kill(second);
      await append(5);
      const news = () => server.mails.filter(({ headers }) => headers.has("list-unsubscribe"));
      await until("the copy came", () => news().length === 2, 60_000);
      const [one, copy] = news();
      expect(copy?.id).toBe(one?.id);
      expect(copy?.headers.get("subject")).toEqual(["30 events: item 0"]);
      expect(itemsIn(copy)).toEqual(itemsIn(one));
      expect(itemsIn(copy)).toHaveLength(30);
      const third = await holder();
      await order(third, { due: key.id });
      await until("the rest came", () => news().length === 3);
      expect(news()[2]?.headers.get("subject")).toEqual(["5 events: item 30"]);
    } finally {
      await Promise.all(children.map(killed));
      await broker.stop();
      await server.close();
      await removeFolder(dataDir);
    }
  },
);

function itemsIn(mail: ReceivedMail | undefined): string[] {
  return mail?.parts.get("text/plain")?.match(/^item \d+$/gm) ?? [];
}

async function answer(child: ChildProcess, message: object): Promise<unknown> {
  const answered = once(child, "message");
  child.send(message);
  return (await answered)[0];
}

function item(title: string, keyId: string) {
  return {
    bodyId: title,
    type: "rss.item.created" as const,
    timestamp: new Date().toISOString(),
    data: {
      source: { id: "a", source: "RSS", externalId: "https://a.test/", username: "a", name: "A" },
      item: { id: title, title },
    },
    keyIds: [keyId],
  };
}

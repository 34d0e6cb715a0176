import { type AsyncMessage, Connection } from "rabbitmq-client";
import { createEgress } from "../../../mixins/egress/egress.ts";
import type { DestinationOptionsOf } from "../../../services/contracts/destinations.ts";
import { openRabbitmq } from "../../../services/webhook-dispatcher/destinations/rabbitmq/rabbitmq.ts";
import { type DestinationWorld, destinationSuite } from "../../suites/destination.suite.ts";
import { rabbitmqUser, startRabbitmq, withRabbitmq } from "../../support/rabbitmq.ts";
import { until } from "../../support/until.ts";

const server = await startRabbitmq();
const { port } = server;
const egress = createEgress({ allow: [`127.0.0.1:${port}`] });
const ways = { agent: egress.agent(), egress, folder: undefined };
const options: DestinationOptionsOf<"rabbitmq"> = {
  ...{ type: "rabbitmq", host: "127.0.0.1", port, tls: false, vhost: "/", ...rabbitmqUser },
  ...{ exchange: "events", routing_key: "{type}" },
};
const messages: AsyncMessage[] = [];
let observer: Connection;
let world: DestinationWorld;

beforeAll(async () => {
  if (!server.isThere) return;
  const { user: username, password } = rabbitmqUser;
  observer = new Connection({ hostname: "127.0.0.1", port, username, password });
  observer.on("error", () => undefined);
  const consumer = observer.createConsumer(
    {
      ...{ queue: "all", queueOptions: { durable: true } },
      exchanges: [{ exchange: "events", type: "topic", durable: true }],
      queueBindings: [{ exchange: "events", routingKey: "rss.#" }],
    },
    async message => {
      messages.push(message);
    },
  );
  await new Promise(resolve => consumer.once("ready", () => resolve(undefined)));
  world = {
    ...{ ways, options, secrets: ["password"] },
    // At least once: readers drop what they have by its id.
    written: async () =>
      [...new Map(messages.map(({ messageId = "", body }) => [messageId, body])).values()].map(bodyOf),
    refused: { options: { ...options, exchange: "none" }, says: /no exchange 'none' in vhost/ },
  };
});
afterAll(async () => {
  observer?.unsafeDestroy();
  await egress.close();
  await server.stop();
});

const bodyOf = (body: unknown) => body as { id: string; seq: number };
const { signal } = new AbortController();
const open = (more: Partial<typeof options> = {}, way = ways) =>
  openRabbitmq({ ...options, ...more }, { keyId: "key", webhookId: "w" }, way, signal);
const event = (seq: number, type: "rss.item.created" | "web.page.changed" = "rss.item.created") => {
  const about = { id: `evt_own_${seq}`, type, timestamp: "2026-11-29T12:00:00.000Z" };
  return { ...about, seq, conversation: null, body: JSON.stringify({ ...about, seq }) };
};

withRabbitmq(server).describe("RabbitMQ", () => {
  destinationSuite(() => world);

  test("a message is persistent, and names its event", async () => {
    const destination = await open();
    await destination.write({ events: [event(1)], path: "" }, signal);
    const own = () => messages.find(({ messageId }) => messageId === "evt_own_1");
    await until("it is there", () => own() !== undefined);
    expect(own()).toMatchObject({
      ...{ exchange: "events", routingKey: "rss.item.created", type: "rss.item.created", appId: "magpie" },
      ...{ durable: true, contentType: "application/json", timestamp: 1_795_953_600 },
      body: JSON.parse(event(1).body),
    });
    await destination.close();
  });

  test("what no queue takes is refused, and what one takes is not", async () => {
    const destination = await open();
    const writing = destination.write({ events: [event(2), event(3, "web.page.changed")], path: "" }, signal);
    await expect(writing).rejects.toMatchObject({
      code: "DESTINATION_REFUSED",
      message: 'No queue takes messages with the routing key "web.page.changed".',
    });
    await destination.write({ events: [event(2)], path: "" }, signal);
    await destination.close();
  });

  test("a routing key without an exchange names a queue", async () => {
    const destination = await open({ exchange: "", routing_key: "all" });
    await destination.write({ events: [event(4)], path: "" }, signal);
    await until("it is there", () => messages.some(({ messageId }) => messageId === "evt_own_4"));
    await destination.close();
  });

  test("a queue that is full refuses", async () => {
    const args = { "x-max-length": 1, "x-overflow": "reject-publish" } as const;
    await observer.queueDeclare({ queue: "small", arguments: args });
    const destination = await open({ exchange: "", routing_key: "small" });
    await destination.write({ events: [event(5)], path: "" }, signal);
    await expect(destination.write({ events: [event(6)], path: "" }, signal)).rejects.toMatchObject({
      message: "The server has refused the message: its queue is full, or has failed.",
    });
    await destination.close();
  });

  test.each([
    [{ password: "wrong" }, /Login was refused.*\(ACCESS_REFUSED\)$/i],
    [{ vhost: "none" }, /vhost none not found.*\(NOT_ALLOWED\)$/],
  ])("%j is refused in words", async (more, message) => {
    const code = "DESTINATION_REFUSED";
    await expect(open(more)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test("an address that is not allowed is not connected to, in digits or by name", async () => {
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const guarded = createEgress({ allow: [], lookup });
    for (const host of ["127.0.0.1", "rabbit.example.com"])
      await expect(open({ host }, { ...ways, egress: guarded })).rejects.toMatchObject({
        code: "EGRESS_REFUSED",
      });
    await guarded.close();
  });

  test("a name leads to the address that was vetted", async () => {
    const host = "rabbit.example.com";
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const named = createEgress({ allow: [`${host}:${port}`], lookup });
    const destination = await open({ host }, { ...ways, egress: named });
    await destination.write({ events: [event(7)], path: "" }, signal);
    await destination.close();
    await named.close();
  });
});

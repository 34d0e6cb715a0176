import { once } from "node:events";
import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import { connect, type NatsConnection } from "nats";
import { createEgress } from "../../../mixins/egress/egress.ts";
import { openNats } from "../../../services/webhook-dispatcher/destinations/nats/nats.ts";
import { destinationSuite } from "../../suites/destination.suite.ts";
import { startNats, type TestNats } from "../../support/nats.ts";

const egress = createEgress({ allow: ["127.0.0.1/32"] });
const ways = { agent: egress.agent(), egress, folder: undefined };
const open = new Set<Socket>();
let server: TestNats;
let reader: NatsConnection;
/** Between the product and the server: it counts connections. */
let port = 0;
const between = createServer(socket => {
  const { hostname, port: target } = new URL(server.url);
  const onward = connectTo(Number(target), hostname);
  open.add(socket);
  socket.pipe(onward).pipe(socket);
  for (const end of [socket, onward])
    end
      .on("error", () => undefined)
      .on("close", () => {
        open.delete(socket);
        socket.destroy();
        onward.destroy();
      });
});

beforeAll(async () => {
  server = await startNats({ jetstream: true });
  between.listen(0, "127.0.0.1");
  await once(between, "listening");
  ({ port } = between.address() as AddressInfo);
  reader = await connect({ servers: server.url });
  const manager = await reader.jetstreamManager();
  await manager.streams.add({ name: "shop", subjects: ["shop.>"] });
});
afterAll(async () => {
  await reader.close();
  for (const socket of open) socket.destroy();
  between.close();
  await egress.close();
  await server.stop();
});

const optionsOf = (subject: string) => ({
  ...{ type: "nats" as const, host: "127.0.0.1", port, subject, tls: false },
});

describe("NATS JetStream", () => {
  destinationSuite(
    () => ({
      ways,
      options: optionsOf("shop.events"),
      secrets: ["password", "token", "credentials"],
      written: async () => {
        const { streams } = await reader.jetstreamManager();
        const { state } = await streams.info("shop");
        const found: { id: string; seq: number }[] = [];
        for (let seq = 1; seq <= state.last_seq; seq += 1)
          found.push((await streams.getMessage("shop", { seq })).json());
        return found;
      },
      refused: {
        options: optionsOf("elsewhere"),
        says: /^No stream of JetStream takes the subject elsewhere/,
      },
      connections: async () => open.size,
    }),
    { isConnected: true },
  );

  test("a server without TLS is told from one with it", async () => {
    const { signal } = new AbortController();
    const writer = { keyId: "k", webhookId: "w" };
    const opening = openNats({ ...optionsOf("shop.events"), tls: true }, writer, ways, signal);
    await expect(opening).rejects.toThrow("The server has no TLS");
  });

  test("an address that is not public is not reached", async () => {
    const guarded = createEgress({ allow: [] });
    const { signal } = new AbortController();
    const inner = { ...ways, egress: guarded };
    const opening = openNats(optionsOf("shop.events"), { keyId: "k", webhookId: "w" }, inner, signal);
    await expect(opening).rejects.toMatchObject({ code: "EGRESS_REFUSED" });
    await guarded.close();
  });
});

import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { ServiceBroker } from "moleculer";
import { brokerOptions } from "../../moleculer.config.ts";
import { actions, call, handle } from "../../services/contracts/action.ts";
import { waitsOnce } from "../fakes/echo-service.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { until } from "../support/until.ts";
import { busConfig } from "./bus-config.ts";

let nats: TestNats;
let way: HeldUp;
const brokers: ServiceBroker[] = [];
let taken = 0;

beforeAll(async () => {
  nats = await startNats();
  way = await openHeldUp(nats.port);
  const service = {
    name: "echo",
    actions: actions(
      handle(waitsOnce, "public", () => {
        taken += 1;
        return "done";
      }),
    ),
  };
  brokers.push(brokerAt(nats.port), brokerAt(way.port));
  brokers[1]?.createService(service);
  for (const broker of brokers) await broker.start();
});

afterAll(async () => {
  for (const broker of brokers) await broker.stop();
  way.close();
  await nats.stop();
});

test("after a NATS that was held up every call is taken once, also when it ends what it never had", async () => {
  const [asking, answering] = brokers;
  if (!asking || !answering) throw new Error("not started");
  const isLinked = () => answering.transit?.tx.connected === true;
  way.hold();
  await until("the silence is noticed", () => !isLinked());
  await until("some attempts were made", () => way.late() >= 3);
  way.letGo();
  await until("the link is up", isLinked);
  await until("a call is answered", () => call(asking, waitsOnce, { ms: 0 }).then(Boolean, () => false));
  way.endUnused();
  for (let n = 0; n < 5; n += 1) {
    taken = 0;
    await until("a call is answered", () => call(asking, waitsOnce, { ms: 0 }).then(Boolean, () => false));
    await call(asking, waitsOnce, { ms: 0 });
    expect(taken).toBe(2);
  }
});

function brokerAt(port: number): ServiceBroker {
  const options = brokerOptions(busConfig(`nats://127.0.0.1:${port}`));
  return new ServiceBroker({ ...options, logger: false, skipProcessEventRegistration: true });
}

/** A path to a server that accepts connections, but for a while passes no data. */
interface HeldUp {
  port: number;
  hold(): void;
  letGo(): void;
  /** How many connections were made meanwhile. */
  late(): number;
  /** As the server does to those over which nothing came. */
  endUnused(): void;
  close(): void;
}

async function openHeldUp(to: number): Promise<HeldUp> {
  const open = new Map<Socket, { isLate: boolean; isUsed: boolean; begin(): void }>();
  let isHeld = false;
  const server: Server = createServer(client => {
    const state = { isLate: isHeld, isUsed: false, begin: () => pass(client, to, state) };
    open.set(
      client.on("error", () => client.destroy()),
      state,
    );
    if (!isHeld) state.begin();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: Number(Object(server.address()).port),
    hold: () => {
      isHeld = true;
      for (const client of open.keys()) client.pause().emit("held");
    },
    letGo: () => {
      isHeld = false;
      for (const [client, { isLate, begin }] of open) {
        client.resume().emit("let go");
        if (isLate) begin();
      }
    },
    late: () => [...open.values()].filter(({ isLate }) => isLate).length,
    endUnused: () => {
      for (const [client, { isUsed }] of open) if (!isUsed) client.destroy();
    },
    close: () => {
      for (const client of open.keys()) client.destroy();
      server.close();
    },
  };
}

function pass(client: Socket, to: number, state: { isUsed: boolean }): void {
  const upstream = connect(to, "127.0.0.1");
  client.on("held", () => upstream.pause()).on("let go", () => upstream.resume());
  client.on("data", data => {
    state.isUsed = true;
    upstream.write(data);
  });
  client.on("close", () => upstream.destroy());
  upstream.on("data", data => client.write(data));
  upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
}

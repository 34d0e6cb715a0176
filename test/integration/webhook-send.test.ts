import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { jest } from "@jest/globals";
import type { Lease } from "../../mixins/coordination/leases/lease.ts";
import { createEgress, type Egress } from "../../mixins/egress/egress.ts";
import { ShardOwnership } from "../../services/webhook-dispatcher/lanes/shard-ownership.ts";
import { send, sendPaced } from "../../services/webhook-dispatcher/sending/send.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

const timeoutsAlone: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: [
    "Date",
    "hrtime",
    "nextTick",
    "performance",
    "queueMicrotask",
    "setImmediate",
    "clearImmediate",
    "setInterval",
    "clearInterval",
  ],
};

let receiver: Receiver;
let egress: Egress;
let isHeld: boolean;
let ownership: ShardOwnership;

beforeEach(async () => {
  receiver = await startReceiver();
  egress = createEgress({ allow: ["127.0.0.1/32"] });
  isHeld = true;
  const lease: Lease = {
    name: "lanes/1",
    fence: 1,
    signal: new AbortController().signal,
    isHeld: () => isHeld,
    release: async () => undefined,
  };
  ownership = new ShardOwnership(1, lease);
});
afterEach(async () => {
  await egress.close();
  await receiver.close();
});

const post = (timeoutMs?: number) =>
  send(
    egress.agent(),
    { url: new URL(receiver.url), headers: { "webhook-id": "1" }, body: "{}", timeoutMs },
    ownership,
  );

test("nothing goes out once the lease has passed on, whether or not there is a connection", async () => {
  const cold = post();
  isHeld = false;
  expect(await cold).toMatchObject({ status: null, error: "interrupted" });
  expect(receiver.received).toHaveLength(0);
  isHeld = true;
  expect(await post()).toMatchObject({ status: 200 });
  isHeld = false;
  expect(await post()).toMatchObject({ status: null, error: "interrupted" });
  expect(receiver.received).toHaveLength(1);
});

test("exchanges under way are aborted with the ownership; finished ones are not", async () => {
  expect(await post()).toMatchObject({ status: 200 });
  receiver.behave("hang");
  const hanging = [post(), post()];
  await until("they are under way", () => receiver.received.length === 3);
  expect(ownership.isOpen).toBe(true);
  ownership.abortExchanges();
  expect(await Promise.all(hanging)).toMatchObject([{ error: "interrupted" }, { error: "interrupted" }]);
  expect(ownership.isOpen).toBe(false);
  expect(ownership.isHeld).toBe(true);
});

test("of many that begin one after the other, none is sent once the ownership has ended", async () => {
  const sendMany = sendPaced(egress.agent());
  const request = { url: new URL(receiver.url), headers: { "webhook-id": "1" }, body: "{}" };
  const answers = Array.from({ length: 40 }, () => sendMany(request, ownership));
  ownership.abortExchanges();
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ error: "interrupted" });
  expect(await post()).toMatchObject({ status: 200 });
  expect(receiver.received).toHaveLength(1);
});

describe("with a clock that the test moves", () => {
  beforeEach(() => {
    jest.useFakeTimers(timeoutsAlone);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test("an answer that came while the process was busy counts, however long that was", async () => {
    receiver.behave(() => {
      // The answer is written before the next tick, and read after it.
      process.nextTick(() => jest.advanceTimersByTime(5_000));
      return 200;
    });
    expect(await post()).toMatchObject({ status: 200, error: null });
  });

  test("a receiver without an answer has failed after 5 s", async () => {
    const asked = Promise.withResolvers<void>();
    receiver.behave(() => {
      asked.resolve();
      return "hang";
    });
    const answer = post();
    await asked.promise;
    jest.advanceTimersByTime(5_000);
    expect(await answer).toMatchObject({ status: null, error: "timeout_answer" });
  });

  test("an endpoint with a time of its own has that, and where its lanes pass on the usual one", async () => {
    const asked = Promise.withResolvers<void>();
    receiver.behave(() => {
      // What it has received does not yet count the present one.
      if (receiver.received.length > 0) asked.resolve();
      return "hang";
    });
    const [short, long] = [post(1_000), post(30_000)];
    await asked.promise;
    jest.advanceTimersByTime(1_000);
    expect(await short).toMatchObject({ error: "timeout_answer" });
    jest.advanceTimersByTime(24_000);
    ownership.end();
    jest.advanceTimersByTime(4_999);
    const first = Promise.race([long, Promise.resolve({ error: "still under way" })]);
    expect(await first).toMatchObject({ error: "still under way" });
    jest.advanceTimersByTime(1);
    expect(await long).toMatchObject({ error: "interrupted" });
  });

  test("a receiver that takes the connection and does not begin TLS was not connected to in time", async () => {
    const accepted = Promise.withResolvers<void>();
    const server = createServer(socket => {
      socket.on("error", () => socket.destroy());
      accepted.resolve();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    const answer = send(egress.agent(), { url, headers: {}, body: "{}" }, ownership);
    await accepted.promise;
    jest.advanceTimersByTime(5_000);
    expect(await answer).toMatchObject({ status: null, error: "timeout_connect" });
    await egress.close();
    server.close();
  });

  test("a receiver that falls silent within a long answer keeps it, and loses the connection after 5 s", async () => {
    const closed = Promise.withResolvers<void>();
    const server = createServer(socket => {
      socket.on("close", () => closed.resolve()).on("error", () => socket.destroy());
      socket.once("data", () =>
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n${"o".repeat(3_000)}`),
      );
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    expect(await send(egress.agent(), { url, headers: {}, body: "{}" }, ownership)).toMatchObject({
      status: 200,
      error: null,
      text: "o".repeat(2_048),
    });
    jest.advanceTimersByTime(5_000);
    await closed.promise;
    server.close();
  });
});

const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** Answers the first request of each connection and hangs up on the second; `firsts` of them hang up at once. */
async function hangingUp(firsts = 0) {
  let connections = 0;
  const server = createServer(socket => {
    connections += 1;
    let requests = connections > 1 && connections <= 1 + firsts ? 1 : 0;
    socket.on("error", () => socket.destroy());
    socket.on("data", () => {
      requests += 1;
      if (requests === 1) socket.write(answer);
      else socket.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  return { url, server, connections: () => connections };
}

test.each([
  ["a connection that was closed as it was used again is no failure of the receiver", 0, null],
  ["a receiver that hangs up on a fresh connection has failed", 1, "reset"],
])("%s", async (_, firsts, error) => {
  const { url, server, connections } = await hangingUp(firsts);
  const egress = createEgress({ allow: ["127.0.0.1/32"] });
  const request = { url, headers: { "content-type": "application/json" }, body: "{}" };
  expect(await send(egress.agent(), request)).toMatchObject({ status: 200, error: null });
  expect(await send(egress.agent(), request)).toMatchObject({ error });
  expect(connections()).toBe(2);
  await egress.close();
  server.close();
});

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type ClientOptions, WebSocket, WebSocketServer } from "ws";
import { JobWatcher } from "../../../../services/api/firecrawl/job-watcher.ts";
import {
  type StreamContext,
  type StreamOptions,
  streamDefaults,
} from "../../../../services/api/streams/event-stream.ts";
import { Registry } from "../../../../services/api/streams/registry.ts";
import { callersOf } from "../../../support/callers.ts";
import { until } from "../../../support/until.ts";

const servers: WebSocketServer[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
  }
});

/** A client, and the watcher that serves it. */
async function connected(options: Partial<StreamOptions> = {}, client: ClientOptions = {}) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, maxPayload: 1024 });
  servers.push(server);
  await once(server, "listening");
  const accepted = once(server, "connection");
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, client);
  const messages: string[] = [];
  socket.on("message", (data, isBinary) => messages.push(`${isBinary ? "binary " : ""}${data}`));
  const closed = once(socket, "close") as Promise<[number, Buffer]>;
  const [own] = (await accepted) as [WebSocket];
  const registry = new Registry(
    keyIds => callersOf(keyIds),
    () => undefined,
  );
  const context = { registry, options: { ...streamDefaults, ...options } } as StreamContext;
  const watcher = new JobWatcher(context, "key", own);
  await until("it is open", () => socket.readyState === WebSocket.OPEN);
  return { socket, own, messages, closed, registry, watcher };
}

/** What is below a WebSocket. */
function connectionOf(socket: WebSocket) {
  return (socket as unknown as { _socket: { write(bytes: Buffer): void; pause(): void } })._socket;
}

test("a message larger than a frame arrives whole", async () => {
  const { watcher, messages } = await connected();
  const text = "größer ".repeat(50_000);
  await watcher.send({ text });
  await watcher.send({ text: "next" });
  await until("both arrive", () => messages.length === 2);
  expect(messages.map(each => JSON.parse(each) as unknown)).toEqual([{ text }, { text: "next" }]);
});

test("a client that takes nothing is cut, and its place is free", async () => {
  const { watcher, own, socket, registry } = await connected({ stallMs: 50, closeMs: 20 });
  connectionOf(socket).pause();
  const gone = once(own, "close");
  await expect(watcher.send({ text: "x".repeat(64 * 1024 * 1024) })).rejects.toThrow("ended");
  expect(registry.size).toBe(0);
  await gone;
});

test("a client that answers no ping is cut; one that does stays", async () => {
  // On a busy machine an answer takes its time.
  const often = { heartbeatMs: 10, pongMs: 5000 };
  const alive = await connected(often);
  let pings = 0;
  alive.socket.on("ping", () => pings++);
  const dead = await connected(often, { autoPong: false });
  expect((await dead.closed)[0]).toBe(1006);
  await until("the other was asked often", () => pings > 3);
  await until("the other is gone", () => dead.watcher.closed.aborted);
  expect(alive.watcher.closed.aborted).toBe(false);
});

test("it ends with its key, and says why", async () => {
  const { registry, messages, closed, watcher } = await connected();
  registry.endKey("key");
  const [code, reason] = await closed;
  expect([code, String(reason), registry.size]).toEqual([4401, "{}", 0]);
  expect(messages).toEqual([JSON.stringify({ type: "error", error: "This API key was deleted." })]);
  await expect(watcher.send({})).rejects.toThrow();
});

test.each([
  ["a frame that is none", Buffer.from([0xff, 0xff, 0xff, 0xff]), 1002],
  ["a frame that is too large", Buffer.from([0x82, 0xfe, 0xff, 0xff, 0, 0, 0, 0]), 1009],
])("%s ends it, and frees its place", async (_, bytes, code) => {
  const { own, socket, closed, watcher, registry } = await connected();
  own.on("error", () => undefined);
  connectionOf(socket).write(bytes);
  expect((await closed)[0]).toBe(code);
  expect([watcher.closed.aborted, registry.size]).toEqual([true, 0]);
});

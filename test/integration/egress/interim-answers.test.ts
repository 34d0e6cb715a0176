import { Server as ProxyServer } from "proxy-chain";
import { createEgress, type Egress } from "../../../mixins/egress/egress.ts";
import { fetchHop } from "../../../mixins/egress/fetch-hop.ts";
import { send } from "../../../services/webhook-dispatcher/sending/send.ts";
import { type ScriptedServer, type Step, startScripted } from "../../support/scripted-server.ts";

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const on = "HTTP/1.1 100 Continue\r\n\r\n";
const interim = (status: number) =>
  `HTTP/1.1 ${status} Wait\r\nlink: </a.css>\r\nx-100: HTTP/1.1 100\r\n\r\n`;
/** A body that looks like the head of another answer. */
const deceptive = `HTTP/1.1 200 OK\r\ncontent-length: ${2 * on.length}\r\n\r\n${on}${on}`;

let egress: Egress;
let server: ScriptedServer;

beforeEach(() => {
  egress = createEgress({ allow: ["127.0.0.1/32"] });
});
afterEach(async () => {
  await egress.close();
  await server.close();
});

/** Posts once the connection is free again: for another request at the same moment, undici opens a second one. */
async function post() {
  for (let turns = 0; turns < 3; turns += 1) await new Promise(resolve => setImmediate(resolve));
  const agent = egress.agent({ skipTlsVerification: true });
  return await send(agent, { url: server.url, headers: { "webhook-id": "1" }, body: "{}" });
}

async function get(proxyUrl?: string) {
  for (let turns = 0; turns < 3; turns += 1) await new Promise(resolve => setImmediate(resolve));
  const dispatcher = egress.agent({ skipTlsVerification: true, ...(proxyUrl && { proxyUrl }) });
  const signal = AbortSignal.timeout(30_000);
  const { response } = await fetchHop(server.url, { dispatcher, headers: {}, signal });
  return { status: response.statusCode, text: await response.body.text() };
}

test.each<[string, Step[], string]>([
  ["100", [on, ok], "ok"],
  ["100 in one packet with the answer", [on + ok], "ok"],
  ["100 twice", [on, on, ok], "ok"],
  ["100 twenty times at once", [on.repeat(20) + ok], "ok"],
  ["100 with fields", [interim(100), ok], "ok"],
  ["100 without a reason", ["HTTP/1.1 100\r\n\r\n", ok], "ok"],
  ["100 after an empty line", [`\r\n${on}`, ok], "ok"],
  ["102", [interim(102), ok], "ok"],
  ["103", [interim(103), ok], "ok"],
  ["199", [interim(199), ok], "ok"],
  ["all of them", [interim(103) + on, interim(199), on + interim(102) + ok], "ok"],
  ["100 cut within its status", ["HTTP/1.1 1", "00 Continue\r\n\r\nHTTP/1.1 10", `0 \r\n\r\n${ok}`], "ok"],
  ["100 and the answer byte by byte", [...on, ...interim(103), ...on, ...ok], "ok"],
  ["100 and a body that looks like one", [on, deceptive], on + on],
  ["a body that looks like one, byte by byte", [...deceptive], on + on],
])("what precedes an answer is discarded: %s", async (_, steps, text) => {
  server = await startScripted(() => [steps]);
  for (let times = 1; times <= 2; times += 1) {
    expect(await post()).toMatchObject({ status: 200, error: null, text });
    expect(await get()).toEqual({ status: 200, text });
  }
  expect(server.requests()).toBe(4);
  expect(server.connections()).toBe(1);
});

test("over TLS too", async () => {
  server = await startScripted(() => [[...on, ok]], { isTls: true });
  for (let times = 1; times <= 2; times += 1)
    expect(await post()).toMatchObject({ status: 200, error: null });
  expect(server.requests()).toBe(2);
  expect(server.connections()).toBe(1);
});

test.each([true, false])("through a proxy too (TLS: %s)", async isTls => {
  server = await startScripted(() => [[on, ok]], { isTls });
  const proxy = new ProxyServer({ port: 0, host: "127.0.0.1" });
  await proxy.listen();
  for (let times = 1; times <= 2; times += 1)
    expect(await get(`http://127.0.0.1:${proxy.port}`)).toEqual({ status: 200, text: "ok" });
  expect(server.requests()).toBe(2);
  await egress.close();
  await proxy.close(true);
});

test.each<[string, Step[]]>([
  ["before an answer", ["FIN"]],
  ["before an answer, by a reset", ["RST"]],
  ["after an empty line", ["\r\n", "FIN"]],
  ["within the status line", ["HTTP/1.1 2", "FIN"]],
  ["within the status line, by a reset", ["HTTP/1.1 2", "RST"]],
  ["within the fields", ["HTTP/1.1 200 OK\r\ncontent-le", "FIN"]],
  ["after 100", [on, "FIN"]],
  ["within 100", ["HTTP/1.1 10", "FIN"]],
  ["after 100, by a reset", [on, "RST"]],
])("a request on a fresh connection that ends %s is sent once, and has failed", async (_, steps) => {
  server = await startScripted(() => [steps]);
  expect(await post()).toMatchObject({ status: null, error: "reset" });
  expect(server.requests()).toBe(1);
  await expect(get()).rejects.toThrow();
  expect(server.requests()).toBe(2);
});

test.each<[string, Step[]]>([
  ["before an answer", ["FIN"]],
  ["before an answer, by a reset", ["RST"]],
  ["after an empty line, which is no part of an answer", ["\r\n", "FIN"]],
])("a request on a kept-alive connection that ends %s is sent again", async (_, steps) => {
  for (const request of [post, get]) {
    server = await startScripted(connection => (connection === 0 ? [[on, ok], steps] : [[ok]]));
    for (let times = 1; times <= 2; times += 1)
      expect(await request()).toMatchObject({ status: 200, text: "ok" });
    expect([server.requests(), server.connections()]).toEqual([3, 2]);
    await server.close();
  }
});

test.each<[string, Step[]]>([
  ["within the status line", ["H", "FIN"]],
  ["within the status line, by a reset", ["HTTP/1.1 2", "RST"]],
  ["after 100", [on, "FIN"]],
  ["after 100 and 103", [on + interim(103), "RST"]],
])("a request on a kept-alive connection that ends %s is sent once, and has failed", async (_, steps) => {
  server = await startScripted(() => [[ok], steps]);
  expect(await post()).toMatchObject({ status: 200 });
  expect(await post()).toMatchObject({ status: null, error: "reset" });
  expect([server.requests(), server.connections()]).toEqual([2, 1]);
});

test("a request that was sent again because of a race is not sent a third time", async () => {
  server = await startScripted(connection => (connection === 0 ? [[ok], ["FIN"]] : [["FIN"]]));
  expect(await post()).toMatchObject({ status: 200 });
  expect(await post()).toMatchObject({ status: null, error: "reset" });
  expect([server.requests(), server.connections()]).toEqual([3, 2]);
});

test("an answer that switches protocols without being asked is no answer", async () => {
  server = await startScripted(() => [["HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n"]]);
  expect(await post()).toMatchObject({ status: null, error: "malformed" });
  expect(server.requests()).toBe(1);
});

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Untaken } from "../../../services/api/http/untaken.ts";
import { sendBody } from "../../../services/api/response/send.ts";
import { until } from "../../support/until.ts";

const holder = () => ({
  isCut: false,
  destroy() {
    this.isCut = true;
  },
});

test("beyond the bound it cuts off those that have taken nothing for the longest time", () => {
  const untaken = new Untaken(100);
  const [first, second, third] = [holder(), holder(), holder()];
  untaken.hold(first, 40);
  untaken.hold(second, 40);
  untaken.measure(first, 30);
  untaken.hold(third, 40);
  expect([first.isCut, second.isCut, third.isCut]).toEqual([false, true, false]);
  expect([untaken.bytes, untaken.cut]).toEqual([70, 1]);
  untaken.release(third);
  untaken.measure(first, 0);
  expect(untaken.bytes).toBe(0);
});

test("who lets more wait has taken nothing, and what waits is counted", () => {
  const untaken = new Untaken(100);
  const [first, second] = [holder(), holder()];
  untaken.measure(first, 20);
  untaken.measure(second, 20);
  untaken.measure(first, 80);
  expect(untaken.bytes).toBe(100);
  untaken.measure(second, 21);
  expect([first.isCut, second.isCut, untaken.bytes]).toEqual([true, false, 21]);
});

const megabyte = 1024 * 1024;

describe("bodies", () => {
  const untaken = new Untaken(8 * megabyte);
  const open = new Set<ServerResponse>();
  const clients: Socket[] = [];
  const shared = Buffer.alloc(16 * megabyte, "s");
  let highest = 0;
  const server = createServer((req, res) => {
    open.add(res);
    res.on("close", () => open.delete(res));
    const own = `${req.url}${"x".repeat(16 * megabyte)}end`;
    res.setHeader("content-length", req.url === "/shared" ? shared.length : own.length);
    sendBody(res, req.url === "/shared" ? shared : own, untaken);
    highest = Math.max(highest, untaken.bytes);
  });

  beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });
  afterAll(() => {
    server.close();
  });

  function ask(path: string): Socket {
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    clients.push(client.on("error", () => undefined));
    client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    return client;
  }

  test("bodies that nobody takes are held for few clients only, and a client that takes one gets it whole", async () => {
    for (let n = 0; n < 20; n += 1) ask(`/${n}`).pause();
    await until("none is left that holds so much", () => untaken.cut === 20);
    expect(highest).toBeLessThanOrEqual(8 * megabyte);
    expect(untaken.bytes).toBe(0);
  });

  test("bodies that many answers share cost nothing, however many clients take nothing of them", async () => {
    const before = untaken.cut;
    for (let n = 0; n < 20; n += 1) ask("/shared").pause();
    await until("all are being given out", () => open.size === 20);
    expect([untaken.bytes, untaken.cut]).toEqual([0, before]);
  });

  test("arrive whole at a client that takes them in its own time", async () => {
    let length = 0;
    const client = ask("/shared");
    client.on("data", chunk => {
      length += chunk.length;
      client.pause();
      setImmediate(() => client.resume());
    });
    await once(client, "close");
    expect(length).toBeGreaterThan(shared.length);
  });
});

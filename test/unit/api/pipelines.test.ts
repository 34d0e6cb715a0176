import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { Pipelines } from "../../../services/api/http/pipelines.ts";
import { createHttpServer } from "../../../services/api/http/server.ts";
import { until } from "../../support/until.ts";

const servers: Server[] = [];
const clients: Socket[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
});

async function listening(server: Server): Promise<Server> {
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

function serve(handler: RequestListener, takeMs?: number): Promise<Server> {
  return listening(createHttpServer(handler, () => false, takeMs));
}

function open(server: Server): Socket {
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => undefined);
  clients.push(client);
  return client;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** What comes until the connection ends. */
function allOf(client: Socket): Promise<string> {
  return text(client);
}

/** An answer on a connection of its own shows that the server has handled what came before. */
async function answered(server: Server, path = "/other"): Promise<string> {
  const client = open(server);
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return await allOf(client);
}

test("of 3,000 requests that come at once one is worked on at a time, and all are answered in order", async () => {
  const begin = Promise.withResolvers<void>();
  let [entered, working, most] = [0, 0, 0];
  const server = await serve((req, res) => {
    if (req.url === "/other") {
      res.end("other");
      return;
    }
    entered += 1;
    working += 1;
    most = Math.max(most, working);
    res.on("finish", () => {
      working -= 1;
    });
    void begin.promise.then(() => res.end(`<${req.url}>`));
  });
  const client = open(server);
  const paths = Array.from({ length: 3000 }, (_, n) => `/${n}`);
  client.write(paths.map(get).join(""));
  await until("the first one has come", () => entered > 0);
  await answered(server);
  expect(entered).toBe(1);

  let all = "";
  client.on("data", chunk => {
    all += chunk;
  });
  begin.resolve();
  await until("all are answered", () => all.includes(`<${paths.at(-1)}>`));
  expect([entered, most]).toEqual([3000, 1]);
  const order = [...all.matchAll(/<(\/\d+)>/g)].map(([, path]) => path);
  expect(order).toEqual(paths);
});

test("nothing more is read of a connection that takes no answer", async () => {
  const body = Buffer.alloc(1024 * 1024, "x");
  let entered = 0;
  const server = await serve((req, res) => {
    if (req.url !== "/other") entered += 1;
    res.end(req.url === "/other" ? "other" : body);
  });
  const client = open(server);
  client.pause();
  // The system takes the first answers of so many.
  for (let n = 0; n < 20; n += 1) client.write(get("/page").repeat(1000));
  await until("the first one has come", () => entered > 0);
  let before = -1;
  await until("its connection is full", async () => {
    const same = before === entered;
    before = entered;
    await answered(server);
    return same;
  });
  expect(entered).toBeLessThan(100);
  let taken = 0;
  client.on("data", chunk => {
    taken += chunk.length;
  });
  client.resume();
  await until("it goes on", () => taken > 100 * body.length);
});

const post = (path: string, body: string, headers = "") =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;

async function echo(req: IncomingMessage): Promise<string> {
  return `<${req.url} ${await text(req)}>`;
}

test("bodies arrive whole, whatever follows them", async () => {
  const server = await serve((req, res) => void echo(req).then(answer => res.end(answer)));
  const client = open(server);
  const long = "long\r\n\r\n".repeat(40_000);
  client.write(
    post("/1", "one") +
      post("/2", long) +
      "POST /3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n" +
      post("/4", "waits", "Expect: 100-continue\r\n") +
      post("/5", "five", "Connection: close\r\n"),
  );
  const all = await allOf(client);
  const answers = [...all.matchAll(/<(\/\d) ([^>]*)>/g)].map(([, path, body]) => [path, body]);
  expect(answers).toEqual([
    ["/1", "one"],
    ["/2", long],
    ["/3", "abcdef"],
    ["/4", "waits"],
    ["/5", "five"],
  ]);
  expect(all.match(/HTTP\/1\.1 100 Continue/g)).toHaveLength(1);
});

test("a body that comes late is waited for, and its connection is read meanwhile", async () => {
  const server = await serve((req, res) => void echo(req).then(answer => res.end(answer)));
  const client = open(server);
  let all = "";
  client.on("data", chunk => {
    all += chunk;
  });
  client.write("POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc");
  await answered(server);
  client.write(`def${get("/next")}`);
  await until("both are answered", () => all.includes("</slow abcdef>") && all.includes("</next >"));
});

test("a client that leaves is noticed, and what waits for its turn is not begun", async () => {
  const entered: string[] = [];
  const left: string[] = [];
  const server = await serve((req, res) => {
    entered.push(req.url ?? "");
    if (req.url === "/other") res.end();
    else res.on("close", () => left.push(req.url ?? ""));
  });
  const client = open(server);
  client.write(get("/1") + get("/2") + get("/3"));
  await until("it has come", () => entered.length === 1);
  client.resetAndDestroy();
  await answered(server);
  await until("it was noticed", () => left.length > 0);
  await answered(server);
  expect(entered).toEqual(["/1", "/other", "/other"]);
});

test("where too many wait, the connection with many of them is closed, and others are served", async () => {
  let entered = 0;
  const pipelines = new Pipelines((req, res) => {
    if (req.url === "/quick") res.end("quick");
    else entered += 1;
  }, 100);
  const server = await listening(createServer(pipelines.handle));
  const modest = open(server);
  modest.write(get("/1") + get("/2"));
  await until("it has come", () => entered === 1);
  const flood = open(server);
  flood.write(get("/flood").repeat(1000));
  await once(flood, "close");
  expect(modest.destroyed).toBe(false);
  expect(await answered(server, "/quick")).toContain("quick");
  // What the flood held is free again.
  const second = open(server);
  second.write(get("/3").repeat(50));
  await until("it has come", () => entered === 3);
});

test("a client that takes nothing of its answer is closed; one that waits for it is not", async () => {
  const late = Promise.withResolvers<void>();
  const quiet = new Set<Socket>();
  const server = await serve((req, res) => {
    if (req.url === "/late") void late.promise.then(() => res.end("late"));
    else res.end(Buffer.alloc(64 * 1024 * 1024));
  }, 500);
  server.on("timeout", socket => quiet.add(socket));
  const waiting = open(server);
  waiting.write("GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const full = open(server);
  full.pause();
  full.write(get("/big"));
  await until("both were quiet for long", () => quiet.size >= 2);
  late.resolve();
  expect(await allOf(waiting)).toContain("late");
  let end = "";
  full
    .on("error", () => undefined)
    .on("close", () => {
      end = "closed";
    });
  full.resume();
  await until("the full one is closed", () => end === "closed");
  expect(full.bytesRead).toBeLessThan(64 * 1024 * 1024);
});

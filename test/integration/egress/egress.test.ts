import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { Server as ProxyServer } from "proxy-chain";
import { ProxyAgent, request, WebSocket } from "undici";
import { createEgress, type Egress, isRefusal, type TenantProxy } from "../../../mixins/egress/egress.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { fakeDns } from "../../support/dns.ts";
import { type Handler, type Site, startSite } from "../../support/http-site.ts";

const unlimited = { maxBytes: Number.MAX_SAFE_INTEGER };
// RFC 6455, 1.3.
const webSocketGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const endless: Handler = (_request, response) => {
  const chunk = Buffer.alloc(64 * 1024, "x");
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
};

let site: Site;
let egress: Egress;
let tenantProxy: TenantProxy;

beforeAll(async () => {
  site = await startSite({
    "/": "home",
    "/endless": endless,
    "/megabyte": { body: Buffer.alloc(1024 ** 2) },
    "/silent": () => undefined,
  });
  const { lookup } = fakeDns({
    "a.example": ["127.0.0.1"],
    "inner.example": ["10.1.2.3"],
    "mixed.example": ["127.0.0.1", "192.168.0.1"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "rebind.example": [["127.0.0.1"], ["10.0.0.1"]],
  });
  egress = createEgress({ allow: ["127.0.0.1/32"], lookup });
  tenantProxy = await egress.openTenantProxy({});
});
beforeEach(() => tenantProxy.begin(unlimited));
afterAll(async () => {
  await egress.close();
  await site.close();
});

/** GET in absolute form through a proxy. */
async function getThrough(proxy: string, url: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(proxy);
  const outgoing = httpRequest({
    hostname,
    port,
    path: url,
    headers: { host: new URL(url).host },
    agent: false,
  });
  outgoing.end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}

/** CONNECT through a proxy; the status, and the tunnel when it stands. */
async function connectThrough(proxy: string, target: string): Promise<{ status: number; socket: Socket }> {
  const { hostname, port } = new URL(proxy);
  const outgoing = httpRequest({ hostname, port, method: "CONNECT", path: target, agent: false });
  outgoing.end();
  const [response, socket] = (await once(outgoing, "connect")) as [IncomingMessage, Socket];
  socket.on("error", () => socket.destroy());
  return { status: response.statusCode ?? 0, socket };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setImmediate(resolve));
}

/** Reads a tunnel until it is cut. */
async function drained(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.destroyed) await once(socket, "close");
}

describe("a lane", () => {
  test("forwards plain HTTP", async () => {
    expect(await getThrough(tenantProxy.url, `http://a.example:${site.port}/`)).toEqual({
      status: 200,
      body: "home",
    });
    expect(tenantProxy.record()).toMatchObject({ refused: [], unreachable: [], overBudget: false });
    expect(tenantProxy.record().bytes).toBeGreaterThan("home".length);
  });

  test("tunnels", async () => {
    const { status, socket } = await connectThrough(tenantProxy.url, `a.example:${site.port}`);
    expect(status).toBe(200);
    socket.end("GET / HTTP/1.1\r\nhost: a.example\r\nconnection: close\r\n\r\n");
    expect(await text(socket)).toContain("home");
  });

  test("tunnels WebSockets", async () => {
    const server = createHttpServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    server.on("upgrade", ({ headers }, socket) => {
      const accept = createHash("sha1")
        .update(`${headers["sec-websocket-key"]}${webSocketGuid}`)
        .digest("base64");
      const head = ["HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: upgrade"];
      socket.write(`${head.join("\r\n")}\r\nsec-websocket-accept: ${accept}\r\n\r\n`);
      socket.write(Buffer.from([0x81, 5, ...Buffer.from("hello")]));
    });
    const { port } = server.address() as AddressInfo;
    const dispatcher = new ProxyAgent({ uri: tenantProxy.url, proxyTunnel: true });
    const client = new WebSocket(`ws://a.example:${port}/`, { dispatcher });
    const [message] = (await once(client, "message")) as [MessageEvent<string>];
    expect(message.data).toBe("hello");
    tenantProxy.begin(unlimited);
    await once(client, "close");
    await dispatcher.destroy();
    server.close();
  });

  test.each([
    "10.0.0.1",
    "0x0a000001",
    "0x0a.1",
    "167772161",
    "012.0.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[64:ff9b::10.0.0.1]",
    "[fe80::1]",
    "localhost",
    "redis",
    "metadata.google.internal",
    "inner.example",
    "mixed.example",
    "mapped.example",
    "①⓪.⓪.⓪.①".normalize("NFKC"),
  ])("refuses %s in both forms", async host => {
    const tunnel = await connectThrough(tenantProxy.url, `${host}:${site.port}`);
    expect(tunnel.status).toBe(403);
    tunnel.socket.destroy();
    expect((await getThrough(tenantProxy.url, `http://${host}:${site.port}/`)).status).toBe(403);
    expect(tenantProxy.record().refused.length).toBeGreaterThan(0);
    expect(tenantProxy.record()).toMatchObject({ bytes: 0, unreachable: [] });
  });

  test.each(["a.example:22", "a.example:6379x", "a.example", "%00:80", "[fe80::1%eth0]:80"])(
    "opens no tunnel to %s",
    async target => {
      const { status, socket } = await connectThrough(tenantProxy.url, target);
      expect([400, 403]).toContain(status);
      socket.destroy();
    },
  );

  test("connects to what it vetted, though the name rebinds", async () => {
    const url = `http://rebind.example:${site.port}/`;
    expect((await getThrough(tenantProxy.url, url)).status).toBe(200);
    tenantProxy.begin(unlimited);
    expect((await getThrough(tenantProxy.url, url)).status).toBe(403);
    expect(tenantProxy.record().refused).toEqual([
      { target: `rebind.example:${site.port}`, rule: "resolved_address" },
    ]);
  });

  test("tells what could not be reached", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, "close");
    await getThrough(tenantProxy.url, "http://nowhere.example/");
    await getThrough(tenantProxy.url, `http://127.0.0.1:${port}/`);
    await connectThrough(tenantProxy.url, `a.example:${port}`).catch(() => undefined);
    expect(tenantProxy.record().unreachable).toEqual([
      { host: "nowhere.example", reason: "dns" },
      { host: "127.0.0.1", reason: "connect" },
      { host: "a.example", reason: "connect" },
    ]);
  });

  test("cuts every connection once the budget is spent, and makes no more", async () => {
    tenantProxy.begin({ maxBytes: 200_000 });
    const { socket } = await connectThrough(tenantProxy.url, `a.example:${site.port}`);
    socket.write("GET /endless HTTP/1.1\r\nhost: a.example\r\n\r\n");
    await drained(socket);
    expect(tenantProxy.record().overBudget).toBe(true);
    expect(tenantProxy.record().bytes).toBeLessThan(1_000_000);
    expect((await getThrough(tenantProxy.url, `${site.url}/`)).status).toBe(502);
    await expect(getThrough(tenantProxy.url, `${site.url}/`).then(({ body }) => body)).resolves.not.toContain(
      "home",
    );
  });

  test("counts plain HTTP against the budget too", async () => {
    tenantProxy.begin({ maxBytes: 200_000 });
    await getThrough(tenantProxy.url, `${site.url}/endless`).catch(() => undefined);
    expect(tenantProxy.record().overBudget).toBe(true);
  });

  test("cuts the connections of the job before, on both sides", async () => {
    const far: Socket[] = [];
    const server = createServer(socket => far.push(socket.on("error", () => socket.destroy())));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { socket } = await connectThrough(tenantProxy.url, `127.0.0.1:${port}`);
    const plain = getThrough(tenantProxy.url, `http://127.0.0.1:${port}/`).catch(() => "cut");
    await until(() => far.length === 2);
    const ends = far.map(each => drained(each));
    tenantProxy.begin(unlimited);
    await Promise.all([drained(socket), ...ends]);
    expect(await plain).toBe("cut");
    expect(tenantProxy.record()).toEqual({ bytes: 0, refused: [], unreachable: [], overBudget: false });
    expect((await getThrough(tenantProxy.url, `${site.url}/`)).status).toBe(200);
    server.close();
  });

  test("leaves an endless answer when the client leaves, though the far side heeds no half-close", async () => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    const left = Promise.withResolvers<void>();
    const server = createServer({ allowHalfOpen: true }, far => {
      const more = () => {
        while (!far.destroyed && far.write(chunk));
      };
      far.on("error", () => far.destroy());
      far.on("close", left.resolve);
      far.on("drain", more).resume();
      more();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { socket } = await connectThrough(tenantProxy.url, `127.0.0.1:${port}`);
    await once(socket, "data");
    socket.destroy();
    await left.promise;
    server.close();
  });

  test("keeps no connection of the job before alive", async () => {
    const far: Socket[] = [];
    const local = await startSite((incoming, response) => {
      far.push(incoming.socket);
      response.end("x");
    });
    await getThrough(tenantProxy.url, `${local.url}/`);
    await getThrough(tenantProxy.url, `${local.url}/`);
    expect(far[0]).toBe(far[1]);
    expect(far[0]?.destroyed).toBe(false);
    tenantProxy.begin(unlimited);
    await until(() => far[0]?.destroyed === true);
    await local.close();
  });

  test("is gone when it is closed, twice without harm", async () => {
    const short = await egress.openTenantProxy({});
    await Promise.all([short.close(), short.close()]);
    await expect(getThrough(short.url, `${site.url}/`)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("with a proxy", () => {
  const targets: string[] = [];
  const upstream = new ProxyServer({
    host: "127.0.0.1",
    port: 0,
    prepareRequestFunction: ({ hostname, port, username, password }) => {
      targets.push(`${username}:${password}@${hostname}:${port}`);
      // The proxy's own idea of the name.
      const dnsLookup = (
        _name: string,
        options: { all?: boolean },
        callback: (...args: unknown[]) => void,
      ) =>
        options.all ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4);
      return { requestAuthentication: password !== "password", dnsLookup: dnsLookup as never };
    },
  });
  const proxyUrl = (host = "a.example") => `http://user:password@${host}:${upstream.port}`;

  beforeAll(() => upstream.listen());
  beforeEach(() => targets.splice(0));
  afterAll(() => upstream.close(true));

  test("a lane goes through it in both forms", async () => {
    const through = await egress.openTenantProxy({ upstreamProxyUrl: proxyUrl() });
    expect((await getThrough(through.url, `http://a.example:${site.port}/`)).body).toBe("home");
    const { status, socket } = await connectThrough(through.url, `a.example:${site.port}`);
    expect(status).toBe(200);
    socket.destroy();
    expect(targets).toEqual(Array(2).fill(`user:password@a.example:${site.port}`));
    await through.close();
  });

  test.each(["inner.example", "10.0.0.1", "localhost"])("a lane asks it for nothing of %s", async host => {
    const through = await egress.openTenantProxy({ upstreamProxyUrl: proxyUrl() });
    expect((await connectThrough(through.url, `${host}:80`)).status).toBe(403);
    expect((await getThrough(through.url, `http://${host}/`)).status).toBe(403);
    expect(targets).toEqual([]);
    await through.close();
  });

  test.each(["http", "https", "socks5"])("a lane does not use a private one: %s", async protocol => {
    for (const host of ["10.0.0.1", "inner.example", "[::1]"]) {
      const through = await egress.openTenantProxy({ upstreamProxyUrl: `${protocol}://${host}:1080` });
      expect((await getThrough(through.url, `${site.url}/`)).status).toBe(403);
      expect(through.record().refused).toEqual([
        { target: `${host.replace(/[[\]]/g, "")}:1080`, rule: expect.stringMatching(/_address$/) },
      ]);
      await through.close();
    }
  });

  test.each(["socks5", "socks4"])(
    "a lane names its target to a %s proxy, which alone resolves it",
    async protocol => {
      const named: string[] = [];
      const socks = createServer(socket => {
        socket.on("error", () => socket.destroy());
        socket.on("data", (chunk: Buffer) => {
          named.push(chunk.toString("latin1"));
          if (chunk.toString("latin1").includes("a.example")) socket.destroy();
          else socket.write(Buffer.from([5, 0]));
        });
      }).listen(0, "127.0.0.1");
      await once(socks, "listening");
      const { port } = socks.address() as AddressInfo;
      const through = await egress.openTenantProxy({ upstreamProxyUrl: `${protocol}://a.example:${port}` });
      await getThrough(through.url, `http://a.example:${site.port}/`);
      expect(named.join("")).toContain("a.example");
      await through.close();
      socks.close();
    },
  );

  test("an agent goes through it", async () => {
    const dispatcher = egress.agent({ proxyUrl: proxyUrl() });
    const { statusCode, body } = await request(`http://a.example:${site.port}/`, { dispatcher });
    expect([statusCode, await body.text()]).toEqual([200, "home"]);
    expect(targets).toEqual([`user:password@a.example:${site.port}`]);
  });

  test.each([
    ["a private target", "a.example", "http://inner.example/"],
    ["a private target over TLS", "a.example", "https://inner.example/"],
    ["a literal private target", "a.example", "http://10.0.0.1/"],
    ["a private proxy", "inner.example", "http://a.example/"],
    ["a private proxy, over TLS", "inner.example", "https://a.example/"],
    ["a literal private proxy", "10.0.0.1", "http://a.example/"],
  ])("an agent refuses %s", async (_, proxyHost, url) => {
    const dispatcher = egress.agent({ proxyUrl: proxyUrl(proxyHost) });
    const error: unknown = await request(url, { dispatcher }).catch(e => e);
    expect(isRefusal(error)).toBe(true);
    expect(String(error)).not.toContain("password");
    expect(targets).toEqual([]);
  });
});

describe("an agent", () => {
  test("shares its connections with those of the same options", async () => {
    const portsOf = async (optionsOf: (turn: number) => Parameters<Egress["agent"]>[0]) => {
      const ports = new Set<number | undefined>();
      const local = await startSite(({ socket }, response) =>
        response.end(String(ports.add(socket.remotePort))),
      );
      for (let turn = 0; turn < 8; turn++) {
        const { body } = await request(local.url, { dispatcher: egress.agent(optionsOf(turn)) });
        await body.text();
      }
      await local.close();
      return ports.size;
    };
    // undici takes a second connection where the first is not done with the last answer yet.
    expect(await portsOf(turn => ({ tenant: `${turn}` }))).toBeLessThan(4);
  });

  test.each([
    "http://inner.example/",
    "https://mixed.example/",
    "http://10.0.0.1/",
    "http://localhost/",
    "http://[::1]/",
  ])("refuses %s, and says so apart from network errors", async url => {
    const error: unknown = await request(url, { dispatcher: egress.agent() }).catch(e => e);
    expect(isRefusal(error)).toBe(true);
  });

  test("a network error is no refusal", async () => {
    const error: unknown = await request("http://nowhere.example/", { dispatcher: egress.agent() }).catch(
      e => e,
    );
    expect(error).toMatchObject({ code: "ENOTFOUND" });
    expect(isRefusal(error)).toBe(false);
  });
});

test("the door says what is wrong in its two ways", () => {
  const codeAt = (url: string) => {
    try {
      return egress.admit(url).href;
    } catch (error) {
      return codeOf(error);
    }
  };
  expect(codeAt("https://example.com")).toBe("https://example.com/");
  expect(codeAt("http://127.0.0.1:8080/")).toBe("http://127.0.0.1:8080/");
  expect(codeAt("http://127.0.0.2/")).toBe("url_not_allowed");
  expect(codeAt("nonsense")).toBe("invalid_url");
});

test("an entry of the allow list that does not parse is named", () => {
  expect(() => createEgress({ allow: ["127.0.0.1/99"] })).toThrow("127.0.0.1/99");
});

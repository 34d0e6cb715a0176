/**
 * Meets peers that break every protocol on the way out, and clients that break that of a lane. Prints, as JSON, the
 * errors that nobody handled with the cases that they came from, and which ways out work afterwards.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { createEgress, type Egress } from "../../../mixins/egress/egress.ts";
import { readBody } from "../../../mixins/egress/read-body.ts";

const caseMs = 400;
/** Of what must be answered, and may be late where the peers keep the machine busy. */
const answeredMs = 20_000;
const current = new AsyncLocalStorage<string>();
const unhandled = new Set<string>();
const note = (error: unknown) => {
  const [line, at = ""] = String((error as Error).stack ?? error).split("\n");
  unhandled.add(`${current.getStore() ?? "?"}: ${line} ${at.trim()}`);
};
process.on("uncaughtException", note);
process.on("unhandledRejection", note);

type Peer = (socket: Socket) => void;

/** Sends each text after the client has sent something more, then ends as it is told. */
function script(texts: string[], end: (socket: Socket) => void = socket => socket.resetAndDestroy()): Peer {
  return socket => {
    const left = [...texts];
    socket.on("data", () => {
      const next = left.shift();
      if (next !== undefined)
        socket.write(Buffer.from(next, "latin1"), () => left.length === 0 && end(socket));
    });
  };
}

const hold = () => undefined;
const close = (socket: Socket) => socket.end();
const connected = "HTTP/1.1 200 OK\r\n\r\n";
const socksDone = "\x05\0\0\x01\0\0\0\0\0\0";
const garbage = Array.from({ length: 300 }, (_, at) => String.fromCharCode((at * 167 + 13) % 256)).join("");

/** As targets and as proxies. */
const peers: Record<string, Peer> = {
  "a reset at once": socket => socket.resetAndDestroy(),
  "an end at once": close,
  "a reset after the request": socket => socket.once("data", () => socket.resetAndDestroy()),
  "garbage before the request": socket => socket.write(Buffer.from(garbage, "latin1")),
  garbage: script([garbage, garbage], hold),
  "an alert of TLS": script(["\x15\x03\x03\0\x02\x02\x28"], close),
  "a broken hello of TLS": script(["\x16\x03\x03\0\x05\x02\0\0\x01\0"], close),
  "garbage in the tunnel": script([connected, garbage], hold),
  "garbage right behind the answer": script([connected + garbage], hold),
  "a reset in the tunnel": script([connected, "\x16\x03\x03"]),
  "a reset behind the answer": script([connected]),
  "407 with a body": script(
    ["HTTP/1.1 407 No\r\nproxy-authenticate: Basic\r\ncontent-length: 5\r\n\r\nhello"],
    hold,
  ),
  "a redirect to nowhere": script([
    "HTTP/1.1 302 No\r\nlocation: http://[::1\r\ncontent-length: 9\r\n\r\nabc",
  ]),
  "an upgrade that nobody wanted": script(
    ["HTTP/1.1 101 Yes\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nabc"],
    hold,
  ),
  "interim answers without end": script([`${"HTTP/1.1 103 Early\r\nlink: <x>\r\n\r\n".repeat(200)}`]),
  "status 000": script(["HTTP/1.1 000 None\r\n\r\n"], close),
  "status 99999": script(["HTTP/1.1 99999 None\r\n\r\n"], close),
  "a phrase of signs": script(["HTTP/1.1 200 \x01\x02\xff\r\ncontent-length: 0\r\n\r\n"], close),
  "a header of signs": script(["HTTP/1.1 200 OK\r\nx\x00y: \x00\x01\xff\r\n\r\n"], close),
  "a header without end": script([`HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`], hold),
  "two lengths": script(["HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"], close),
  "a length below zero": script(["HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nab"], close),
  "a body cut short": script(["HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc"]),
  "a broken chunk": script(["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nZZ\r\n"], hold),
  "a chunk cut short": script(["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffff\r\nabc"]),
  "a broken gzip": script(
    ["HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 6\r\n\r\n\x1f\x8b\x08abc"],
    close,
  ),
  "a second answer": script([`HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na${connected.repeat(2)}`]),
  "SOCKS without a method": script(["\x05\xff"], hold),
  "SOCKS with a strange method": script(["\x05\x09"], hold),
  "SOCKS that asks for a password": script(["\x05\x02", "\x01\x01"], hold),
  "SOCKS with more behind the password": script(["\x05\x02", `\x01\0${socksDone}`], hold),
  "SOCKS that refuses": script(["\x05\0", "\x05\x05\0\x01\0\0\0\0\0\0"], hold),
  "SOCKS with a strange address": script(["\x05\0", "\x05\0\0\x09\0\0\0\0\0\0"], hold),
  "SOCKS with a short name": script(["\x05\0", "\x05\0\0\x03\x09abc"], close),
  "SOCKS with IPv6": script(["\x05\0", `\x05\0\0\x04${garbage.slice(0, 18)}`, garbage]),
  "SOCKS all at once": script([`\x05\0${socksDone}${garbage}`], hold),
  "SOCKS and a reset": script(["\x05\0", socksDone]),
  "SOCKS and garbage": script(["\x05\0", socksDone, garbage], hold),
  "SOCKS 4 and garbage": script(["\0\x5a\0\0\0\0\0\0", garbage], hold),
  "SOCKS 4 that refuses": script(["\0\x5b\0\0\0\0\0\0"], hold),
};

const whole = ["HTTP/1.1", "host: a.example", "connection: close", "", ""].join("\r\n");

/** What clients say to a lane; PEER is a target that resets each connection. */
const clients: Record<string, string> = {
  nothing: "",
  garbage,
  "half a line": "CONN",
  "a tunnel": `CONNECT PEER ${whole}`,
  "a tunnel with a head": `CONNECT PEER ${whole}${garbage}`,
  "a tunnel to port 0": `CONNECT a.example:0 ${whole}`,
  "a tunnel to half an address": `CONNECT [::1 ${whole}`,
  "a tunnel to an escape": `CONNECT %ff:80 ${whole}`,
  "a tunnel to a long name": `CONNECT ${"a".repeat(300)}.example:80 ${whole}`,
  "two tunnels": `CONNECT PEER ${whole}CONNECT PEER ${whole}`,
  "a tunnel behind a request": `GET http://PEER/ HTTP/1.1\r\nhost: a.example\r\n\r\nCONNECT PEER ${whole}`,
  "a request": `GET http://PEER/ ${whole}`,
  "a name and password": `GET http://u:p@PEER/ ${whole}`,
  "a name that does not decode": `GET http://%ff:%ff@PEER/ ${whole}`,
  "a path that does not decode": `GET http://PEER/%zz ${whole}`,
  "no address": `GET / ${whole}`,
  "an upgrade": `GET http://PEER/ HTTP/1.1\r\nhost: a.example\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n`,
  "an expectation": `POST http://PEER/ HTTP/1.1\r\nhost: a.example\r\nexpect: junk\r\ncontent-length: 3\r\n\r\nabc`,
  "a broken chunk": `POST http://PEER/ HTTP/1.1\r\nhost: a.example\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n`,
  "half a body": `POST http://PEER/ HTTP/1.1\r\nhost: a.example\r\ncontent-length: 99\r\n\r\nabc`,
  "broken credentials": `GET http://PEER/ HTTP/1.1\r\nhost: a.example\r\nproxy-authorization: Basic !!!\r\n\r\n`,
  "a header without end": `GET http://PEER/ HTTP/1.1\r\nx: ${"y".repeat(100_000)}`,
  "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
};

async function listen(peer: Peer): Promise<number> {
  const server = createServer(socket => {
    socket.on("error", () => socket.destroy());
    peer(socket);
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function say(url: string, text: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => socket.destroy()).resume();
  socket.write(Buffer.from(text, "latin1"));
  await delay(caseMs / 2);
  socket.resetAndDestroy();
}

const failed = async () => "failed";

interface Request {
  headers?: Record<string, string>;
  withinMs?: number;
}

async function fetched(
  egress: Egress,
  url: string,
  proxyUrl?: string,
  { headers = {}, withinMs = caseMs }: Request = {},
): Promise<string> {
  const signal = AbortSignal.timeout(withinMs);
  const dispatcher = egress.agent({ proxyUrl, skipTlsVerification: true });
  const response = await request(url, { dispatcher, signal, headers });
  return String(await readBody(response, 1000));
}

const egress = createEgress({
  allow: ["127.0.0.1/32"],
  lookup: async () => [{ address: "127.0.0.1", family: 4 }],
});
const resetting = `a.example:${await listen(socket => socket.once("data", () => socket.resetAndDestroy()))}`;
const good = await listen(
  script(["HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\r\ngood"], close),
);
const proxies = [
  "http://127.0.0.1",
  "http://u:p@127.0.0.1",
  "https://127.0.0.1",
  "socks5://u:p@127.0.0.1",
  "socks4://127.0.0.1",
];
const ownTenantProxy = await egress.openTenantProxy({});

async function meet(name: string, peer: Peer): Promise<void> {
  const port = await listen(peer);
  const cases = ["http", "https"].map(scheme =>
    fetched(egress, `${scheme}://a.example:${port}/`).catch(failed),
  );
  cases.push(fetched(egress, `http://a.example:${port}/`, ownTenantProxy.url).catch(failed));
  cases.push(fetched(egress, `https://a.example:${port}/`, ownTenantProxy.url).catch(failed));
  for (const proxy of proxies) {
    const tenantProxy = await current.run(`${name}, lane to ${proxy}`, () =>
      egress.openTenantProxy({ upstreamProxyUrl: `${proxy}:${port}` }),
    );
    tenantProxy.begin({ maxBytes: 10_000_000 });
    for (const url of [`http://${resetting}/`, `https://${resetting}/`]) {
      cases.push(
        current.run(`${name}, lane to ${proxy}, ${url}`, () =>
          fetched(egress, url, tenantProxy.url).catch(failed),
        ),
      );
      if (proxy.startsWith("socks4")) continue;
      cases.push(
        current.run(`${name}, agent to ${proxy}, ${url}`, () =>
          fetched(egress, url, `${proxy}:${port}`).catch(failed),
        ),
      );
    }
  }
  await Promise.all(cases);
}

for (const [name, peer] of Object.entries(peers)) void current.run(name, () => meet(name, peer).catch(note));
const upstreams = [undefined, ...proxies.map(proxy => `${proxy}:${good}`)];
for (const upstreamProxyUrl of upstreams)
  for (const [name, text] of Object.entries(clients)) {
    const label = `client with ${name}, upstream ${upstreamProxyUrl}`;
    await current.run(label, async () => {
      const tenantProxy = await egress.openTenantProxy({ upstreamProxyUrl });
      void say(tenantProxy.url, text.replaceAll("PEER", resetting));
    });
  }
const refused = await fetched(egress, `http://a.example:${good}/`, ownTenantProxy.url, {
  headers: { "proxy-authorization": "Basic x" },
  withinMs: answeredMs,
}).then(
  () => "sent",
  (error: Error) => error.name,
);
await delay(6 * caseMs);
ownTenantProxy.begin({ maxBytes: 10_000_000 });
const works = [
  await fetched(egress, `http://a.example:${good}/`, undefined, { withinMs: answeredMs }).catch(String),
  await fetched(egress, `http://a.example:${good}/`, ownTenantProxy.url, { withinMs: answeredMs }).catch(
    String,
  ),
];
await egress.close();
await delay(100);
process.stdout.write(JSON.stringify({ unhandled: [...unhandled], refused, works }));
process.exit();

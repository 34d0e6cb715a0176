import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { createServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { createEgress, type Egress } from "../../../mixins/egress/egress.ts";
import { fetchFailure, fetchHop } from "../../../mixins/egress/fetch-hop.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { send } from "../../../services/webhook-dispatcher/sending/send.ts";
import { fakeDns } from "../../support/dns.ts";
import { type ScriptedServer, type Step, startScripted } from "../../support/scripted-server.ts";
import { selfSigned } from "../../support/self-signed.ts";

const pem = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));
const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

let egress: Egress;
let servers: { close(): unknown }[];

beforeEach(() => {
  const { lookup } = fakeDns({ "a.example": ["127.0.0.1"], "private.example": ["10.0.0.1"] });
  egress = createEgress({ allow: ["127.0.0.1/32"], lookup });
  servers = [];
});
afterEach(async () => {
  await egress.close();
  for (const server of servers) await server.close();
});

const post = (url: URL) => send(egress.agent(), { url, headers: {}, body: "{}" });

/** The code and message of a fetch that fails in the same way. */
async function failedFetch(url: URL) {
  const signal = AbortSignal.timeout(30_000);
  const error = await fetchHop(url, { dispatcher: egress.agent(), headers: {}, signal })
    .then(({ response }) => response.body.text())
    .then(
      () => undefined,
      thrown => fetchFailure(thrown, signal),
    );
  return [codeOf(error), (error as Error | undefined)?.message];
}

async function scripted(steps: Step[], isTls = false): Promise<ScriptedServer> {
  const server = await startScripted(() => [steps], { isTls });
  servers.push(server);
  return server;
}

test.each<[string, Step[], string, string]>([
  ["is reset", ["RST"], "reset", "target_unreachable"],
  ["closes", ["FIN"], "reset", "target_unreachable"],
  ["stops within its head", ["HTTP/1.1 200 OK\r\ncont", "FIN"], "reset", "target_unreachable"],
  [
    "stops within its body",
    ["HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok", "FIN"],
    "reset",
    "target_unreachable",
  ],
  [
    "stops within a chunk",
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nok", "FIN"],
    "reset",
    "target_unreachable",
  ],
  ["is no HTTP", ["220 mail.example ESMTP\r\n"], "malformed", "target_unreachable"],
  ["has a bad length", ["HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n"], "malformed", "target_unreachable"],
  [
    "has endless fields",
    ["HTTP/1.1 200 OK\r\n", `x: ${"y".repeat(70_000)}\r\n`],
    "malformed",
    "target_unreachable",
  ],
  [
    "switches protocols",
    ["HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    "malformed",
    "target_unreachable",
  ],
])("an answer that %s", async (_, steps, name, code) => {
  const { url } = await scripted(steps);
  expect((await post(url)).error).toBe(name);
  expect((await failedFetch(url))[0]).toBe(code);
});

test.each([204, 302, 404, 410, 429, 500, 503])(
  "a status that is no success has itself as its class: %i",
  async status => {
    const { url } = await scripted([`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`]);
    expect(await post(url)).toMatchObject({ status, error: status === 204 ? null : `status_${status}` });
  },
);

test("a port that nobody listens on, a name that does not resolve, and an address that is not allowed", async () => {
  const { url, close } = await scripted([ok]);
  await close();
  expect((await post(url)).error).toBe("refused");
  expect(await failedFetch(url)).toEqual(["target_unreachable", "The site refused the connection."]);
  const nowhere = new URL("http://nowhere.example/");
  expect((await post(nowhere)).error).toBe("dns");
  expect(await failedFetch(nowhere)).toEqual(["target_unreachable", "The site's name does not resolve."]);
  for (const address of ["http://10.0.0.1/", "http://private.example/"]) {
    expect((await post(new URL(address))).error).toBe("not_allowed");
    expect((await failedFetch(new URL(address)))[0]).toBe("url_not_allowed");
  }
});

/** Where a server is reached by https. */
async function listening(server: Server): Promise<URL> {
  servers.push({ close: () => server.close() });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

describe("of certificates", () => {
  const { key, cert } = selfSigned();
  const trusted = getCACertificates("default");
  const serve = (certificate: Buffer) =>
    listening(
      createServer({ key, cert: certificate }, socket => socket.end(ok)).on(
        "tlsClientError",
        () => undefined,
      ),
    );
  afterEach(() => setDefaultCACertificates(trusted));

  test.each([
    ["one that is right", cert, null],
    ["one that has expired", pem("expired"), "tls_expired"],
    ["one for another name", pem("other-host"), "tls_host"],
  ])("%s", async (_, certificate, name) => {
    setDefaultCACertificates([...trusted, certificate.toString()]);
    const url = await serve(certificate);
    expect((await post(url)).error).toBe(name);
    expect((await failedFetch(url))[0]).toBe(name === null ? undefined : "tls_error");
  });

  test("one that nobody signed, and a server that speaks no TLS", async () => {
    const text = createTcpServer(socket => {
      socket.on("error", () => socket.destroy());
      socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    });
    for (const url of [await serve(cert), await listening(text)]) {
      expect((await post(url)).error).toBe("tls_other");
      expect((await failedFetch(url))[0]).toBe("tls_error");
    }
  });
});

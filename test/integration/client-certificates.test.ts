import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { endpointOverrides, endpointServices } from "../suites/webhook-endpoints.suite.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { selfSigned } from "../support/self-signed.ts";
import { until } from "../support/until.ts";

const { key, cert } = selfSigned();
const client_certificate = { certificate: cert.toString(), private_key: key.toString() };
const trusted = getCACertificates();

let magpie: Magpie;
let server: Server;
let url: string;
/** The fingerprints of the certificates that came, by path. */
let seen: [path: string, fingerprint: string][] = [];

beforeAll(async () => {
  // The receiver's own certificate is nobody else's, either.
  setDefaultCACertificates([...trusted, cert.toString()]);
  server = createServer({ key, cert, ca: cert, requestCert: true, rejectUnauthorized: true }, (req, res) => {
    const { fingerprint256 } = (req.socket as TLSSocket).getPeerCertificate();
    seen.push([req.url ?? "", fingerprint256]);
    req.resume().on("end", () => res.writeHead(204).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  magpie = await startMagpie(endpointOverrides, config => endpointServices.map(service => service(config)));
});
afterEach(() => {
  seen = [];
});
afterAll(async () => {
  await magpie.stop();
  server.closeAllConnections();
  server.close();
  setDefaultCACertificates(trusted);
});

interface Endpoint {
  id: string;
  client_certificate: { subject: string; fingerprint: string; expires_at: string } | null;
}

const add = (body: object) => magpie.request("POST", "/webhooks", { body });

test("a receiver that asks for a certificate gets the endpoint's, and answers show all but the key", async () => {
  const created = await add({ url: `${url}/mutual`, client_certificate });
  expect([created.status, created.text]).toEqual([201, expect.not.stringContaining("PRIVATE KEY")]);
  const { data } = created.json<{ data: Endpoint }>();
  const { fingerprint = "" } = data.client_certificate ?? {};
  expect(data.client_certificate).toEqual({
    subject: expect.stringContaining("CN="),
    fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    expires_at: expect.stringMatching(/Z$/),
  });
  await magpie.request("POST", `/webhooks/${data.id}/test`);
  await until("it has arrived", () => seen.length > 0);
  expect(seen).toEqual([["/mutual", fingerprint]]);

  // Without it, the receiver's TLS refuses the connection.
  await magpie.request("PATCH", `/webhooks/${data.id}`, { body: { client_certificate: null } });
  await magpie.request("POST", `/webhooks/${data.id}/test`);
  const failures = async () =>
    (await magpie.request("GET", "/webhook/deliveries?status=failed")).json<{ data: { error: string }[] }>()
      .data;
  await until("it has failed", async () => (await failures()).length > 0);
  expect((await failures())[0]?.error).toMatch(/^(tls_other|reset)$/);
  expect(seen).toHaveLength(1);
});

test.each([
  [{ certificate: "none", private_key: key.toString() }, "client_certificate.certificate"],
  [{ certificate: cert.toString(), private_key: "none" }, "client_certificate.private_key"],
  [{ certificate: cert.toString(), private_key: otherKey() }, "client_certificate.private_key"],
  [{ certificate: cert.toString() }, "client_certificate.private_key"],
])("what is no certificate with its key is refused: %#", async (given, field) => {
  const reply = await add({ url: `${url}/x`, client_certificate: given });
  expect([reply.status, fieldOf(reply)]).toEqual([400, field]);
});

test("an address without TLS has no use for one", async () => {
  const reply = await add({ url: "http://127.0.0.1:8080/", client_certificate });
  expect([reply.status, fieldOf(reply)]).toEqual([400, "client_certificate"]);
});

function fieldOf(reply: Reply): string | undefined {
  return reply.json<{ details: { field: string }[] }>().details[0]?.field;
}

function otherKey(): string {
  return generateKeyPairSync("ec", { namedCurve: "P-256" })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
}

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { waitForNats } from "../../mixins/bus/nats-client.ts";
import { findBinary } from "../support/debian-binary.ts";
import { startMongo, withMongo, withOwnMongo } from "../support/mongo.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { killNodes, startNode } from "../support/node-process.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { startServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const adminKey = "admin-key-0123456789-0123456789";
const apiKey = "first-key-0123456789-0123456789";
const masterSecret = "master-secret-0123456789";

const mongo = await startMongo();
const inCluster = withMongo(mongo);

let nats: TestNats;
let redis: TestRedis;
beforeAll(async () => {
  [nats, redis] = await Promise.all([startNats(), startRedis()]);
});
afterEach(killNodes);
afterAll(async () => {
  await Promise.all([nats.stop(), redis.stop(), mongo.stop()]);
});

function servers(namespace: string): Record<string, string> {
  const urls = { NATS_URL: nats.url, REDIS_URL: redis.url, MONGO_URL: `${mongo.url}/${namespace}` };
  return { ...urls, CLUSTER_NAMESPACE: namespace };
}

const keysEnv = { MASTER_SECRET: masterSecret, BOOTSTRAP_API_KEY: apiKey };

test("NATS is waited for, and named when it does not come", async () => {
  const waits: string[] = [];
  const url = "nats://me:secret-word@127.0.0.1:1";
  const refusal = await waitForNats({ natsUrl: url }, reason => waits.push(reason), 2000).catch(String);
  expect(refusal).toMatch(/NATS_URL: the server cannot be reached \(CONNECTION_REFUSED\)/);
  expect(refusal).not.toContain("secret-word");
  expect(waits).toEqual(["CONNECTION_REFUSED"]);
});

test("a password that NATS rejects is reported at once", async () => {
  const guarded = await startServer({
    name: "nats",
    binary: await findBinary({ program: "nats-server", packages: ["nats-server"], advice: "" }),
    scheme: "nats",
    args: port => ["-a", "127.0.0.1", "-p", String(port), "--user", "me", "--pass", "secret-word"],
    ready: "Server is ready",
  });
  const through = (user: string) =>
    waitForNats({ natsUrl: guarded.url.replace("//", `//${user}@`) }, reason => {
      throw new Error(reason);
    });
  await through("me:secret-word");
  for (const user of ["me:wrong-word", "wrong-word", "you:secret-word"]) {
    const refusal = await through(user).catch(String);
    expect(refusal).toMatch(/NATS_URL: the server does not take the user, the password or the token/);
    expect(refusal).not.toMatch(/-word/);
  }
  await guarded.stop();
});

test("a NATS without TLS, or with a certificate that nobody signed, is reported at once", async () => {
  const waits: string[] = [];
  const through = (natsUrl: string) =>
    waitForNats({ natsUrl }, reason => waits.push(reason)).then(() => "fine", String);
  expect(await through(nats.url.replace("nats:", "tls:"))).toMatch(/NATS_URL: the server does not use TLS/);
  const file = (name: string) => join(import.meta.dirname, "../fixtures/tls", `${name}.pem`);
  const tls = ["--tls", "--tlscert", file("cert"), "--tlskey", file("key")];
  const encrypted = await startServer({
    name: "nats",
    binary: await findBinary({ program: "nats-server", packages: ["nats-server"], advice: "" }),
    scheme: "tls",
    args: port => ["-a", "127.0.0.1", "-p", String(port), ...tls],
    ready: "Server is ready",
  });
  expect(await through(encrypted.url)).toMatch(/NATS_URL: no TLS connection .*SELF_SIGNED_CERT/);
  expect(waits).toEqual([]);
  await encrypted.stop();
});

inCluster.test("a node that cannot work says why in one line, and ends", async () => {
  const env = servers("refused");
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const cases: [services: string[], env: Record<string, string>, line: RegExp][] = [
    [["keys"], {}, /MASTER_SECRET: required in a cluster/],
    [["api"], keysEnv, /ADMIN_KEY: required in a cluster/],
    [["keys", "webhook"], keysEnv, /SERVICES: there is no service "webhook"; there are .*webhook-dispatcher/],
    [["nobody"], keysEnv, /SERVICES: there is no service "nobody"/],
    [["no*"], keysEnv, /SERVICES: names no service/],
    [["keys"], { ...keysEnv, HEALTH_PORT: String(port) }, /HEALTH_PORT: cannot listen on .*EADDRINUSE/],
    [["keys"], { ...keysEnv, REDIS_URL: "redis://127.0.0.1:1" }, /REDIS_URL: redis:.* does not answer/],
    [
      ["keys"],
      { ...keysEnv, MONGO_URL: "mongodb://127.0.0.1:1/x" },
      /MONGO_URL: the server cannot be reached/,
    ],
  ];
  for (const [services, more, line] of cases) {
    const node = startNode(services, { ...env, ...more });
    expect(await node.exit).toBe(1);
    const said = node
      .output()
      .split("\n")
      .filter(text => text.startsWith("magpie cannot start: "));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(line);
  }
  taken.close();
});

inCluster.test("two clusters do not meet in one Redis", async () => {
  const env = servers("twice");
  const first = startNode(["keys"], { ...env, ...keysEnv });
  await first.health();
  const second = startNode(["keys"], { ...env, ...keysEnv, MONGO_URL: `${mongo.url}/elsewhere` });
  expect(await second.exit).toBe(1);
  expect(second.output()).toMatch(/magpie cannot start: CLUSTER_NAMESPACE: another cluster/);
});

inCluster.test("nor at one NATS, under the same name", async () => {
  const env = servers("met");
  const own = { ...env, ...keysEnv, REDIS_URL: `${redis.url}/1`, MONGO_URL: `${mongo.url}/unmet` };
  const first = startNode(["keys"], { ...env, ...keysEnv });
  const health = await first.health();
  // A node that still starts may be met too late to refuse the other.
  await until("it runs", async () => (await fetch(`${health}/health/ready`)).ok);
  const second = startNode(["keys"], own);
  expect(await second.exit).toBe(1);
  expect(second.output()).toMatch(/magpie cannot start: CLUSTER_NAMESPACE: another cluster, .* on this NATS/);
  await startNode(["keys"], { ...own, CLUSTER_NAMESPACE: "unmet" }).health();
  await startNode(["admin"], env).health();
});

inCluster.test(
  "another master secret than the cluster's is refused, whichever service brought it in",
  async () => {
    const env = servers("secrets");
    await startNode(["webhook-dispatcher"], { ...env, ...keysEnv }).health();
    for (const service of ["keys", "webhook-dispatcher", "connectors"]) {
      const node = startNode([service], { ...env, ...keysEnv, MASTER_SECRET: "another-secret-0123456789" });
      expect(await node.exit).toBe(1);
      expect(node.output()).toMatch(/magpie cannot start: MASTER_SECRET is not the one/);
      expect(node.output()).not.toContain("another-secret");
    }
    await startNode(["keys"], { ...env, ...keysEnv }).health();
  },
);

inCluster.test(
  "a gateway is ready without the other services, refuses what needs them, and drains",
  async () => {
    const env = servers("services");
    const gateway = startNode(["api"], { ...env, ADMIN_KEY: adminKey });
    const url = await gateway.gateway();
    const health = await gateway.health();
    const ready = async (at: string) => {
      const response = await fetch(`${at}/health/ready`);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const keysOf = () => fetch(`${url}/internal/keys`, { headers: { "x-admin-key": adminKey } });
    expect((await keysOf()).status).toBe(503);
    expect(await ready(url)).toMatchObject({
      status: 200,
      body: { status: "degraded", rooms: { keys: { status: "unavailable" } } },
    });
    expect(await ready(health)).toMatchObject({ status: 200, body: { status: "ready" } });

    const nodes = [startNode(["keys"], { ...env, ...keysEnv }), startNode(["keys"], { ...env, ...keysEnv })];
    await until("keys answer", async () => (await keysOf()).status === 200);
    const [first, second] = nodes;
    const told = await ready((await first?.health()) ?? "");
    expect(told).toMatchObject({
      status: 200,
      body: { status: "ready", rooms: { keys: { status: "ready" } } },
    });
    const metrics = await (await fetch(`${await second?.health()}/metrics`)).text();
    expect(metrics).toMatch(/^moleculer_transporter_packets_received_total \d+$/m);
    expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m);
    // What clients of the gateway reach has none.
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    const ofGateway = await (await fetch(`${health}/metrics`)).text();
    expect(ofGateway).toMatch(
      /^magpie_http_requests_total\{method="GET",route="\/internal\/keys",status="503"\} [1-9]/m,
    );

    await until("both are asked", async () => {
      expect((await keysOf()).status).toBe(200);
      const asked = await Promise.all(
        nodes.map(async node => (await fetch(`${await node.health()}/metrics`)).text()),
      );
      return asked.every(text => /^moleculer_request_total\{action="keys\.list"\} [1-9]/m.test(text));
    });
    first?.child.kill("SIGKILL");
    const answers = await Promise.all(Array.from({ length: 20 }, async () => (await keysOf()).status));
    expect(new Set(answers)).toEqual(new Set([200]));
    second?.child.kill("SIGTERM");
    expect(await second?.exit).toBe(0);
    expect((await keysOf()).status).toBe(503);
    gateway.child.kill("SIGTERM");
    expect(await gateway.exit).toBe(0);
  },
);

withOwnMongo(mongo).test("a server that goes away makes 503s, and comes back by itself", async () => {
  const env = servers("away");
  const gateway = startNode(["api"], { ...env, ADMIN_KEY: adminKey });
  startNode(["keys"], { ...env, ...keysEnv });
  const url = await gateway.gateway();
  const asked = async () => {
    const response = await fetch(`${url}/users/me`, {
      headers: { "x-api-key": apiKey },
      signal: AbortSignal.timeout(30_000),
    });
    await response.body?.cancel();
    return response.status;
  };
  const readiness = async () => (await fetch(`${url}/health/ready`)).status;
  const works = async () => ![500, 502, 503].includes(await asked());
  // Kubernetes asks there whether to send requests to the node.
  const taking = `${await gateway.health()}/health/ready`;
  await until("it works", works);
  for (const server of [nats, redis, mongo]) {
    await server?.kill();
    const seen = new Set<number>();
    await until("it is told", async () => {
      seen.add(await asked());
      return (await readiness()) === 503;
    });
    seen.add(await asked());
    expect(seen).not.toContain(500);
    await until("the gateway names the server, and takes requests", async () => {
      const response = await fetch(taking);
      return response.ok && ((await response.json()) as { status: string }).status === "degraded";
    });
    await until("a request is refused", async () => (await asked()) === 503);
    const refused = await fetch(`${url}/users/me`, { headers: { "x-api-key": apiKey } });
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ status: "error", retry_after: expect.any(Number) });
    await server?.restart();
    await until("it works again", async () => (await works()) && (await readiness()) === 200);
  }
});

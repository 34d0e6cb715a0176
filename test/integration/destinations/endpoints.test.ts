import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toConfig } from "../../../mixins/config/config.ts";
import type { WithLog } from "../../../mixins/event-log/event-log.mixin.ts";
import { endpointOverrides, endpointServices } from "../../suites/webhook-endpoints.suite.ts";
import { removeFolder } from "../../support/folders.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";
import { filesBelow, linesBelow } from "../../support/ndjson.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";

let magpie: Magpie;
let folder: string;
let receiver: Receiver;
let client: { id: string; key: string };
let count = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "magpie-destinations-"));
  receiver = await startReceiver();
  const { webhooks } = toConfig({ WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_BACKOFF: "20ms" });
  magpie = await startMagpie({ ...endpointOverrides, webhooks: { ...webhooks, folder } }, config =>
    endpointServices.map(service => service(config)),
  );
});
afterAll(async () => {
  await magpie.stop();
  await receiver.close();
  await removeFolder(folder);
});
beforeEach(async () => {
  const reply = await magpie.request("POST", "/internal/keys", {
    admin: true,
    body: { owner: "ann", name: "n" },
  });
  client = reply.json<{ data: typeof client }>().data;
});

interface Endpoint {
  id: string;
  url: string;
  status: string;
  destination: object | null;
  batch: object | null;
  waiting: number;
}

const ask = (method: string, path: string, body?: object) =>
  magpie.request(method, path, { key: client.key, ...(body && { body }) });

async function add(options: object): Promise<Endpoint> {
  const reply = await ask("POST", "/webhooks", options);
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.json<{ data: Endpoint }>().data;
}

const show = async (id: string) => (await ask("GET", `/webhooks/${id}`)).json<{ data: Endpoint }>().data;

async function append(amount: number): Promise<void> {
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  const events = Array.from({ length: amount }, () => {
    count += 1;
    const data = {
      source: { id: "a", source: "RSS", externalId: "https://a.test", username: "a", name: "a" },
    };
    const timestamp = new Date().toISOString();
    return { bodyId: `b${count}`, type: "rss.item.created" as const, timestamp, data, keyIds: [client.id] };
  });
  await log.append(events);
}

async function attempts({
  id,
}: Endpoint): Promise<{ id: string; seq: number; error: string | null; answer: string }[]> {
  return (await ask("GET", `/webhooks/${id}/deliveries?limit=100`)).json<{ data: [] }>().data;
}

const own = () => join(folder, client.id);
const primary = () => filesBelow(own()).filter(file => !file.includes("replays/"));
const seqs = () => linesBelow(own()).map(({ seq }) => seq);
const soon = { max_events: 3, max_wait_ms: 20 };

test("a folder gets files of many events, each named by its first one", async () => {
  const endpoint = await add({ destination: { type: "folder", path: "orders" }, batch: soon });
  expect(endpoint).toMatchObject({
    url: "file:///orders",
    destination: { type: "folder", path: "orders" },
    status: "ACTIVE",
    batch: soon,
  });
  await append(7);
  await until("all are there", () => seqs().length === 7);
  const mark = endpoint.id.slice(0, 8);
  const names = primary().map(file => file.split("/").at(-1));
  expect(names).toEqual([1, 4, 7].map(seq => `${String(seq).padStart(12, "0")}-${mark}.ndjson`));
  expect(primary()[0]).toMatch(/^orders\/20\d\d\/\d\d\/\d\d\//);
  expect(seqs()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await until("all are listed", async () => (await attempts(endpoint)).length === 7);
  expect((await attempts(endpoint))[0]).toMatchObject({
    url: "file:///orders",
    outcome: "succeeded",
    http_status: null,
  });
});

test("a test event is written, and a replay and a retry by hand have files of their own", async () => {
  const endpoint = await add({ destination: { type: "folder" }, batch: soon });
  expect((await ask("POST", `/webhooks/${endpoint.id}/test`)).status).toBe(200);
  await append(4);
  await until("all are there", () => seqs().length === 5);
  const before = primary();
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await until("all are done", async () => (await show(endpoint.id)).waiting === 0);
  expect((await ask("POST", `/webhooks/${endpoint.id}/replay`, { since })).status).toBe(200);
  await until("they are there again", () => seqs().length === 10);
  expect(primary()).toEqual(before);
  await append(2);
  await until("new ones follow those before", () => seqs().length === 12);
  expect(primary()).toHaveLength(before.length + 1);
  const [attempt] = await attempts(endpoint);
  const times = () => seqs().filter(seq => seq === attempt?.seq).length;
  const timesBefore = times();
  const retried = await ask("POST", `/webhooks/${endpoint.id}/deliveries/${attempt?.id}/retry`);
  expect(retried.json()).toMatchObject({ data: { outcome: "succeeded" } });
  expect(times()).toBe(timesBefore + 1);
  expect(primary()).toHaveLength(before.length + 1);
});

test("secrets are shown as dots, sealed, and kept where they come back so for the same server", async () => {
  const bucket = {
    ...{ type: "s3", bucket: "shop", prefix: "a", endpoint: "http://127.0.0.1:8009" },
    ...{ access_key_id: "AKIA", secret_access_key: "a-secret-of-s3" },
  };
  const endpoint = await add({ destination: bucket });
  const shown = { ...bucket, region: "us-east-1", secret_access_key: "•••" };
  expect(endpoint).toMatchObject({ url: "s3://shop/a", destination: shown, batch: { max_events: 1000 } });
  const stored = (await ask("GET", "/webhooks")).text;
  expect(stored).not.toContain("a-secret-of-s3");
  const change = (destination: object) => ask("PATCH", `/webhooks/${endpoint.id}`, { destination });
  expect((await change({ ...shown, prefix: "b" })).json()).toMatchObject({ data: { url: "s3://shop/b" } });
  const elsewhere = await change({ ...shown, endpoint: "http://127.0.0.1:8010" });
  expect(elsewhere.json()).toMatchObject({
    details: [{ field: "destination.secret_access_key", code: "unknown_value" }],
  });
  expect((await ask("POST", "/webhooks", { destination: shown })).status).toBe(400);
});

test("two endpoints of one folder write files of their own", async () => {
  await add({ destination: { type: "folder" }, batch: soon });
  await add({ destination: { type: "folder" }, batch: soon });
  await append(2);
  await until("both have written", () => seqs().length === 4);
  expect(primary()).toHaveLength(2);
});

test("a destination and a URL take each other's place, and nothing is lost or repeated", async () => {
  const endpoint = await add({ destination: { type: "folder" }, batch: soon });
  await append(2);
  await until("both are there", () => seqs().length === 2);
  const url = `${receiver.url}/instead`;
  const changed = await ask("PATCH", `/webhooks/${endpoint.id}`, { url });
  expect(changed.json()).toMatchObject({ data: { url, destination: null, batch: null } });
  await append(1);
  const arrived = () =>
    receiver.received.filter(({ path }) => path === "/instead").map(({ event }) => event.seq);
  await until("it arrives", () => arrived().includes(3));
  const back = await ask("PATCH", `/webhooks/${endpoint.id}`, { destination: { type: "folder", path: "b" } });
  expect(back.json()).toMatchObject({
    data: { url: "file:///b", destination: { type: "folder", path: "b" }, batch: { max_events: 1000 } },
  });
  await ask("PATCH", `/webhooks/${endpoint.id}`, { batch: soon });
  await append(1);
  await until("it is there", () => seqs().includes(4));
  expect(arrived()).toEqual([3]);
  expect(linesBelow(join(own(), "b")).map(({ seq }) => seq)).toEqual([4]);
  expect(seqs().toSorted()).toEqual([1, 2, 4]);
});

test("the first webhook of a key may be one, and POST /webhook puts a URL in its place", async () => {
  await add({ destination: { type: "folder" } });
  expect((await ask("GET", "/webhook")).json()).toMatchObject({ data: "file:///" });
  const overwritten = await ask("POST", "/webhook", { url: `${receiver.url}/first` });
  expect(overwritten.json()).toMatchObject({ data: { url: `${receiver.url}/first`, batch: null } });
  const [only] = (await ask("GET", "/webhooks")).json<{ data: Endpoint[] }>().data;
  expect(only).toMatchObject({ destination: null, batch: null });
});

const database = {
  ...{ type: "postgresql", host: "db.example.com", database: "shop", user: "magpie", password: "secret" },
};

test("a server is shown without its password, which stays as long as the server does", async () => {
  const endpoint = await add({ destination: database, enabled: false });
  const shown = { ...database, password: "•••", port: 5432, tls: true, table: "magpie_events" };
  expect(endpoint).toMatchObject({
    url: "postgresql://db.example.com:5432/shop/magpie_events",
    destination: shown,
    batch: null,
  });
  const change = (destination: object) => ask("PATCH", `/webhooks/${endpoint.id}`, { destination });
  expect((await change({ ...shown, table: "other" })).status).toBe(200);
  for (const moved of [{ host: "db.example.org" }, { tls: false }, { user: "other" }]) {
    const refused = await change({ ...shown, ...moved });
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { details: [{ field: "destination.password", code: "unknown_value" }] },
    ]);
  }
});
const keyed = { type: "s3", bucket: "shop", access_key_id: "a", secret_access_key: "b" };

test.each([
  [{}, "url", "required"],
  [{ url: "https://example.com", destination: { type: "folder" } }, "destination", "exactly_one"],
  [{ destination: "folder" }, "destination", "object"],
  [{ destination: {} }, "destination.type", "required"],
  [{ destination: { type: "ftp" } }, "destination.type", "not_allowed"],
  [{ destination: { type: "folder", path: "../other" } }, "destination.path", "string_pattern"],
  [{ destination: { type: "folder", path: "/etc" } }, "destination.path", "string_pattern"],
  [{ destination: { type: "folder", path: "a/../b" } }, "destination.path", "string_pattern"],
  [{ destination: { type: "folder", path: ".unfinished" } }, "destination.path", "string_pattern"],
  [{ destination: { ...keyed, bucket: "x" } }, "destination.bucket", "string_pattern"],
  [{ destination: { ...keyed, endpoint: "http://10.0.0.1" } }, "destination.endpoint", "url_not_allowed"],
  [{ destination: { ...keyed, endpoint: "s3.example.org" } }, "destination.endpoint", "invalid_url"],
  [{ destination: { type: "folder", paths: "a" } }, "destination.paths", "unknown_field"],
  [{ destination: { ...database, host: undefined } }, "destination.host", "required"],
  [{ destination: { ...database, table: 'a"; drop' } }, "destination.table", "string_pattern"],
  [{ destination: { ...database, host: "/var/run/postgresql" } }, "destination.host", "string_pattern"],
  [{ destination: { ...database, host: "10.0.0.1" } }, "destination.host", "url_not_allowed"],
  [{ destination: { type: "folder" }, format: "slack" }, "format", "not_applicable"],
  [{ destination: { type: "folder" }, headers: { a: "b" } }, "headers", "not_applicable"],
  [{ destination: { type: "folder" }, digest: "1h" }, "digest", "not_applicable"],
  [{ destination: { type: "folder" }, template: "{{title}}" }, "template", "not_applicable"],
])("%j is refused: %s", async (body, field, code) => {
  const reply = await ask("POST", "/webhooks", body);
  expect([reply.status, reply.json()]).toMatchObject([400, { details: [{ field, code }] }]);
  expect((await ask("GET", "/webhooks")).json()).toMatchObject({ data: [] });
});

test("without DESTINATION_FOLDER a folder is refused, and the answer says what the operator sets", async () => {
  const other = await startMagpie(endpointOverrides, config =>
    endpointServices.map(service => service(config)),
  );
  try {
    const reply = await other.request("POST", "/webhooks", { body: { destination: { type: "folder" } } });
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { message: expect.stringContaining("DESTINATION_FOLDER"), details: [{ field: "destination.type" }] },
    ]);
  } finally {
    await other.stop();
  }
});

test("a disk that refuses keeps the endpoint and its events, and says why", async () => {
  mkdirSync(own(), { recursive: true });
  writeFileSync(join(own(), "taken"), "");
  const endpoint = await add({ destination: { type: "folder", path: "taken" }, batch: soon });
  await append(2);
  const failed = async () => (await attempts(endpoint)).filter(({ error }) => error !== null);
  await until("it fails often", async () => (await failed()).length > 12);
  expect((await failed())[0]).toMatchObject({
    error: "destination",
    answer: "A file has the name of a folder of this path.",
  });
  expect((await show(endpoint.id)).status).toBe("ACTIVE");
  rmSync(join(own(), "taken"));
  await until("both are there", () => seqs().length === 2);
});
